// Heavy things on light parts of mechanisms.
//
// A contact takes the bodies it is between for free. A load on a light shelf, which a weld holds to
// a wall, sees a body that flies away at a touch; weld and contact then hand the load to and fro, a
// little of it in each pass, and the load chatters or falls through. What it ought to see is the
// shelf as the wall holds it. Contacts therefore work with the mass and the moment of inertia that
// a body shows while its mechanism's rigid rows are held; what they have given is put on the body
// itself afterwards, and the mechanism is solved again, so that its joints bear the load.
//
// What a motor without a maximum drives has the speed that the motor wants, whatever it pushes, and
// so contacts see it as they see a wall that moves. Its mechanism bears each of their impulses at
// once, before anything else meets the body with a speed that it never had. That holds for joints
// solved one by one too: a system of their mechanism is kept for it, and solves nothing else.
#include <algorithm>
#include <cmath>

#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

namespace {

// The smallest inverse mass and inertia that are together no less than a response in any direction.
InverseMass bound(const double response[3][3], InverseMass own) {
  const double xx = response[0][0], yy = response[1][1],
               xy = 0.5 * (response[0][1] + response[1][0]);
  const double turn = std::max(response[2][2], 0.0);
  const double half = 0.5 * (xx - yy);
  const double linear = std::max(0.5 * (xx + yy) + std::sqrt(half * half + xy * xy), 0.0);
  const double cx = 0.5 * (response[0][2] + response[2][0]);
  const double cy = 0.5 * (response[1][2] + response[2][1]);
  const double coupling = std::sqrt(cx * cx + cy * cy);
  double mass = linear, inertia = turn;
  if (coupling > 0) {
    const double share = turn > 0 ? std::sqrt(linear / turn) : 1;
    mass = linear + coupling * share;
    inertia = share > 0 ? turn + coupling / share : own.inertia;
  }
  // What is no better than the body's own gains nothing, and leaves the more to the other.
  if (inertia >= own.inertia) {
    const double rest = own.inertia - turn;
    inertia = own.inertia;
    if (coupling > 0) mass = rest > 0 ? linear + coupling * coupling / rest : own.mass;
  } else if (mass >= own.mass) {
    const double rest = own.mass - linear;
    mass = own.mass;
    if (coupling > 0) inertia = rest > 0 ? turn + coupling * coupling / rest : own.inertia;
  }
  return {static_cast<float>(std::min<double>(mass, own.mass)),
          static_cast<float>(std::min<double>(inertia, own.inertia))};
}

// The response to an impulse along `n` at a point, along the same.
double along(const double response[3][3], Vec2 n, Vec2 arm) {
  const double j[3] = {n.x, n.y, cross(arm, n)};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) sum += j[i] * response[i][k] * j[k];
  }
  return sum;
}

// What is a smaller share of a body's own than this does not move it.
constexpr float held_fast = 1e-6f;
// A motor that leaves less than this share of a response has taken the rest.
constexpr double taken_by_motor = 1e-3;

}  // namespace

// Where motors without a maximum are solved one by one: what they drive is to bear what it pushes.
void World::add_driver(const std::vector<int>& mechanism, const KernelContext& context,
                       long& budget) {
  const bool drives = std::any_of(mechanism.begin(), mechanism.end(),
                                  [this](int i) { return has_endless_motor(joints_[i]); });
  if (!drives || static_cast<long>(mechanism.size()) > budget) return;
  JointSystem system(mechanism, context, budget);
  if (system.cost() == 0) return;
  budget -= system.cost();
  system.yield();  // it does not know what else its motors and limits give
  for (int i : mechanism) {
    for (int body : {joints_[i].body_a, joints_[i].body_b}) {
      if (can_move(masses_[body])) driver_of_[body] = static_cast<int>(drivers_.size());
    }
  }
  drivers_.push_back(std::move(system));
}

// The mechanism of a body that bears what contacts give it: solved at once, or kept for that alone.
JointSystem* World::bearer_of(int body) {
  if (system_of_[body] >= 0) return &systems_[system_of_[body]];
  return driver_of_[body] >= 0 ? &drivers_[driver_of_[body]] : nullptr;
}

bool World::is_driven(int body) {
  const JointSystem* system = bearer_of(body);
  return system && system->is_driven();
}

// Whether motors or limits may keep a body where it is.
bool World::is_held(int body) {
  const JointSystem* system = bearer_of(body);
  return system && (system->is_driven() || system->is_firm());
}

