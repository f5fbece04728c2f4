// SPDX-License-Identifier: MIT
// The search for loaded bodies, their effective masses, and the transfer of impulses.
#include "engine/mechanisms/effective_masses.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"
#include "prefetch.h"

namespace rigid {

namespace {

constexpr int kept_piece = 512, kept_ahead = 12;  // contacts per piece of work, and prefetched

// The smallest inverse mass and inertia that bound a response from above in every direction.
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
  // A bound no better than the body's own is replaced by it, which leaves more to the other bound.
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

// The response to an impulse along `n` at a point, in the same direction.
double along(const double response[3][3], Vec2 n, Vec2 arm) {
  const double j[3] = {n.x, n.y, cross(arm, n)};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) sum += j[i] * response[i][k] * j[k];
  }
  return sum;
}

}  // namespace

// Whether a contact presses, or will press within this step.
bool EffectiveMasses::presses(const Contact& contact) const {
  const BodyState &a = bodies_.states[contact.body_a], &b = bodies_.states[contact.body_b];
  for (int i = 0; i < contact.count; ++i) {
    const ContactPoint& point = contact.points[i];
    const Vec2 ra = point.anchor, rb = point.anchor + contact.offset, n = contact.normal;
    const float closing =
        (a.vx - b.vx) * n.x + (a.vy - b.vy) * n.y + a.omega * cross(ra, n) - b.omega * cross(rb, n);
    const float approach = parameters_.dt * closing;
    if (point.normal_impulse > 0.0f || point.separation < approach) return true;
  }
  return false;
}

// Finds the bodies of mechanisms that a much heavier body touches, or that motors drive into
// something, in the order of their indices.
std::vector<int> EffectiveMasses::find_loaded() {
  heaviest_touch_.assign(bodies_.size(), 0.0f);
  bool any = false;
  auto touch = [&](int body, int other) {
    const float own = bodies_.step_inverse_masses[body].mass,
                mass = bodies_.step_inverse_masses[other].mass;
    if (!(mass > 0)) return;
    const bool heavy = mechanisms_.is_solved_at_once(body) && mass * constants::heavy_touch < own;
    if (!heavy && !mechanisms_.is_driven(body)) return;
    float& least = heaviest_touch_[body];
    if (least == 0.0f || mass < least) least = mass;
    any = true;
  };
  for (int index : mechanisms_.borne_contacts()) {
    const Contact& contact = contacts_[index];
    touch(contact.body_a, contact.body_b);
    touch(contact.body_b, contact.body_a);
  }
  std::vector<int> found;
  for (int i = 0; any && i < bodies_.count(); ++i) {
    if (heaviest_touch_[i] == 0.0f) continue;
    found.push_back(i);
    if (static_cast<int>(found.size()) >= constants::most_loaded) break;
  }
  return found;
}

// The responses of bodies with the held rows of their mechanisms.
std::vector<EffectiveMasses::Response> EffectiveMasses::find_responses(
    const std::vector<int>& bodies, JointSystem::Held held) {
  std::vector<Response> responses(bodies.size());
  std::vector<const JointSystem*> ready;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    JointSystem* system = mechanisms_.bearer_of(bodies[i]);
    if (std::find(ready.begin(), ready.end(), system) == ready.end()) {
      system->hold(held);
      ready.push_back(system);
    }
    system->find_response(bodies[i], bodies_.step_inverse_masses[bodies[i]], responses[i].of);
  }
  return responses;
}

