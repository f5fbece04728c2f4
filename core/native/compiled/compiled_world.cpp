// SPDX-License-Identifier: MIT
// The world of a compiled scene: its building, its steps and the hand of a player.
#include "compiled/compiled_world.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "compiled/layout.h"
#include "engine/building/checked_numbers.h"
#include "engine/building/read_rows.h"
#include "engine/data/kernels.h"
#include "engine/queries/queries.h"
#include "geometry/shape.h"

namespace rigid {

namespace {

constexpr double most_steps = 2e9;

void check_layout(const Container& container) {
  const auto layout = container.rows<uint64_t>("layout");
  if (layout.size() != 1 || layout[0] != compiled_layout()) {
    throw DamagedScene("this scene was compiled by another version of rigid: compile it again");
  }
}

void read_pools(const Container& container, WorldDefinition& d) {
  const auto numbers = container.rows<double>("pools");
  if (numbers.size() % 7 != 0) throw DamagedScene("the compiled scene is damaged: pools");
  for (std::size_t i = 0; i < numbers.size(); i += 7) {
    const double* n = numbers.data() + i;
    for (int side = 0; side < 4; ++side) finite(n[side], "a side of a pool");
    d.pools.push_back({n[0], n[1], n[2], n[3], not_negative(n[4], "density"),
                       not_negative(n[5], "damping"), not_negative(n[6], "drag")});
  }
}

// A category to a row of bits, of which there are none or 64.
void read_matrix(const Container& container, World& world) {
  const auto rows = container.rows<uint64_t>("matrix");
  if (rows.empty()) return;
  if (rows.size() != 64) throw DamagedScene("the compiled scene is damaged: matrix");
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < i; ++j) {
      if ((rows[i] >> j & 1) != (rows[j] >> i & 1)) {
        throw std::invalid_argument("the collision matrix must be symmetric");
      }
    }
  }
  world.set_collision_matrix({rows.begin(), rows.end()});
}

void read_ignored(const Container& container, World& world) {
  const auto pairs = container.rows<int32_t>("ignored");
  if (pairs.size() % 2 != 0) throw DamagedScene("the compiled scene is damaged: ignored");
  for (const int32_t body : pairs) check_index(body, world.parts().bodies.count(), "body");
  for (std::size_t i = 0; i < pairs.size(); i += 2) world.ignore_pair(pairs[i], pairs[i + 1]);
}

void check_switches(std::span<const SwitchRow> switches, const World& world) {
  double before = 0;
  for (const SwitchRow& row : switches) {
    if (!(row.step >= before && row.step <= most_steps) || row.step != std::floor(row.step)) {
      throw DamagedScene("the compiled scene is damaged: switches");
    }
    before = row.step;
    finite(row.x, "x");
    limit(row.y, "y");
    finite(row.torque, "torque");
    const int kind = whole(row.kind, 0, 1, "kind");
    if (kind == 0) {
      finite(row.y, "y");
      check_index(row.slot, world.parts().forces.count(), "force");
    } else {
      check_index(row.slot, world.parts().joints.count(), "joint");
      check_index(row.body, world.parts().bodies.count(), "body");
    }
  }
}

}  // namespace

std::unique_ptr<World> build_world(const Container& container, int lanes) {
  check_layout(container);
  WorldDefinition d = read_setting_numbers(container.rows<double>("settings"));
  read_pools(container, d);
  d.lanes = lanes;
  if (lanes != 0 && !find_kernels(lanes)) throw std::invalid_argument("there are no such lanes");
  auto world = std::make_unique<World>(d);
  read_matrix(container, *world);
  const auto corners = container.rows<double>("corners");
  if (corners.size() % 2 != 0) throw DamagedScene("the compiled scene is damaged: corners");
  add_bodies(*world, container.rows<BodyRow>("bodies"));
  add_shapes(*world, container.rows<ShapeRow>("shapes"), corners);
  add_joints(*world, container.rows<JointRow>("joints"));
  set_bars(*world, container.rows<BarRow>("bars"));
  add_points(*world, container.rows<PointRow>("points"));
  read_ignored(container, *world);
  add_joints(*world, container.rows<JointRow>("actuator_joints"));
  add_forces(*world, container.rows<ForceRow>("forces"));
  world->finish();
  world->keep_slots();
  return world;
}