// Whether a contact presses, or will within this step.
bool World::presses(const Contact& contact) const {
  const BodyState &a = states_[contact.body_a], &b = states_[contact.body_b];
  for (int i = 0; i < contact.count; ++i) {
    const ContactPoint& point = contact.points[i];
    const Vec2 ra = point.anchor, rb = point.anchor + contact.offset, n = contact.normal;
    const float closing =
        (a.vx - b.vx) * n.x + (a.vy - b.vy) * n.y + a.omega * cross(ra, n) - b.omega * cross(rb, n);
    const float way = static_cast<float>(definition_.dt) * closing;
    if (point.normal_impulse > 0.0f || point.separation < way) return true;
  }
  return false;
}

// Finds the bodies of mechanisms that something much heavier touches, or that motors drive into
// something, in the order of their indices.
std::vector<int> World::find_borrowers() {
  heaviest_touch_.assign(bodies_.size(), 0.0f);
  bool any = false;
  auto touch = [&](int body, int other) {
    const float own = step_masses_[body].mass, mass = step_masses_[other].mass;
    if (!(mass > 0)) return;
    const bool heavy = system_of_[body] >= 0 && mass * constants::heavy_touch < own;
    if (!heavy && !is_driven(body)) return;
    float& least = heaviest_touch_[body];
    if (least == 0.0f || mass < least) least = mass;
    any = true;
  };
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.color < 0) continue;
    touch(contact.body_a, contact.body_b);
    touch(contact.body_b, contact.body_a);
  }
  std::vector<int> found;
  for (int i = 0; any && i < body_count(); ++i) {
    if (heaviest_touch_[i] == 0.0f) continue;
    found.push_back(i);
    if (static_cast<int>(found.size()) >= constants::most_lent) break;
  }
  return found;
}

// How bodies answer with the held rows of their mechanisms.
std::vector<World::Response> World::find_responses(const std::vector<int>& bodies,
                                                   JointSystem::Held held) {
  std::vector<Response> responses(bodies.size());
  std::vector<const JointSystem*> ready;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    JointSystem* system = bearer_of(bodies[i]);
    if (std::find(ready.begin(), ready.end(), system) == ready.end()) {
      system->hold(held);
      ready.push_back(system);
    }
    system->find_response(bodies[i], step_masses_[bodies[i]], responses[i].of);
  }
  return responses;
}

// Motors that press something against what gives way as little as they do: neither can win, and
// contacts see the bodies for what they are.
std::vector<const JointSystem*> World::find_blocked(const std::vector<int>& bodies,
                                                    const std::vector<Response>& driven) {
  std::vector<const JointSystem*> blocked;
  std::vector<Response> rigid;
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.color < 0) continue;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? contact.body_a : contact.body_b;
      const int other = side == 0 ? contact.body_b : contact.body_a;
      if (heaviest_touch_[body] == 0.0f || !is_held(body)) continue;
      if ((can_move(step_masses_[other]) && !is_held(other)) || !presses(contact)) continue;
      const auto at = std::lower_bound(bodies.begin(), bodies.end(), body);
      if (at == bodies.end() || *at != body) continue;
      if (rigid.empty()) rigid = find_responses(bodies, JointSystem::Held::rigid);
      const std::size_t i = at - bodies.begin();
      for (int k = 0; k < contact.count; ++k) {
        const Vec2 arm = contact.points[k].anchor + (side == 0 ? Vec2{0, 0} : contact.offset);
        const double own = step_masses_[body].mass, free = along(rigid[i].of, contact.normal, arm);
        if (!(free > held_fast * own)) continue;
        if (along(driven[i].of, contact.normal, arm) < taken_by_motor * free) {
          blocked.push_back(bearer_of(body));
        }
      }
    }
  }
  return blocked;
}

// What contacts take bodies of mechanisms for in this step.
void World::lend() {
  lent_.clear();
  lent_contacts_.clear();
  if (systems_.empty() && drivers_.empty()) return;
  const std::vector<int> bodies = find_borrowers();
  if (bodies.empty()) return;
  const std::vector<Response> responses = find_responses(bodies, JointSystem::Held::driven);
  const std::vector<const JointSystem*> blocked = find_blocked(bodies, responses);
  contact_masses_ = step_masses_;
  lent_of_.assign(bodies_.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int body = bodies[i];
    JointSystem* system = bearer_of(body);
    if (std::find(blocked.begin(), blocked.end(), system) != blocked.end()) continue;
    const InverseMass own = step_masses_[body];
    InverseMass seen = bound(responses[i].of, own);
    const bool bears = system->is_driven() || system->is_firm();
    if (bears) {
      if (seen.mass < held_fast * own.mass) seen.mass = 0.0f;
      if (seen.inertia < held_fast * own.inertia) seen.inertia = 0.0f;
    } else {
      // More than what touches it would be lost on the contact.
      const float heaviest = heaviest_touch_[body];
      const float extent = std::max(bodies_[body].extent, parameters_.slop);
      seen.mass = std::min(std::max(seen.mass, heaviest), own.mass);
      seen.inertia = std::min(std::max(seen.inertia, heaviest / (extent * extent)), own.inertia);
    }
    if (!(seen.mass < own.mass || seen.inertia < own.inertia)) continue;
    contact_masses_[body] = seen;
    lent_of_[body] = static_cast<int>(lent_.size());
    lent_.push_back({body, own, bears ? system : nullptr, {}, {body, 0, 0, 0}});
  }
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.color < 0) continue;
    const int a = lent_of_[contact.body_a], b = lent_of_[contact.body_b];
    if (a >= 0 || b >= 0) lent_contacts_.push_back({index, a, b, {}});
  }
}