// Finds motors that press against something that yields as little as they do: neither can win, and
// contacts use the bodies' own masses.
std::vector<const JointSystem*> EffectiveMasses::find_blocked(const std::vector<int>& bodies,
                                                              const std::vector<Response>& driven) {
  std::vector<const JointSystem*> blocked;
  std::vector<Response> rigid;
  for (int index : mechanisms_.borne_contacts()) {
    const Contact& contact = contacts_[index];
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? contact.body_a : contact.body_b;
      const int other = side == 0 ? contact.body_b : contact.body_a;
      if (heaviest_touch_[body] == 0.0f || !mechanisms_.is_held(body)) continue;
      if ((can_move(bodies_.step_inverse_masses[other]) && !mechanisms_.is_held(other)) ||
          !presses(contact))
        continue;
      const auto at = std::lower_bound(bodies.begin(), bodies.end(), body);
      if (at == bodies.end() || *at != body) continue;
      if (rigid.empty()) rigid = find_responses(bodies, JointSystem::Held::rigid);
      const std::size_t i = at - bodies.begin();
      for (int k = 0; k < contact.count; ++k) {
        const Vec2 arm = contact.points[k].anchor + (side == 0 ? Vec2{0, 0} : contact.offset);
        const double own = bodies_.step_inverse_masses[body].mass,
                     free = along(rigid[i].of, contact.normal, arm);
        if (!(free > constants::held_fast * own)) continue;
        if (along(driven[i].of, contact.normal, arm) < constants::taken_by_motor * free) {
          blocked.push_back(mechanisms_.bearer_of(body));
        }
      }
    }
  }
  return blocked;
}

// Finds the masses that contacts use for bodies of mechanisms in this step.
void EffectiveMasses::find_effective_masses() {
  loaded_.clear();
  loaded_contacts_.clear();
  if (!mechanisms_.any()) return;
  const std::vector<int> bodies = find_loaded();
  if (bodies.empty()) return;
  const std::vector<Response> responses = find_responses(bodies, JointSystem::Held::driven);
  const std::vector<const JointSystem*> blocked = find_blocked(bodies, responses);
  contact_masses_ = bodies_.step_inverse_masses;
  loaded_of_.assign(bodies_.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int body = bodies[i];
    JointSystem* system = mechanisms_.bearer_of(body);
    if (std::find(blocked.begin(), blocked.end(), system) != blocked.end()) continue;
    const InverseMass own = bodies_.step_inverse_masses[body];
    InverseMass seen = bound(responses[i].of, own);
    const bool bears = system->is_driven() || system->is_firm();
    if (bears) {
      if (seen.mass < constants::held_fast * own.mass) seen.mass = 0.0f;
      if (seen.inertia < constants::held_fast * own.inertia) seen.inertia = 0.0f;
    } else {
      // A mass beyond the heaviest touching body would be lost to rounding in the contact.
      const float heaviest = heaviest_touch_[body];
      const float extent = std::max(bodies_[body].extent, parameters_.slop);
      seen.mass = std::min(std::max(seen.mass, heaviest), own.mass);
      seen.inertia = std::min(std::max(seen.inertia, heaviest / (extent * extent)), own.inertia);
    }
    if (!(seen.mass < own.mass || seen.inertia < own.inertia)) continue;
    contact_masses_[body] = seen;
    loaded_of_[body] = static_cast<int>(loaded_.size());
    loaded_.push_back({body, own, bears ? system : nullptr, {}, {body, 0, 0, 0}});
  }
  contacts_.for_solved([this](int contact, int body_a, int body_b) {
    const int a = loaded_of_[body_a], b = loaded_of_[body_b];
    if (a >= 0 || b >= 0) loaded_contacts_.push_back({contact, a, b, {}});
  });
}

void EffectiveMasses::note(Share share) {
  for (Loaded& loaded : loaded_) {
    loaded.before = bodies_.states[loaded.body];
    loaded.load = {loaded.body, 0, 0, 0};
  }
  if (share != Share::change && share != Share::blows) return;
  for (LoadedContact& at : loaded_contacts_)
    at.before = lanes_.push_of(contacts_[at.contact], share == Share::blows);
}