CompiledWorld::CompiledWorld(std::span<const std::byte> bytes, int lanes)
    : container_(bytes),
      world_(build_world(container_, lanes)),
      switches_(container_.rows<SwitchRow>("switches")) {
  check_switches(switches_, *world_);
  do_switches(0);
}

int CompiledWorld::step(int steps) {
  int done = 0;
  while (done < steps) {
    const int now = world_->parts().clock.steps;
    if (now > 0) do_switches(now);
    const int stretch = next_switch(now, now + (steps - done)) - now;
    const int stepped = world_->step(stretch);
    done += stepped;
    if (stepped < stretch) break;
  }
  return done;
}

void CompiledWorld::do_switches(int step) {
  const auto first = std::lower_bound(switches_.begin(), switches_.end(), step,
                                      [](const SwitchRow& row, int at) { return row.step < at; });
  for (auto row = first; row != switches_.end() && row->step == step; ++row) {
    if (row->kind == 0) {
      if (!world_->parts().forces.all()[row->slot].alive) continue;
      world_->set_force(row->slot, static_cast<float>(row->x), static_cast<float>(row->y),
                        static_cast<float>(row->torque), row->enabled != 0);
    } else if (world_->parts().bodies.alive[row->body] && world_->parts().joints[row->slot].alive) {
      const JointChange::Motor motor{static_cast<float>(row->x), static_cast<float>(row->y)};
      world_->set_joint(row->slot, {.motor = motor});
    }
  }
}

// The first step after this one, and at most `end`, before which something is switched.
int CompiledWorld::next_switch(int step, int end) const {
  const auto next = std::upper_bound(switches_.begin(), switches_.end(), step,
                                     [](int at, const SwitchRow& row) { return at < row.step; });
  return next == switches_.end() || next->step >= end ? end : static_cast<int>(next->step);
}

int64_t CompiledWorld::grab(int body, double point_x, double point_y, double x, double y,
                            double force) {
  const auto hand = container_.rows<JointRow>("hand");
  if (hand.size() != 1) throw std::invalid_argument("the bodies of this scene cannot be pulled");
  const Bodies& bodies = world_->parts().bodies;
  check_index(body, bodies.count(), "body");
  if (!bodies.alive[body] || bodies[body].kind != BodyKind::dynamic) {
    throw std::invalid_argument("only a dynamic body can be pulled");
  }
  JointRow row = hand[0];
  row.body_b = body;
  row.anchor_ax = row.target_x = x;
  row.anchor_ay = row.target_y = y;
  row.anchor_bx = point_x;
  row.anchor_by = point_y;
  row.motor_max = not_negative(force, "force");
  const FragmentRows fragment{{}, {}, {}, {{&row, 1}, {}}, {}, {}};
  return add_fragment(*world_, fragment).joints.at(0);
}

void CompiledWorld::drag(int64_t joint, double x, double y) {
  const int slot = world_->parts().joints.find(joint);
  if (slot < 0) return;  // it broke, or went with the body
  if (world_->parts().joints[slot].kind != JointKind::mouse) {
    throw std::invalid_argument("only a mouse has a target");
  }
  world_->set_joint(slot, {.target = Double2{finite(x, "x"), finite(y, "y")}});
}

void CompiledWorld::drop(int64_t joint) {
  const int slot = world_->parts().joints.find(joint);
  if (slot >= 0) world_->remove_joint(slot);
}

std::vector<int> CompiledWorld::find_dynamic(double x, double y, double reach) {
  const float radius = static_cast<float>(not_negative(reach, "reach"));
  const Vec2 middle = {0, 0};
  Vec2 normal;
  compute_normals(ShapeKind::circle, &middle, 1, &normal);
  const Shape circle = {ShapeKind::circle, 1, radius, &middle, &normal, middle};
  const Broadphase& broadphase = world_->refreshed_broadphase();
  const WorldParts& parts = world_->parts();
  const auto found = overlap_shape(parts.bodies, parts.shapes, broadphase, circle, finite(x, "x"),
                                   finite(y, "y"), ~uint64_t{0});
  std::set<int> bodies;
  for (const auto& [body, shape] : found) {
    if (parts.bodies[body].kind == BodyKind::dynamic) bodies.insert(body);
  }
  return {bodies.begin(), bodies.end()};
}

}  // namespace rigid
