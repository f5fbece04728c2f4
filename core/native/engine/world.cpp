// Building a world and taking things out of it; masses from shapes.
#include "engine/world.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/constants.h"
#include "geometry/mass.h"
#include "geometry/shape.h"

namespace rigid {

namespace {

// Processors before Ice Lake lower their clock for vectors of 512 bits, and gain nothing by them.
bool wide_is_fast() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vbmi2") != 0;
#else
  return true;
#endif
}

// The widest table this processor runs fast, unless a width is asked for.
const Kernels* choose_kernels(int lanes) {
  if (lanes > 0) return find_kernels(lanes);
  for (int width : {16, 8, 4}) {
    if (width == 16 && !wide_is_fast()) continue;
    if (const Kernels* kernels = find_kernels(width)) return kernels;
  }
  return find_kernels(1);
}

double mix(Mixing rule, double a, double b) {
  switch (rule) {
    case Mixing::min:
      return std::min(a, b);
    case Mixing::max:
      return std::max(a, b);
    case Mixing::mean:
      return 0.5 * (a + b);
    case Mixing::product:
      return a * b;
    default:
      return std::sqrt(a * b);
  }
}

}  // namespace

World::World(const WorldDefinition& definition)
    : definition_(definition),
      kernels_(choose_kernels(definition.lanes)),
      single_(find_kernels(1)),
      pool_(definition.threads) {
  matrix_.assign(64, ~uint64_t{0});
  Body frame;
  frame.kind = BodyKind::fixed;
  frame.given_mass = frame.given_inertia = 0;
  add_body({frame});
}

int World::add_body(const NewBody& given, Place place) {
  const int index = body_slots_.take(place);
  if (index == body_count()) {
    bodies_.emplace_back();
    states_.push_back({});
    masses_.push_back({0, 0});
    heavy_masses_.push_back({0, 0});
    step_masses_.push_back({0, 0});
    system_of_.push_back(-1);
    driver_of_.push_back(-1);
    body_steps_.push_back({});
    near_walls_.push_back(0);
    separations_.add_body();
    x_.push_back(0);
    y_.push_back(0);
    angle_.push_back(0);
    mass_.push_back(0);
    inertia_.push_back(0);
    awake_.push_back(0);
    alive_.push_back(0);
    body_shapes_.emplace_back();
  }
  Body& body = bodies_[index] = given.body;
  body.rotation = make_rotation(body.angle);
  const bool fixed = body.kind == BodyKind::fixed, dynamic = body.kind == BodyKind::dynamic;
  // A body that starts asleep is an island of its own until it is touched.
  const bool sleeps = !given.awake && dynamic, still = fixed || sleeps;
  const bool moves = dynamic || given.vx != 0 || given.vy != 0 || given.omega != 0;
  if (sleeps) body.island = island_count_++;
  states_[index] = {still ? 0.0f : static_cast<float>(given.vx),
                    still ? 0.0f : static_cast<float>(given.vy),
                    still ? 0.0f : static_cast<float>(given.omega),
                    0,
                    0,
                    0,
                    1,
                    0};
  masses_[index] = heavy_masses_[index] = step_masses_[index] = {0, 0};
  system_of_[index] = driver_of_[index] = -1;
  body_steps_[index] = {};
  near_walls_[index] = 0;
  has_bullets_ |= body.bullet && dynamic;
  x_[index] = body.origin_x;
  y_[index] = body.origin_y;
  angle_[index] = body.angle;
  mass_[index] = inertia_[index] = 0;
  awake_[index] = !still && moves;
  alive_[index] = 1;
  unfinished_.push_back(index);
  awake_dirty_ = contacts_dirty_ = true;
  return index;
}

int World::add_shape(const WorldShape& given, const double* points, Place place) {
  const int index = shape_slots_.take(place);
  if (index == shape_count()) {
    shapes_.emplace_back();
    moved_flag_.push_back(0);
    separations_.add_shape();
  }
  WorldShape& shape = shapes_[index] = given;
  Body& body = bodies_[shape.body];
  shape.body_kind = body.kind;
  categories_in_use_ |= uint64_t{1} << shape.category;
  const int count = vertex_count(shape), end = static_cast<int>(vertices_.size());
  shape.first_vertex = vertex_runs_.take(count, end, place);
  if (shape.first_vertex == end) {
    given_points_.resize(2 * static_cast<std::size_t>(end + count));
    vertices_.resize(end + count);
    normals_.resize(end + count);
  }
  std::copy(points, points + 2 * count, given_points_.begin() + 2 * shape.first_vertex);
  body_shapes_[shape.body].push_back(index);
  if (body.finished) unfinished_.push_back(shape.body);
  body.finished = false;
  return index;
}