// Collects the contact impulses since `note`.
void EffectiveMasses::collect_pushes(Share share) {
  for (const LoadedContact& at : loaded_contacts_) {
    const ContactPush now = lanes_.push_of(contacts_[at.contact], share == Share::blows);
    const ContactPush before = share == Share::all ? ContactPush{} : at.before;
    const double x = now.x - before.x, y = now.y - before.y;
    if (at.a >= 0) loaded_[at.a].add(-x, -y, now.turn_a - before.turn_a);
    if (at.b >= 0) loaded_[at.b].add(x, y, now.turn_b - before.turn_b);
  }
}

// Applies them to the bodies themselves, and to the mechanism that holds a body driven by a motor.
void EffectiveMasses::apply_pushes() {
  std::vector<JointSystem*> bearers;
  for (const Loaded& loaded : loaded_) {
    const JointSystem::Load& load = loaded.load;
    BodyState& state = bodies_.states[loaded.body];
    state = loaded.before;
    if (load.x == 0 && load.y == 0 && load.turn == 0) continue;
    if (loaded.bearer) {
      if (std::find(bearers.begin(), bearers.end(), loaded.bearer) == bearers.end()) {
        bearers.push_back(loaded.bearer);
      }
      continue;
    }
    state.vx = static_cast<float>(state.vx + loaded.own.mass * load.x);
    state.vy = static_cast<float>(state.vy + loaded.own.mass * load.y);
    state.omega = static_cast<float>(state.omega + loaded.own.inertia * load.turn);
  }
  const KernelContext context = lanes_.context();
  std::vector<JointSystem::Load> loads;
  for (JointSystem* bearer : bearers) {
    loads.clear();
    for (const Loaded& loaded : loaded_) {
      if (loaded.bearer == bearer) loads.push_back(loaded.load);
    }
    bearer->bear(context, loads);
  }
}

// Keeps the impulses at the step's start, if the step may have to be repeated.
void EffectiveMasses::keep_impulses(bool firm) {
  kept_impulses_.clear();
  kept_joints_.clear();
  firm = firm || std::any_of(loaded_.begin(), loaded_.end(), [](const Loaded& loaded) {
           return loaded.bearer && loaded.bearer->is_firm();
         });
  if (!firm) return;
  kept_joints_ = joints_.all();
  contacts_.for_solved(
      [this](int index, int, int) { kept_impulses_.emplace_back().contact = index; });
  const int count = static_cast<int>(kept_impulses_.size());
  pool_.run(count, kept_piece, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      if (k + kept_ahead < last) {
        const Contact& next = contacts_[kept_impulses_[k + kept_ahead].contact];
        prefetch_to_read(&next.points[0]);
        prefetch_to_read(&next.rolling_impulse);
      }
      KeptImpulses& kept = kept_impulses_[k];
      const Contact& contact = contacts_[kept.contact];
      kept.rolling = contact.rolling_impulse;
      for (int i = 0; i < 2; ++i) {
        kept.normal[i] = contact.points[i].normal_impulse;
        kept.tangent[i] = contact.points[i].tangent_impulse;
      }
    }
  });
}

// A motor that seemed to hold in no joint may have come to hold within the step, or through the
// added inertia of a jerk: then the step is repeated from the impulses that it started with.
void EffectiveMasses::restore_impulses() {
  if (kept_joints_.empty()) return;
  joints_.all() = kept_joints_;
  for (const KeptImpulses& kept : kept_impulses_) {
    Contact& contact = contacts_[kept.contact];
    contact.rolling_impulse = kept.rolling;
    for (int i = 0; i < 2; ++i) {
      contact.points[i].normal_impulse = kept.normal[i];
      contact.points[i].tangent_impulse = kept.tangent[i];
    }
  }
}

void EffectiveMasses::add(int body, double x, double y, double turn) {
  if (const int at = loaded_of_[body]; at >= 0) loaded_[at].add(x, y, turn);
}

KernelContext EffectiveMasses::contact_context() {
  return empty() ? lanes_.context() : lanes_.context(contact_masses_.data());
}

}  // namespace rigid
