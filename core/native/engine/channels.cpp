// SPDX-License-Identifier: MIT
// The table of channels and the functions that read them.
#include "engine/channels.h"

#include <cmath>

#include "engine/bodies/readings.h"
#include "engine/joints/springs.h"
#include "engine/joints/stored_energy.h"
#include "engine/world_parts.h"

namespace rigid {

namespace {

double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

// ---------------------------------------------------------------- bodies

double speed(Reading& reading, int i) {
  const BodyState& state = reading.world.bodies.states[i];
  return length_of(state.vx, state.vy);
}

double kinetic_energy(Reading& reading, int i) {
  const BodyState& s = reading.world.bodies.states[i];
  const Body& body = reading.world.bodies[i];
  if (body.kind != BodyKind::dynamic) return 0.0;
  double vx = s.vx, vy = s.vy, w = body.fixed_rotation ? 0.0 : s.omega;
  return 0.5 * (body.mass * (vx * vx + vy * vy) + body.inertia * w * w);
}

double potential_energy(Reading& reading, int i) {
  const Bodies& bodies = reading.world.bodies;
  const WorldDefinition& d = reading.world.definition;
  return bodies.is_dynamic(i) ? weight_energy(bodies[i], d.gravity_x, d.gravity_y) : 0.0;
}

bool touches(const Contact& contact, int body) {
  return contact.alive && contact.touching && (contact.body_a == body || contact.body_b == body);
}

double contacts_of_body(Reading& reading, int i) {
  int count = 0;
  for (const Contact& c : reading.world.contacts.all()) {
    if (!touches(c, i)) continue;
    // A visitor counts only for the sensor's body.
    int owner = reading.world.shapes[c.shape_a].sensor ? c.body_a : c.body_b;
    count += !c.sensor || owner == i;
  }
  return count;
}

double asleep(Reading& reading, int i) {
  const WorldParts& world = reading.world;
  bool moves = world.bodies[i].kind == BodyKind::dynamic;
  return world.bodies.alive[i] && moves && !world.bodies.awake[i] ? 1.0 : 0.0;
}

// The sum of the normal forces of a body's contacts.
double contact_force(Reading& reading, int i) {
  double sum = 0;
  for (const Contact& c : reading.world.contacts.all()) {
    if (!touches(c, i)) continue;
    for (int k = 0; k < c.count; ++k) {
      sum += c.points[k].total_normal / reading.world.definition.dt;
    }
  }
  return sum;
}

// The sums of the normal forces and of the frictions on a body, along x and y.
struct Pressing {
  double normal_x = 0, normal_y = 0, friction_x = 0, friction_y = 0;
};

Pressing pressing(Reading& reading, int i) {
  Pressing sum;
  for (const Contact& c : reading.world.contacts.all()) {
    if (!touches(c, i) || c.sensor) continue;
    const double way = (c.body_b == i ? 1 : -1) / reading.world.definition.dt;
    for (int k = 0; k < c.count; ++k) {
      const double normal = way * c.points[k].total_normal, rub = way * c.points[k].total_tangent;
      sum.normal_x += normal * c.normal.x;
      sum.normal_y += normal * c.normal.y;
      sum.friction_x += rub * c.normal.y;
      sum.friction_y -= rub * c.normal.x;
    }
  }
  return sum;
}

double normal_force(Reading& reading, int i) {
  const Pressing sum = pressing(reading, i);
  return length_of(sum.normal_x, sum.normal_y);
}

double friction_force(Reading& reading, int i) {
  const Pressing sum = pressing(reading, i);
  return length_of(sum.friction_x, sum.friction_y);
}

double weight(Reading& reading, int i) {
  const WorldDefinition& d = reading.world.definition;
  const Body& body = reading.world.bodies[i];
  if (body.kind != BodyKind::dynamic) return 0.0;
  return body.mass * std::fabs(static_cast<double>(body.gravity_scale)) *
         length_of(d.gravity_x, d.gravity_y);
}

// Friction that is nearer to its limit than this share of it slides,
constexpr double at_limit = 0.999;
// if the surfaces move along each other by more length units in a second.
constexpr double least_slide = 1e-3;

// Whether friction at a touching point is at its limit while the surfaces move along each other.
double sliding(Reading& reading, int i) {
  const WorldParts& world = reading.world;
  const double least =
      least_slide * world.definition.length_unit / world.definition.time_per_second;
  for (const Contact& c : world.contacts.all()) {
    if (!touches(c, i) || c.sensor) continue;
    const BodyState &a = world.bodies.states[c.body_a], &b = world.bodies.states[c.body_b];
    for (int k = 0; k < c.count; ++k) {
      const ContactPoint& p = c.points[k];
      const double limit = at_limit * c.friction * p.total_normal;
      if (!(p.total_normal > 0) || std::fabs(p.total_tangent) < limit) continue;
      // Anchors are relative to the centre of A; the offset leads to that of B.
      const double ax = p.anchor.x, ay = p.anchor.y;
      const double bx = ax + c.offset.x, by = ay + c.offset.y;
      const double vx = b.vx - b.omega * by - a.vx + a.omega * ay;
      const double vy = b.vy + b.omega * bx - a.vy - a.omega * ax;
      const double along = vx * c.normal.y - vy * c.normal.x;
      if (std::fabs(along - c.tangent_speed) > least) return 1.0;
    }
  }
  return 0.0;
}

double push_pull(Reading& reading, int i) {
  const int bar = reading.world.bars.of_body(i);
  if (bar < 0) return 0.0;
  if (reading.push_pulls.empty()) {
    const WorldParts& w = reading.world;
    reading.push_pulls = w.bars.push_pulls(w.bodies, w.joints, w.contacts, w.forces, w.clock);
  }
  return reading.push_pulls[bar];
}

// ---------------------------------------------------------------- points

struct Moving {
  double x, y, vx, vy;
};

Moving moving_point(Reading& reading, int index) {
  const WorldParts& world = reading.world;
  const BodyPoint& p = world.points[index];
  const Body& body = world.bodies[p.body];
  const BodyState& s = world.bodies.states[p.body];
  SineCosine q = sine_cosine(world.bodies.angle[p.body]);
  double lx = p.x - body.local_center.x, ly = p.y - body.local_center.y;
  double rx = q.cosine * lx - q.sine * ly, ry = q.sine * lx + q.cosine * ly;
  return {world.bodies.x[p.body] + (q.cosine * p.x - q.sine * p.y),
          world.bodies.y[p.body] + (q.sine * p.x + q.cosine * p.y), s.vx - s.omega * ry,
          s.vy + s.omega * rx};
}

template <double Moving::* field>
double of_point(Reading& reading, int i) {
  return moving_point(reading, i).*field;
}

double point_speed(Reading& reading, int i) {
  Moving point = moving_point(reading, i);
  return length_of(point.vx, point.vy);
}

// ---------------------------------------------------------------- joints

JointStateRow state_of(Reading& reading, int i) {
  return joint_state(reading.world.joints[i], reading.world.bodies, reading.world.clock);
}

template <double JointStateRow::* field>
double of_joint(Reading& reading, int i) {
  return state_of(reading, i).*field;
}

double joint_force(Reading& reading, int i) {
  JointStateRow state = state_of(reading, i);
  return length_of(state.force_x, state.force_y);
}

double joint_broken(Reading& reading, int i) { return is_broken(reading.world.joints[i]); }

double joint_energy(Reading& reading, int i) {
  const WorldParts& world = reading.world;
  const Joint& joint = world.joints[i];
  if (!joint.alive || is_broken(joint) || type_of(joint).pulls || !has_soft_rows(joint)) return 0.0;
  KernelContext context{};
  context.parameters = &world.parameters;
  context.own_inverse_masses = world.bodies.inverse_masses.data();
  const JointPlace place =
      joint_place(joint, world.bodies[joint.body_a], world.bodies[joint.body_b]);
  return stored_energy(joint, place, world.bodies.states[joint.body_a],
                       world.bodies.states[joint.body_b], context)
      .energy;
}

// ---------------------------------------------------------------- the world

double spring_energies(Reading& reading, int) {
  double sum = 0;
  const int count = static_cast<int>(reading.world.joints.all().size());
  for (int i = 0; i < count; ++i) sum += joint_energy(reading, i);
  return sum;
}

struct Energies {
  double kinetic, weight;
};

Energies energies(const WorldParts& world) {
  Energies sum;
  const WorldDefinition& d = world.definition;
  find_energy(world.bodies, d.gravity_x, d.gravity_y, sum.kinetic, sum.weight);
  return sum;
}

double energy(Reading& reading, int) {
  Energies sum = energies(reading.world);
  return sum.kinetic + sum.weight +
         attraction_energy(reading.world.bodies, reading.world.definition);
}

double all_kinetic_energy(Reading& reading, int) { return energies(reading.world).kinetic; }

double all_potential_energy(Reading& reading, int) {
  return energies(reading.world).weight +
         attraction_energy(reading.world.bodies, reading.world.definition);
}

struct Momentum {
  double mass = 0, x = 0, y = 0, angular = 0;
};

Momentum momentum(const WorldParts& world) {
  Momentum sum;
  for (int i = 1; i < world.bodies.count(); ++i) {
    const Body& body = world.bodies[i];
    const BodyState& state = world.bodies.states[i];
    if (!world.bodies.alive[i] || body.kind != BodyKind::dynamic) continue;
    const double mass = body.mass;
    double x = mass * state.vx;
    double y = mass * state.vy;
    sum.mass += mass;
    sum.x += x;
    sum.y += y;
    sum.angular += body.center_x * y - body.center_y * x;
    if (!body.fixed_rotation) sum.angular += static_cast<double>(body.inertia) * state.omega;
  }
  return sum;
}

template <double Momentum::* field>
double of_momentum(Reading& reading, int) {
  return momentum(reading.world).*field;
}

double momentum_size(Reading& reading, int) {
  Momentum sum = momentum(reading.world);
  return length_of(sum.x, sum.y);
}

double all_contacts(Reading& reading, int) {
  int count = 0;
  for (const Contact& c : reading.world.contacts.all()) {
    count += c.alive && c.touching && !c.sensor;
  }
  return count;
}

double living_bodies(Reading& reading, int) {
  int count = 0;
  for (int i = 1; i < reading.world.bodies.count(); ++i) count += reading.world.bodies.alive[i];
  return count;
}

constexpr Channel table[] = {
    {Owner::body, "x", "length", [](Reading& r, int i) { return r.world.bodies.x[i]; }, true},
    {Owner::body, "y", "length", [](Reading& r, int i) { return r.world.bodies.y[i]; }, true},
    {Owner::body, "angle", "radian", [](Reading& r, int i) { return r.world.bodies.angle[i]; },
     true},
    {Owner::body, "vx", "length/time",
     [](Reading& r, int i) -> double { return r.world.bodies.states[i].vx; }, true},
    {Owner::body, "vy", "length/time",
     [](Reading& r, int i) -> double { return r.world.bodies.states[i].vy; }, true},
    {Owner::body, "omega", "radian/time",
     [](Reading& r, int i) -> double { return r.world.bodies.states[i].omega; }, true},
    {Owner::body, "speed", "length/time", speed, true},
    {Owner::body, "kinetic_energy", "energy", kinetic_energy, true},
    {Owner::body, "contacts", "count", contacts_of_body, true},
    {Owner::body, "asleep", "0 or 1", asleep},
    {Owner::body, "alive", "0 or 1",
     [](Reading& r, int i) -> double { return r.world.bodies.alive[i]; }, true},
    {Owner::body, "mass", "mass",
     [](Reading& r, int i) -> double { return r.world.bodies.mass[i]; }, true},
    {Owner::body, "force", "force", contact_force, true},
    {Owner::body, "push_pull", "force", push_pull},
    {Owner::body, "potential_energy", "energy", potential_energy, true},
    {Owner::body, "weight", "force", weight, true},
    {Owner::body, "normal_force", "force", normal_force},
    {Owner::body, "friction_force", "force", friction_force},
    {Owner::body, "sliding", "0 or 1", sliding},
    {Owner::point, "x", "length", of_point<&Moving::x>, true},
    {Owner::point, "y", "length", of_point<&Moving::y>, true},
    {Owner::point, "vx", "length/time", of_point<&Moving::vx>, true},
    {Owner::point, "vy", "length/time", of_point<&Moving::vy>, true},
    {Owner::point, "speed", "length/time", point_speed, true},
    {Owner::joint, "force", "force", joint_force},
    {Owner::joint, "torque", "force*length", of_joint<&JointStateRow::torque>},
    {Owner::joint, "angle", "radian", of_joint<&JointStateRow::angle>, true},
    {Owner::joint, "length", "length", of_joint<&JointStateRow::length>, true},
    {Owner::joint, "translation", "length", of_joint<&JointStateRow::translation>, true},
    {Owner::joint, "broken", "0 or 1", joint_broken, true},
    {Owner::joint, "speed", "radian/time or length/time", of_joint<&JointStateRow::speed>, true},
    {Owner::joint, "motor_force", "force or force*length", of_joint<&JointStateRow::motor_force>},
    {Owner::joint, "energy", "energy", joint_energy},
    {Owner::world, "time", "time", [](Reading& r, int) { return r.world.clock.time(); }},
    {Owner::world, "energy", "energy", energy},
    {Owner::world, "momentum", "mass*length/time", momentum_size},
    {Owner::world, "momentum_x", "mass*length/time", of_momentum<&Momentum::x>},
    {Owner::world, "momentum_y", "mass*length/time", of_momentum<&Momentum::y>},
    {Owner::world, "angular_momentum", "mass*length^2/time", of_momentum<&Momentum::angular>},
    {Owner::world, "contacts", "count", all_contacts, true},
    {Owner::world, "bodies", "count", living_bodies},
    {Owner::world, "mass", "mass", of_momentum<&Momentum::mass>},
    {Owner::world, "kinetic_energy", "energy", all_kinetic_energy},
    {Owner::world, "potential_energy", "energy", all_potential_energy},
    {Owner::world, "spring_energy", "energy", spring_energies},
};

}  // namespace

std::span<const Channel> channels() { return table; }

void sample(const WorldParts& world, std::span<const int32_t> codes, double* out) {
  Reading reading(world);
  for (std::size_t i = 0; 2 * i < codes.size(); ++i) {
    out[i] = table[codes[2 * i]].read(reading, codes[2 * i + 1]);
  }
}

}  // namespace rigid