ContactPush World::push_of(const Contact& contact, Share share) const {
  const ColorSpan& color = contact_spans_[span_of_color_[contact.color]];
  const Kernels& kernels = color.single ? *single_ : *kernels_;
  const ReadPush read = parameters_.impulse_solver ? kernels.impulse.read : kernels.read;
  return read(color.span, contact.slot, share == Share::blows);
}

void World::note_lent(Share share) {
  for (Lent& lent : lent_) {
    lent.before = states_[lent.body];
    lent.load = {lent.body, 0, 0, 0};
  }
  if (share != Share::change && share != Share::blows) return;
  for (LentContact& at : lent_contacts_) at.before = push_of(contacts_[at.contact], share);
}

// What contacts have given since note_lent.
void World::collect_pushes(Share share) {
  for (const LentContact& at : lent_contacts_) {
    const ContactPush now = push_of(contacts_[at.contact], share);
    const ContactPush before = share == Share::all ? ContactPush{} : at.before;
    const double x = now.x - before.x, y = now.y - before.y;
    if (at.a >= 0) lent_[at.a].add(-x, -y, now.turn_a - before.turn_a);
    if (at.b >= 0) lent_[at.b].add(x, y, now.turn_b - before.turn_b);
  }
}

// Puts it on the bodies themselves, and on what holds them where a motor drives that.
void World::settle_lent() {
  std::vector<JointSystem*> bearers;
  for (const Lent& lent : lent_) {
    const JointSystem::Load& load = lent.load;
    BodyState& state = states_[lent.body];
    state = lent.before;
    if (load.x == 0 && load.y == 0 && load.turn == 0) continue;
    if (lent.bearer) {
      if (std::find(bearers.begin(), bearers.end(), lent.bearer) == bearers.end()) {
        bearers.push_back(lent.bearer);
      }
      continue;
    }
    state.vx = static_cast<float>(state.vx + lent.own.mass * load.x);
    state.vy = static_cast<float>(state.vy + lent.own.mass * load.y);
    state.omega = static_cast<float>(state.omega + lent.own.inertia * load.turn);
  }
  const KernelContext context = kernel_context();
  std::vector<JointSystem::Load> loads;
  for (JointSystem* bearer : bearers) {
    loads.clear();
    for (const Lent& lent : lent_) {
      if (lent.bearer == bearer) loads.push_back(lent.load);
    }
    bearer->bear(context, loads);
  }
}

void World::store_systems() {
  for_systems(&JointSystem::store);
  for (const JointSystem& driver : drivers_) driver.store(kernel_context());
}

bool World::find_overloads() {
  bool any = false;
  for (JointSystem& system : systems_) any = system.yields() || any;
  return any;
}

// What a step begins with, where it may have to be taken again.
void World::keep_impulses() {
  kept_impulses_.clear();
  const bool firm = std::any_of(lent_.begin(), lent_.end(), [](const Lent& lent) {
    return lent.bearer && lent.bearer->is_firm();
  });
  if (!firm) return;
  kept_joints_ = joints_;
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    KeptImpulses kept{contact.rolling_impulse, {}, {}};
    for (int i = 0; i < 2; ++i) {
      kept.normal[i] = contact.points[i].normal_impulse;
      kept.tangent[i] = contact.points[i].tangent_impulse;
    }
    kept_impulses_.push_back(kept);
  }
}

void World::restore_impulses() {
  joints_ = kept_joints_;
  for (std::size_t k = 0; k < kept_impulses_.size(); ++k) {
    Contact& contact = contacts_[active_contacts_[k]];
    const KeptImpulses& kept = kept_impulses_[k];
    contact.rolling_impulse = kept.rolling;
    for (int i = 0; i < 2; ++i) {
      contact.points[i].normal_impulse = kept.normal[i];
      contact.points[i].tangent_impulse = kept.tangent[i];
    }
  }
}

}  // namespace rigid