uint64_t World::joined_key(int a, int b) const {
  return static_cast<uint64_t>(std::max(a, b)) << 32 | static_cast<uint64_t>(std::min(a, b));
}

int World::add_joint(const Joint& given, Place place) {
  const int index = joint_slots_.take(place);
  if (index == joint_count()) joints_.emplace_back();
  Joint& joint = joints_[index] = given;
  joint.color = joint.slot = -1;
  constexpr float never = std::numeric_limits<float>::infinity();
  if (joint.break_force < never || joint.break_torque < never || joint.break_push_pull < never) {
    breakable_.push_back(index);
  }
  if (!joint.collide) {
    ++joined_[joined_key(joint.body_a, joint.body_b)];
    std::vector<int> gone;
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
      const Contact& contact = contacts_[i];
      if (contact.alive &&
          joined_key(contact.body_a, contact.body_b) == joined_key(joint.body_a, joint.body_b)) {
        gone.push_back(i);
      }
    }
    for (int contact : gone) destroy_contact(contact);
    tell_touching();
  }
  // Joints to bodies that are already in the world start here; others in finish().
  if (bodies_[joint.body_a].finished && bodies_[joint.body_b].finished) {
    joint.local_a = joint.given_a - bodies_[joint.body_a].local_center;
    joint.local_b = joint.given_b - bodies_[joint.body_b].local_center;
    joint.spring_mass =
        static_cast<float>(spring_mass(joint, bodies_[joint.body_a], bodies_[joint.body_b],
                                       masses_[joint.body_a], masses_[joint.body_b]));
    wake_body(joint.body_a);
    wake_body(joint.body_b);
    activate_joint(index);
  }
  return index;
}

int World::add_point(const BodyPoint& point, Place place) {
  const int index = point_slots_.take(place);
  if (index == point_count()) points_.emplace_back();
  points_[index] = point;
  return index;
}

int World::add_force(const ForceSource& source, Place place) {
  const int index = force_slots_.take(place);
  if (index == force_count()) forces_.emplace_back();
  forces_[index] = source;
  return index;
}

void World::set_force(int index, float x, float y, float torque, bool enabled) {
  ForceSource& source = forces_[index];
  source.x = x;
  source.y = y;
  source.torque = torque;
  source.enabled = enabled;
}

void World::add_bar(const Bar& bar) {
  bar_of_.resize(std::max(bar_of_.size(), bodies_.size()), -1);
  remove_bar(bar.body);
  bar_of_[bar.body] = static_cast<int>(bars_.size());
  bars_.push_back(bar);
}

void World::ignore_pair(int a, int b) {
  if (a != b) ignored_.add(a, b);
}

Shape World::view(const WorldShape& shape) const {
  return {shape.kind,
          shape.count,
          shape.radius,
          vertices_.data() + shape.first_vertex,
          normals_.data() + shape.first_vertex,
          shape.centroid,
          shape.part ? normals_.data() + shape.first_vertex + shape.count : nullptr};
}

