// SPDX-License-Identifier: MIT
// Births of copies of prototypes, with the formulas of core/world/script/spawning.py and
// core/scene/blocks/placement.py.
#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <tuple>

#include "engine/queries/queries.h"
#include "script/grounding.h"
#include "script/runner.h"
#include "script/times.h"
#include "script/turning.h"

namespace rigid::script {

namespace {

struct Direction {
  double x, y;
};

// A direction of the prototype, in the world; the sum leaves no zero with a sign.
Direction directed(const Original& original, Turn turn, double angle, double x, double y) {
  if (original.mirror == 1) x = -x + 0.0;
  if (original.mirror == 2) y = -y + 0.0;
  if (angle == 0.0 || (x == 0.0 && y == 0.0)) return {x, y};
  return {turn.cosine * x - turn.sine * y, turn.sine * x + turn.cosine * y};
}

Numbers world_point(const Bodies& bodies, int slot, double x, double y, const Exact& exact) {
  const Turn turn = turn_of(bodies.angle[slot], exact);
  return {bodies.x[slot] + (turn.cosine * x - turn.sine * y),
          bodies.y[slot] + (turn.sine * x + turn.cosine * y)};
}

Numbers pivot_of(const Spawn& spawn, const std::optional<Given>& given) {
  const bool is_made = given && given->original != nullptr;
  return is_made ? given->pivot : Numbers{spawn.pivot_x, spawn.pivot_y};
}

Numbers center_of(const Bodies& bodies, int slot, const Exact& exact) {
  const Vec2 local = bodies[slot].local_center;
  return world_point(bodies, slot, local.x, local.y, exact);
}

}  // namespace

// The slot of a body, which may be that of an event; -1 for one that is not there.
int Runner::slot_of(const World& world, int owner, const Found* found) const {
  const Bodies& bodies = world.parts().bodies;
  if (owner <= first_own) {
    const auto part = static_cast<std::size_t>(first_own - owner);
    const bool has = copy_ != nullptr && part < copy_->bodies.size();
    return has ? bodies.find(copy_->bodies[part]) : -1;
  }
  if (owner >= 0) return owner < bodies.count() && bodies.alive[owner] ? owner : -1;
  return found == nullptr ? -1 : bodies.find(found->order[owner == first_body ? 1 : 2]);
}

// A place in the world; of a removed body of an event its last one. Nothing where there is none;
// `fails` where it has no value.
std::optional<Numbers> Runner::place_of(World& world, const Spot& spot, const Found* found,
                                        const Exact& exact, bool& fails) {
  std::optional<Numbers> at;
  fails = false;
  if (spot.where == Where::mouse) return pulled_to(world);
  if (spot.where == Where::point) {
    at = value(world, spot.at, found, exact);
    fails = !at;
    return at;
  }
  if (spot.where != Where::body) {
    fails = found == nullptr || found->given < 2;
    if (!fails) at = Numbers{found->values[0], found->values[1]};
    return at;
  }
  const int slot = slot_of(world, spot.owner, found);
  const Bodies& bodies = world.parts().bodies;
  if (slot < 0) {
    const bool is_of_event =
        spot.owner < 0 && spot.owner > first_own && spot.is_origin && found != nullptr;
    return is_of_event ? kept_place(spot.owner) : std::nullopt;
  }
  if (spot.is_origin) return Numbers{bodies.x[slot], bodies.y[slot]};
  return world_point(bodies, slot, spot.x, spot.y, exact);
}

// Works out where a copy is put. `fails` where a number has no value.
std::optional<Pose> Runner::placement(World& world, const Spawn& spawn, const Found* found,
                                      const Exact& exact, bool& fails) {
  fails = true;
  std::optional<Numbers> at;
  world.finish();
  at = place_of(world, spawn.spot, found, exact, fails);
  if (fails) return std::nullopt;
  if (spawn.spot.where == Where::point) at_ = at;
  fails = true;
  std::optional<double> given = number(world, spawn.angle, found, exact);
  if (!given) return std::nullopt;
  std::optional<Numbers> moving = value(world, spawn.velocity, found, exact);
  if (!moving) return std::nullopt;
  if (copy_ != nullptr) place_birth(spawn, at, *given, *moving);
  fails = false;
  Pose pose{0.0, 0.0, *given, (*moving)[0], (*moving)[1], 0.0};
  const int frame = spawn.has_frame ? slot_of(world, spawn.frame, found) : -1;
  if ((spawn.has_frame && frame < 0) || !at) return std::nullopt;
  if (frame >= 0) {
    const Bodies& bodies = world.parts().bodies;
    if (spawn.spot.where == Where::point)
      at = world_point(bodies, frame, (*at)[0], (*at)[1], exact);
    const double angle = bodies.angle[frame], omega = bodies.states[frame].omega;
    const Turn turn = turn_of(angle, exact);
    const auto [vx, vy] = *moving;
    pose.vx = turn.cosine * vx - turn.sine * vy;
    pose.vy = turn.sine * vx + turn.cosine * vy;
    const Numbers center = center_of(bodies, frame, exact);  // v + omega x r
    pose.vx += bodies.states[frame].vx - omega * ((*at)[1] - center[1]);
    pose.vy += bodies.states[frame].vy + omega * ((*at)[0] - center[0]);
    pose.angle += angle;
    pose.spin = omega;
  }
  pose.x = (*at)[0];
  pose.y = (*at)[1];
  return pose;
}

const Original& Runner::original_of(const Spawn& spawn) const {
  const bool is_made = given_ && given_->original != nullptr;
  return is_made ? *given_->original : program_->originals[spawn.original];
}

std::vector<Motion> Runner::motions_of(const Spawn& spawn, const Pose& pose,
                                       const Exact& exact) const {
  const Original& original = original_of(spawn);
  const Turn turn = pose.angle == 0.0 ? Turn{1.0, 0.0} : turn_of(pose.angle, exact);
  const Numbers pivot = pivot_of(spawn, given_);
  std::vector<Motion> motions;
  for (const Part& part : original.parts) {
    const Direction moving = directed(original, turn, pose.angle, part.vx, part.vy);
    const double dx = (part.x - pivot[0]) * original.scale;
    const double dy = (part.y - pivot[1]) * original.scale;
    const Direction place = directed(original, turn, pose.angle, dx, dy);
    motions.emplace_back(pose.x + place.x, pose.y + place.y, pose.angle + part.angle,
                         part.moves ? moving.x + pose.vx : 0.0,
                         part.moves ? moving.y + pose.vy : 0.0);
  }
  return motions;
}

// Whether none of the new shapes would be where another one is.
bool Runner::is_free(World& world, const Spawn& spawn, std::span<const Motion> motions,
                     const Exact& exact) {
  const Original& original = original_of(spawn);
  const Broadphase& broadphase = world.refreshed_broadphase();
  const WorldParts& parts = world.parts();
  auto solid = original.solids.begin();
  for (std::size_t part = 0; part < original.parts.size(); ++part) {
    ++tries_now_;
    const auto& [x, y, angle, vx, vy] = motions[part];
    const Turn turn = turn_of(angle, exact);
    for (; solid != original.solids.end() && solid->part == static_cast<int>(part); ++solid) {
      std::vector<Vec2> corners;
      for (std::size_t k = 0; k < solid->corners.size(); k += 2) {
        double cx = solid->corners[k], cy = solid->corners[k + 1];
        if (angle != 0.0 && !(cx == 0.0 && cy == 0.0)) {
          std::tie(cx, cy) =
              std::pair(turn.cosine * cx - turn.sine * cy, turn.sine * cx + turn.cosine * cy);
        }
        corners.push_back({static_cast<float>(cx), static_cast<float>(cy)});
      }
      const auto radius = static_cast<float>(solid->radius);
      if (!overlap_solids(parts.bodies, parts.shapes, broadphase, corners, radius, x, y,
                          ~uint64_t{0})
               .empty()) {
        return false;
      }
    }
  }
  return true;
}

// Lets a copy be born, if there is place for it; nothing where the host has to.
std::optional<std::vector<int64_t>> Runner::spawn(World& world, const Spawn& spawn,
                                                  const Found* found, const Exact& exact) {
  const std::vector<int64_t> uses = state_.uses;
  const int births = births_now_, tries = tries_now_;
  const auto leave = [&]() -> std::optional<std::vector<int64_t>> {
    state_.uses = uses;
    births_now_ = births;
    tries_now_ = tries;
    return std::nullopt;
  };
  if (++births_now_ > program_->limits.births_at_once) {
    fail(Fault::births_at_once);
    return leave();
  }
  if (spawn.original == none && !asks_for(world, spawn, found, exact)) return leave();
  const auto done = [&](std::vector<int64_t> bodies) {
    given_.reset();
    return bodies;
  };
  at_.reset();
  for (int i = 0; i < spawn.tries; ++i) {
    bool fails = false;
    const std::optional<Pose> pose = placement(world, spawn, found, exact, fails);
    if (fails) return leave();
    std::optional<double> lifetime = no_number;
    const bool is_early = copy_ != nullptr && spawn.ends;  // drawn at each try
    if (is_early) lifetime = number(world, spawn.lifetime, found, exact);
    if (!lifetime) return leave();
    if (!pose) return done({});
    if (spawn.if_free) {
      const bool is = is_free(world, spawn, motions_of(spawn, *pose, exact), exact);
      if (tries_now_ > program_->limits.tries_at_once) {
        fail(Fault::tries_at_once);
        return leave();
      }
      if (!is) continue;
    }
    if (spawn.ends && !is_early) lifetime = number(world, spawn.lifetime, found, exact);
    if (!lifetime) return leave();
    const std::optional<std::vector<Birth>> born =
        put(world, spawn, {&*pose, 1}, {&*lifetime, 1}, exact);
    if (!born) return leave();
    return done(born->front().bodies);
  }
  return done({});
}

// Lets several copies be born of which none depends on the one before it; their number, or nothing
// where the host has to.
std::optional<int> Runner::spawn_together(World& world, const Spawn& spawn, int count,
                                          const Exact& exact) {
  const std::vector<int64_t> uses = state_.uses;
  const auto leave = [&]() -> std::optional<int> {
    state_.uses = uses;
    return std::nullopt;
  };
  if (births_now_ + count > program_->limits.births_at_once) {
    fail(Fault::births_at_once);
    return leave();
  }
  std::vector<Pose> poses;
  std::vector<double> lifetimes;
  for (int i = 0; i < count; ++i) {
    bool fails = false;
    at_.reset();
    const std::optional<Pose> pose = placement(world, spawn, nullptr, exact, fails);
    if (fails) return leave();
    if (pose) poses.push_back(*pose);
  }
  for (std::size_t i = 0; i < poses.size(); ++i) {
    std::optional<double> lifetime = no_number;
    if (spawn.ends) lifetime = number(world, spawn.lifetime, nullptr, exact);
    if (!lifetime) return leave();
    lifetimes.push_back(*lifetime);
  }
  if (!poses.empty() && !put(world, spawn, poses, lifetimes, exact)) return leave();
  given_.reset();
  births_now_ += count;
  return static_cast<int>(poses.size());
}

// Puts copies into the world; nothing where the host has to, and nothing has changed then.
std::optional<std::vector<Birth>> Runner::put(World& world, const Spawn& spawn,
                                              std::span<const Pose> poses,
                                              std::span<const double> lifetimes,
                                              const Exact& exact) {
  const Original& original = original_of(spawn);
  const std::size_t each = original.parts.size();
  const auto coming = static_cast<int64_t>(each * poses.size());
  const int64_t step = now(world);
  const Limits& limits = program_->limits;
  if (state_.births + coming > limits.births) {
    fail(Fault::births);
    return std::nullopt;
  }
  if (world.parts().bodies.count() + coming > limits.bodies &&  // most slots are taken
      there(world) + coming > limits.bodies) {
    fail(Fault::bodies);
    return std::nullopt;
  }
  const auto living = static_cast<int64_t>(state_.born.size());
  if (has_hosts && original.emits && living + coming > limits.emitting &&
      !(given_ && given_->consents)) {
    const auto place = static_cast<int>(&spawn - program_->spawns.data());
    request_ = Request{Task::consent, place, {static_cast<double>(poses.size())}, {}};
    return std::nullopt;
  }
  std::vector<Motion> motions;
  for (const Pose& pose : poses) {
    for (const Motion& motion : motions_of(spawn, pose, exact)) motions.push_back(motion);
  }
  Added added;
#ifndef RIGID_SMALL
  std::vector<Mount> mounts;
#endif
  try {
    std::vector<JointRow> joints = joints_of(world, original, motions);
    std::vector<ForceRow> forces;
#ifndef RIGID_SMALL
    ground(original, pivot_of(spawn, given_), poses, motions, joints, exact);
    mounts = mounts_of(world, original, poses, exact);
    const auto size = static_cast<int>(motions.size());
    mount_rows(mounts, world.parts().bodies.slots.next(size), joints, forces);
#endif
#ifdef RIGID_SMALL
    added = add_copies(world, *original.mould, motions, {joints, forces});
#else
    const std::span<const ForceRow> own = engine() == nullptr ? forces : no_forces;
    added = with_forces(forces, add_copies(world, *original.mould, motions, {joints, own}));
#endif
  } catch (const std::invalid_argument&) {
    refuse_birth(spawn, poses);
    return std::nullopt;
  }
  std::vector<Birth> births(poses.size());
  const std::size_t joints = original.joints.size(), points = original.mould->points.size();
#ifndef RIGID_SMALL
  mount(world, each, mounts, added, joints * poses.size(), births);
#endif
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Pose& pose = poses[i];
    const auto part = [&](const auto& all, std::size_t size) {
      return std::vector(all.begin() + i * size, all.begin() + (i + 1) * size);
    };
    Birth& birth = births[i];
    birth.spawn = static_cast<int>(&spawn - program_->spawns.data());
    birth.count = state_.counts[spawn.name]++;
    birth.pose = {pose.x, pose.y, pose.angle, pose.vx, pose.vy};
    birth.bodies = part(added.bodies, each);
    birth.joints = part(added.joints, joints);
    birth.points = part(added.points, points);
    for (std::size_t k = 0; k < each; ++k) {
      const Part& own = original.parts[k];
      take_in({birth.bodies[k], spawn.name}, own.tags);
      if (own.form != nullptr) learn(birth.bodies[k], own.form);
      if (own.breakable != nullptr || awaits_bodies()) {
        const std::string name = program_->texts[program_->names[spawn.name]] + "[" +
                                 std::to_string(birth.count) + "]." + own.name;
        find_pulled(birth.bodies[k], name);
        if (own.breakable != nullptr) {
          Breaking& breaking = state_.breaking[birth.bodies[k]];
          breaking = {name, own.breakable};
          for (int end : {0, 1}) {
            if (own.along[end] != none) breaking.along[end] = birth.bodies[own.along[end]];
          }
        }
      }
      if (pose.spin != 0.0) turn(world, birth.bodies[k], original.parts[k], pose, exact);
    }
    if (spawn.ends) end_later(step, lifetimes[i], birth.bodies);
    if (original.plan != none) begin_copy(world, birth, exact);
    note({step, static_cast<int>(News::birth), static_cast<int64_t>(births_.size()), -1});
    births_.push_back(birth);
  }
  state_.births += coming;
  changed_ = true;
  return births;
}

