// SPDX-License-Identifier: MIT
// The addition of rows to a world.
#include "engine/rows/add_rows.h"

#include <numeric>
#include <stdexcept>

#include "engine/rows/read_rows.h"

namespace rigid {

namespace {

const double* points_of(const WorldShape& shape, std::span<const double> points) {
  return points.data() + 2 * static_cast<std::size_t>(shape.first_vertex);
}

}  // namespace

int add_bodies(World& world, std::span<const BodyRow> rows) {
  const int first = world.parts().bodies.count();
  for (const NewBody& body : read_bodies(rows, first)) world.add_body(body);
  return first;
}

int add_shapes(World& world, std::span<const ShapeRow> rows, std::span<const double> points) {
  const int first = world.parts().shapes.count();
  for (const WorldShape& shape : read_shapes(rows, points, KnownBodies(world), first)) {
    world.add_shape(shape, points_of(shape, points));
  }
  return first;
}

int add_joints(World& world, std::span<const JointRow> rows) {
  const Joints& there = world.parts().joints;
  const int first = there.count();
  std::vector<int> coming(rows.size());
  std::iota(coming.begin(), coming.end(), first);
  for (const Joint& joint : read_joints(rows, KnownBodies(world), there, coming, first)) {
    world.add_joint(joint);
  }
  return first;
}

int add_forces(World& world, std::span<const ForceRow> rows) {
  const int first = world.parts().forces.count();
  for (const ForceSource& force : read_forces(rows, KnownBodies(world), first)) {
    world.add_force(force);
  }
  return first;
}

int add_points(World& world, std::span<const PointRow> rows) {
  const int first = world.parts().points.count();
  for (const BodyPoint& point : read_points(rows, KnownBodies(world))) world.add_point(point);
  return first;
}

void set_bars(World& world, std::span<const BarRow> rows) {
  for (const Bar& bar : read_bars(rows, KnownBodies(world))) world.add_bar(bar);
}

namespace {

struct Links {
  std::vector<Joint> joints;
  std::vector<ForceSource> forces;
};

Links read_links(const World& world, const KnownBodies& known, const LinkRows& rows) {
  const Joints& there = world.parts().joints;
  return {read_joints(rows.joints, known, there,
                      there.slots().next(static_cast<int>(rows.joints.size())), 0),
          read_forces(rows.forces, known, 0)};
}

// Adds the checked rows, kind after kind, and returns their ids.
class Putting {
 public:
  explicit Putting(World& world) : world_(world) {}
  void body(const NewBody& body) {
    added_.bodies.push_back(world_.parts().bodies.slots.id(world_.add_body(body, Place::free)));
  }
  void shape(const WorldShape& shape, const double* points) {
    world_.add_shape(shape, points, Place::free);
  }
  void links(const Links& links) {
    for (const Joint& joint : links.joints) {
      added_.joints.push_back(world_.parts().joints.id(world_.add_joint(joint, Place::free)));
    }
    for (const ForceSource& force : links.forces) {
      added_.forces.push_back(world_.add_force(force, Place::free));
    }
  }
  void bar(const Bar& bar) { world_.add_bar(bar); }
  void point(const BodyPoint& point) {
    added_.points.push_back(world_.add_point(point, Place::free));
  }
  AddedObjects finish() {
    world_.finish();
    return std::move(added_);
  }

 private:
  World& world_;
  AddedObjects added_;
};

}  // namespace

AddedObjects add_fragment(World& world, const FragmentRows& rows) {
  const KnownBodies known(world,
                          world.parts().bodies.slots.next(static_cast<int>(rows.bodies.size())));
  const auto new_bodies = read_bodies(rows.bodies, 0);
  const auto new_shapes = read_shapes(rows.shapes, rows.corners, known, 0);
  const Links links = read_links(world, known, rows.links);
  const auto new_bars = read_bars(rows.bars, known);
  const auto new_points = read_points(rows.points, known);
  Putting putting(world);
  for (const NewBody& body : new_bodies) putting.body(body);
  for (const WorldShape& shape : new_shapes) putting.shape(shape, points_of(shape, rows.corners));
  putting.links(links);
  for (const Bar& bar : new_bars) putting.bar(bar);
  for (const BodyPoint& point : new_points) putting.point(point);
  return putting.finish();
}

Mould::Mould(const FragmentRows& rows)
    : bodies(rows.bodies.begin(), rows.bodies.end()),
      corners(rows.corners.begin(), rows.corners.end()) {
  if (bodies.empty()) throw std::invalid_argument("a mould needs a body");
  read_bodies(bodies, 0);
  const KnownBodies known(static_cast<int>(bodies.size()));
  shapes = read_shapes(rows.shapes, rows.corners, known, 0);
  bars = read_bars(rows.bars, known);
  points = read_points(rows.points, known);
}

AddedObjects add_copies(World& world, const Mould& mould, std::span<const Motion> motions,
                        const LinkRows& links) {
  const std::size_t count = mould.bodies.size();
  if (motions.size() % count != 0) {
    throw std::invalid_argument("motions must be those of whole copies");
  }
  const std::vector<int> slots = world.parts().bodies.slots.next(static_cast<int>(motions.size()));
  std::vector<BodyRow> rows;
  rows.reserve(motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    BodyRow& row = rows.emplace_back(mould.bodies[i % count]);
    std::tie(row.x, row.y, row.angle, row.vx, row.vy) = motions[i];
  }
  const auto new_bodies = read_bodies(rows, 0);
  Links new_links;
  if (!links.joints.empty() || !links.forces.empty()) {
    new_links = read_links(world, KnownBodies(world, slots), links);
  }
  const auto each = [&](auto things, auto&& put) {
    for (std::size_t first = 0; first < slots.size(); first += count) {
      for (auto thing : things) {
        thing.body = slots[first + thing.body];
        put(thing);
      }
    }
  };
  Putting putting(world);
  for (const NewBody& body : new_bodies) putting.body(body);
  each(std::span(mould.shapes),
       [&](const WorldShape& shape) { putting.shape(shape, points_of(shape, mould.corners)); });
  putting.links(new_links);
  each(std::span(mould.bars), [&](const Bar& bar) { putting.bar(bar); });
  each(std::span(mould.points), [&](const BodyPoint& point) { putting.point(point); });
  return putting.finish();
}

}  // namespace rigid