// Mass, centre and inertia: given, or from the shapes that are no sensors. A body made of lines
// alone gets a rod's inertia; one without anything to weigh has mass 1 and does not turn.
void World::compute_mass(int index) {
  Body& body = bodies_[index];
  double mass = 0, cx = 0, cy = 0, inertia = 0;
  double line = 0, line_x = 0, line_y = 0, line_inertia = 0;
  for (int s : body_shapes_[index]) {
    const WorldShape& shape = shapes_[s];
    const double* p = given_points_.data() + 2 * shape.first_vertex;
    if (shape.sensor) continue;
    if (shape.kind == ShapeKind::segment || shape.kind == ShapeKind::chain_segment) {
      const double* a = shape.kind == ShapeKind::segment ? p : p + 2;
      double dx = a[2] - a[0], dy = a[3] - a[1], length = std::sqrt(dx * dx + dy * dy);
      double mx = 0.5 * (a[0] + a[2]), my = 0.5 * (a[1] + a[3]);
      line += length;
      line_x += length * mx;
      line_y += length * my;
      line_inertia += length * (length * length / 12 + mx * mx + my * my);
      continue;
    }
    MassData data = shape_mass(shape.kind, p, shape.count, shape.radius, shape.density);
    mass += data.mass;
    cx += data.mass * data.cx;
    cy += data.mass * data.cy;
    inertia += data.inertia + data.mass * (data.cx * data.cx + data.cy * data.cy);
  }
  if (!(mass > 0) && line > 0) {
    mass = 1;
    cx = line_x / line;
    cy = line_y / line;
    inertia = line_inertia / line;
  } else if (mass > 0) {
    cx /= mass;
    cy /= mass;
  } else {
    mass = 1;
    inertia = 0;
  }
  inertia = std::max(0.0, inertia - mass * (cx * cx + cy * cy));
  if (!std::isnan(body.given_mass)) {
    inertia *= body.given_mass / mass;
    mass = body.given_mass;
  }
  // What does not move by forces turns about its origin.
  bool dynamic = body.kind == BodyKind::dynamic;
  double gx = !std::isnan(body.given_center_x) ? body.given_center_x : dynamic ? cx : 0.0;
  double gy = !std::isnan(body.given_center_y) ? body.given_center_y : dynamic ? cy : 0.0;
  inertia += mass * ((gx - cx) * (gx - cx) + (gy - cy) * (gy - cy));
  if (!std::isnan(body.given_inertia)) inertia = body.given_inertia;

  body.local_center = {static_cast<float>(gx), static_cast<float>(gy)};
  body.mass = static_cast<float>(mass);
  body.inertia = static_cast<float>(inertia);
  InverseMass inverse{0, 0};
  if (body.kind == BodyKind::dynamic) {
    if (body.mass > 0) inverse.mass = static_cast<float>(1 / mass);
    if (body.inertia > 0 && !body.fixed_rotation) inverse.inertia = static_cast<float>(1 / inertia);
    // What a float cannot hold is as good as nothing or as everything.
    if (!std::isfinite(inverse.mass)) inverse.mass = 0;
    if (!std::isfinite(inverse.inertia)) inverse.inertia = 0;
  }
  masses_[index] = heavy_masses_[index] = step_masses_[index] = inverse;
  mass_[index] = body.kind == BodyKind::dynamic ? body.mass : 0.0f;
  inertia_[index] = body.kind == BodyKind::dynamic ? body.inertia : 0.0f;
  SineCosine sc = sine_cosine(body.angle);
  body.center_x = body.origin_x + (sc.cosine * gx - sc.sine * gy);
  body.center_y = body.origin_y + (sc.sine * gx + sc.cosine * gy);

  body.extent = body.reach = 0;
  body.leeway = std::numeric_limits<float>::infinity();
  for (int s : body_shapes_[index]) {
    WorldShape& shape = shapes_[s];
    for (int i = 0; i < vertex_count(shape); ++i) {
      const double* p = given_points_.data() + 2 * (shape.first_vertex + i);
      Vec2 v = {static_cast<float>(p[0] - gx), static_cast<float>(p[1] - gy)};
      vertices_[shape.first_vertex + i] = v;
      if (i >= shape.count) continue;
      body.extent = std::max(body.extent, length(v) + shape.radius);
      shape.reach = i == 0 ? length(v) : std::max(shape.reach, length(v));
    }
    body.reach = std::max(body.reach, shape.reach);
    const Vec2* v = vertices_.data() + shape.first_vertex;
    Vec2* normals = normals_.data() + shape.first_vertex;
    compute_normals(shape.kind, v, shape.count, normals);
    if (shape.part) compute_outline(v, shape.count, normals + shape.count);
    shape.centroid = compute_centroid(shape.kind, v, shape.count);
    shape.thickness = inner_radius(view(shape));
    if (!shape.sensor) body.leeway = std::min(body.leeway, constants::leeway * shape.thickness);
  }
  link_chains(index);
}

void World::finish() {
  if (unfinished_.empty()) return;
  std::vector<int> fresh;
  fresh.swap(unfinished_);
  std::sort(fresh.begin(), fresh.end());
  std::vector<uint8_t> is_fresh(bodies_.size(), 0);
  for (int i : fresh) {
    bodies_[i].finished = true;
    is_fresh[i] = 1;
    compute_mass(i);
    for (int shape : body_shapes_[i]) {
      destroy_proxy(shape);
      create_proxy(shape);
    }
  }
  for (int i = 0; i < joint_count(); ++i) {
    Joint& joint = joints_[i];
    if (!joint.alive || !(is_fresh[joint.body_a] || is_fresh[joint.body_b])) continue;
    joint.local_a = joint.given_a - bodies_[joint.body_a].local_center;
    joint.local_b = joint.given_b - bodies_[joint.body_b].local_center;
    joint.spring_mass =
        static_cast<float>(spring_mass(joint, bodies_[joint.body_a], bodies_[joint.body_b],
                                       masses_[joint.body_a], masses_[joint.body_b]));
    // Sleeping bodies that a joint ties together wake together.
    Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
    if (a.island >= 0 && b.island >= 0 && a.island != b.island) {
      int from = b.island, to = a.island;
      for (Body& body : bodies_) {
        if (body.island == from) body.island = to;
      }
    } else if (a.island >= 0 && awake_[joint.body_b]) {
      wake_body(joint.body_a);
    } else if (b.island >= 0 && awake_[joint.body_a]) {
      wake_body(joint.body_b);
    }
    activate_joint(i);
  }
  awake_dirty_ = contacts_dirty_ = true;
}