void Runner::refuse_birth(const Spawn& spawn, std::span<const Pose> poses) {
  fail(Fault::birth, {}, static_cast<int>(&spawn - program_->spawns.data()));
#ifndef RIGID_SMALL
  for (const auto& [x, y, angle, vx, vy, spin] : poses) {
    failure_.numbers.insert(failure_.numbers.end(), {x, y, angle, vx, vy});
  }
#endif
}

// Rows of the joints of copies, for the bodies with these motions, which are born next.
std::vector<JointRow> Runner::joints_of(const World& world, const Original& original,
                                        std::span<const Motion> motions) const {
  std::vector<JointRow> rows;
  if (original.joints.empty()) return rows;
  const std::size_t parts = original.parts.size(), count = original.joints.size();
  const std::size_t copies = motions.size() / parts;
  const std::vector<int> bodies = world.parts().bodies.slots.next(static_cast<int>(motions.size()));
  const std::vector<int> slots =
      world.parts().joints.slots().next(static_cast<int>(copies * count));
  for (std::size_t copy = 0; copy < copies; ++copy) {
    for (JointRow row : original.joints) {
      const std::size_t a = copy * parts + row.body_a, b = copy * parts + row.body_b;
      row.reference_angle = std::get<2>(motions[b]) - std::get<2>(motions[a]);
      row.body_a = bodies[a];
      row.body_b = bodies[b];
      for (auto* link : {&row.linked_a, &row.linked_b}) {
        if (*link > 0) *link = slots[copy * count + *link - 1] + 1;
      }
      rows.push_back(row);
    }
  }
  return rows;
}

// The number of bodies that are there, but for `world`.
int64_t Runner::there(const World& world) {
  const Bodies& bodies = world.parts().bodies;
  int64_t found = -1;
  for (int body = 0; body < bodies.count(); ++body) found += bodies.alive[body] != 0 ? 1 : 0;
  return found;
}

// Takes notice of a new body.
void Runner::take_in(const Born& born, const Tags& tags) {
  const int64_t id = born.id;
  const int64_t slot = Slots::slot_of(id);
  if (slot >= static_cast<int64_t>(state_.tags.size())) state_.tags.resize(slot + 1);
  state_.tags[slot] = tags;
  state_.born.push_back(born);
  const std::vector<int>& leaves = program_->by_kind[static_cast<int>(Kind::leave)];
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const int tag = program_->rules[leaves[i]].who.at(0).tag;
    if (tags.has(tag)) state_.members[i].push_back(id);
  }
}

// Gives a new body the rotation of the frame about its place.
void Runner::turn(World& world, int64_t id, const Part& part, const Pose& pose,
                  const Exact& exact) {
  if (!part.moves) return;
  const int slot = static_cast<int>(Slots::slot_of(id));
  const Bodies& bodies = world.parts().bodies;
  const Numbers center = center_of(bodies, slot, exact);
  const BodyState state = bodies.states[slot];
  const double vx = state.vx - pose.spin * (center[1] - pose.y);
  const double vy = state.vy + pose.spin * (center[0] - pose.x);
  const double omega = state.omega + (part.turns ? pose.spin : 0.0);
  world.set_velocity(slot, static_cast<float>(vx), static_cast<float>(vy),
                     static_cast<float>(omega));
  tell(scene(world), Change::moved, id);
}