void World::create_proxy(int index) {
  WorldShape& shape = shapes_[index];
  Body& body = bodies_[shape.body];
  expect_way(shape.body);
  separations_.change_box(index);
  if (!body.collides) return;
  if (body.kind == BodyKind::fixed) {
    shape.fat = shape_box(shape);
    shape.proxy = fixed_tree_.insert(shape.fat, index);
  } else {
    shape.fat = swept_box(shape, shape_box(shape));
    shape.slack = 0.0f;
    shape.proxy = moving_tree_.insert(shape.fat, index);
    if (body.kind == BodyKind::kinematic) {
      shape.kinematic_proxy = kinematic_tree_.insert(shape.fat, index);
    }
  }
  if (!moved_flag_[index]) {
    moved_flag_[index] = 1;
    moved_.push_back(index);
  }
}

void World::destroy_proxy(int index) {
  WorldShape& shape = shapes_[index];
  if (shape.proxy < 0) return;
  (bodies_[shape.body].kind == BodyKind::fixed ? fixed_tree_ : moving_tree_).remove(shape.proxy);
  shape.proxy = -1;
  if (shape.kinematic_proxy >= 0) kinematic_tree_.remove(shape.kinematic_proxy);
  shape.kinematic_proxy = -1;
}

// After a motor, limit or spring was set: the joint may be solved with others now.
void World::regroup_joint(int index) {
  Joint& joint = joints_[index];
  systems_dirty_ = true;
  if (joint.color >= 0 && joint.graph != graph_of(joint)) {
    deactivate_joint(index);
    activate_joint(index);
  }
  wake_body(joint.body_a);
  wake_body(joint.body_b);
  apply_wakes();
}

int World::create_contact(int shape_a, int shape_b) {
  // The order of kinds is the geometry's affair; the order of shapes decides which is A.
  const WorldShape &a = shapes_[shape_a], &b = shapes_[shape_b];
  int index;
  if (free_contacts_.empty()) {
    index = static_cast<int>(contacts_.size());
    contacts_.emplace_back();
    changed_.push_back(0);
    separations_.add_contact();
  } else {
    index = free_contacts_.back();
    free_contacts_.pop_back();
    contacts_[index] = Contact{};
    separations_.forget(index);
  }
  Contact& contact = contacts_[index];
  contact.shape_a = shape_a;
  contact.shape_b = shape_b;
  contact.body_a = a.body;
  contact.body_b = b.body;
  contact.friction = static_cast<float>(mix(definition_.friction_mixing, a.friction, b.friction));
  contact.restitution =
      static_cast<float>(mix(definition_.restitution_mixing, a.restitution, b.restitution));
  float round_a = a.rolling_resistance * a.radius, round_b = b.rolling_resistance * b.radius;
  float larger = std::max(a.rolling_resistance, b.rolling_resistance);
  contact.rolling_resistance =
      std::max(std::max(round_a, round_b), larger * std::max(a.radius, b.radius));
  contact.tangent_speed = a.tangent_speed + b.tangent_speed;
  contact.round_a = a.kind == ShapeKind::circle;
  contact.round_b = b.kind == ShapeKind::circle;
  contact.sensor = a.sensor || b.sensor;
  contact.alive = true;
  contact.active = is_active(contact);
  contacts_dirty_ = true;
  return index;
}

void World::destroy_contact(int index) {
  Contact& contact = contacts_[index];
  if (contact.touching) set_touching(contact, false, step_count_);
  remove_constraint(index);
  pairs_.remove(contact.shape_a, contact.shape_b);
  contact.alive = contact.active = false;
  free_contacts_.push_back(index);
  contacts_dirty_ = true;
}

void World::destroy_contacts_of(const std::vector<uint8_t>& bodies) {
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
    const Contact& contact = contacts_[i];
    if (contact.alive && (bodies[contact.body_a] || bodies[contact.body_b])) destroy_contact(i);
  }
  tell_touching();
}

}  // namespace rigid