// ------------------------------------------------------------ spawners

// Does what comes after the actions of a step; what is left for the host, if anything: a spawner,
// those of copies behind the scene's, and how many of its births are done. `begun` is that of the
// last stop.
std::optional<Stop> Runner::do_after(World& world, int64_t step, const Stop& begun,
                                     const Exact& exact) {
  end_lives(world, step);
  const auto count = static_cast<int>(program_->spawners.size());
  for (int i = begun.turn; i < count; ++i) {
    const Spawner& spawner = program_->spawners[i];
    const auto due =
        static_cast<int>(std::min(births_due(spawner, step, program_->dt), never >> 32));
    const Brood brood{state_.spawned[i], state_.living[i], state_.counted[i]};
    const int first = i == begun.turn ? begun.action : 0;
    if (const auto done = spawn_due(world, spawner, first, due, brood, exact)) {
      return Stop{Reason::after, i, *done};
    }
  }
  return spawn_of_copies(world, step, begun, exact);
}

// Does the births of a spawner; how many are done where the host has to go on.
std::optional<int> Runner::spawn_due(World& world, const Spawner& spawner, int first, int due,
                                     const Brood& brood, const Exact& exact) {
  const auto left = [&] { return spawner.most < 0 ? int64_t{due} : spawner.most - brood.spawned; };
  if (due <= first || left() < 1) return std::nullopt;
  const Spawn& one = program_->spawns[spawner.spawn];
  for (int done = first; done < due && left() > 0;) {
    if (spawner.together && due - done > 1) {
      const int count = static_cast<int>(std::min(int64_t{due - done}, left()));
      const std::optional<int> born = spawn_together(world, one, count, exact);
      if (!born) return done;
      brood.spawned += *born;
      done += count;
      continue;
    }
    if (spawner.alive >= 0) {
      const Bodies& bodies = world.parts().bodies;
      brood.counted = 1;
      std::erase_if(brood.living, [&](const auto& birth) {
        return std::none_of(birth.begin(), birth.end(),
                            [&](int64_t id) { return bodies.find(id) >= 0; });
      });
      if (static_cast<int64_t>(brood.living.size()) >= spawner.alive) break;
    }
    const std::vector<int64_t> uses = state_.uses;
    if (spawner.guard != none) {
      const std::optional<double> may =
          evaluate(world, program_->expressions[spawner.guard], nullptr, exact);
      if (!may) {
        state_.uses = uses;
        return done;
      }
      if (*may == 0.0) break;
    }
    const auto born = spawn(world, one, nullptr, exact);
    if (!born) {
      state_.uses = uses;
      return done;
    }
    if (!born->empty()) {
      ++brood.spawned;
      if (spawner.alive >= 0) brood.living.push_back(*born);
    }
    ++done;
  }
  return std::nullopt;
}

}  // namespace rigid::script
