// SPDX-License-Identifier: MIT
// Conversion and checks of rows, and their addition to a world.
#include "engine/building/read_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "engine/building/checked_numbers.h"
#include "engine/building/known_bodies.h"
#include "engine/joints/joint.h"
#include "sorting.h"

namespace rigid {

namespace {

std::string named(const char* what, std::size_t index) {
  return std::string(what) + " " + std::to_string(index) + ": ";
}

float narrow(double value) { return static_cast<float>(value); }

void check_body(const BodyRow& row, const std::string& at) {
  finite(row.x, at + "x");
  finite(row.y, at + "y");
  finite(row.angle, at + "angle");
  finite(row.vx, at + "vx");
  finite(row.vy, at + "vy");
  finite(row.omega, at + "omega");
  finite(row.gravity_scale, at + "gravity_scale");
  if (!std::isnan(row.mass)) not_negative(row.mass, at + "mass");
  if (!std::isnan(row.inertia)) not_negative(row.inertia, at + "inertia");
  if (!std::isnan(row.center_x)) finite(row.center_x, at + "center_x");
  if (!std::isnan(row.center_y)) finite(row.center_y, at + "center_y");
  not_negative(row.linear_damping, at + "linear_damping");
  not_negative(row.angular_damping, at + "angular_damping");
  whole(row.kind, 0, 2, at + "kind");
}

std::vector<NewBody> read_bodies(std::span<const BodyRow> rows, int first) {
  std::vector<NewBody> bodies;
  bodies.reserve(rows.size());
  for (const BodyRow& row : rows) {
    check_body(row, named("body", first + bodies.size()));
    NewBody given{Body{}, row.vx, row.vy, row.omega, row.awake != 0};
    Body& body = given.body;
    body.origin_x = row.x;
    body.origin_y = row.y;
    body.center_x = row.x;
    body.center_y = row.y;
    body.angle = row.angle;
    body.given_mass = row.mass;
    body.given_inertia = row.inertia;
    body.given_center_x = row.center_x;
    body.given_center_y = row.center_y;
    body.linear_damping = narrow(row.linear_damping);
    body.angular_damping = narrow(row.angular_damping);
    body.gravity_scale = narrow(row.gravity_scale);
    body.kind = static_cast<BodyKind>(row.kind);
    body.fixed_rotation = row.fixed_rotation != 0;
    body.bullet = row.bullet != 0;
    body.may_sleep = row.sleep != 0;
    body.collides = row.collide != 0;
    bodies.push_back(given);
  }
  return bodies;
}

void check_points(const std::string& at, ShapeKind kind, const double* p, int count) {
  const int least[] = {1, 2, 2, 3, 4, 9, 2},
            most[] = {1, 2, 2, max_vertices, 4, 3 * max_vertices, 2};
  int k = static_cast<int>(kind);
  bool part = kind == ShapeKind::polygon_part;
  if (count < least[k] || count > most[k] || (part && count % 3 != 0)) {
    throw std::invalid_argument(at + "has the wrong number of points for its kind");
  }
  for (int i = 0; i < 2 * count; ++i) finite(p[i], at + "a coordinate");
  if (kind != ShapeKind::polygon && !part) return;
  if (part) count /= 3;
  double area = 0, size = 0;
  for (int i = 0; i < count; ++i) {
    const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % count), *c = p + 2 * ((i + 2) % count);
    double abx = b[0] - a[0], aby = b[1] - a[1], bcx = c[0] - b[0], bcy = c[1] - b[1];
    double turn = abx * bcy - aby * bcx;
    double scale = (abx * abx + aby * aby) + (bcx * bcx + bcy * bcy);
    if (turn < -1e-7 * scale) {
      throw std::invalid_argument(at + "must be convex and counter-clockwise");
    }
    area += a[0] * b[1] - a[1] * b[0];
    size += scale;
  }
  if (!(area > -1e-9 * size)) {
    throw std::invalid_argument(at + "must be convex and counter-clockwise");
  }
}

// Their points are in `points` from first_vertex on.
std::vector<WorldShape> read_shapes(std::span<const ShapeRow> rows, Corners points,
                                    const KnownBodies& bodies, int first) {
  const int point_rows = static_cast<int>(points.size() / 2);
  std::vector<WorldShape> shapes;
  shapes.reserve(rows.size());
  for (const ShapeRow& row : rows) {
    std::string at = named("shape", first + shapes.size());
    WorldShape shape;
    shape.body = bodies.find(row.body, at + "body");
    shape.kind = static_cast<ShapeKind>(whole(row.kind, 0, 6, at + "kind"));
    int begin = whole(row.first_point, 0, std::max(point_rows - 1, 0), at + "first_point");
    shape.count = whole(row.point_count, 1, std::max(point_rows - begin, 0), at + "point_count");
    shape.radius = narrow(not_negative(row.radius, at + "radius"));
    shape.density = narrow(not_negative(row.density, at + "density"));
    shape.friction = narrow(not_negative(row.friction, at + "friction"));
    shape.restitution = narrow(not_negative(row.restitution, at + "restitution"));
    shape.rolling_resistance =
        narrow(not_negative(row.rolling_resistance, at + "rolling_resistance"));
    shape.tangent_speed = narrow(finite(row.tangent_speed, at + "tangent_speed"));
    shape.one_way = {narrow(finite(row.one_way_x, at + "one_way_x")),
                     narrow(finite(row.one_way_y, at + "one_way_y"))};
    shape.sensor = row.sensor != 0;
    shape.category = whole(row.category, 0, 63, at + "category");
    check_points(at, shape.kind, points.data() + 2 * static_cast<std::size_t>(begin), shape.count);
    shape.first_vertex = begin;
    if (shape.kind == ShapeKind::polygon_part) {
      shape.kind = ShapeKind::polygon;
      shape.part = true;
      shape.count /= 3;
    }
    shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace

Spring read_spring(int kind, double one, double two, const std::string& at) {
  return {whole(kind, 0, 2, at + "kind"), narrow(not_negative(one, at + "1")),
          narrow(not_negative(two, at + "2"))};
}

namespace {

// Reads its anchors and its axis.
void read_place(const JointRow& row, const std::string& at, Joint& joint) {
  finite(row.anchor_ax, at + "anchor_ax");
  finite(row.anchor_ay, at + "anchor_ay");
  finite(row.anchor_bx, at + "anchor_bx");
  finite(row.anchor_by, at + "anchor_by");
  finite(row.axis_x, at + "axis_x");
  finite(row.axis_y, at + "axis_y");
  joint.given_a = {narrow(row.anchor_ax), narrow(row.anchor_ay)};
  joint.given_b = {narrow(row.anchor_bx), narrow(row.anchor_by)};
  joint.axis = normalize({narrow(row.axis_x), narrow(row.axis_y)});
  if (type_of(joint).needs_axis && !(length_squared(joint.axis) > 0.5f)) {
    throw std::invalid_argument(at + "needs an axis of some length");
  }
  joint.reference_angle = finite(row.reference_angle, at + "reference_angle");
  if (type_of(joint).pulls) {
    joint.given_a = {narrow(finite(row.target_x, at + "target_x")),
                     narrow(finite(row.target_y, at + "target_y"))};
  }
}

// Reads a coupled joint, given as slot + 1 or as 0: one that exists, or one added with it, whose
// slots are in ascending order.
int read_linked(int32_t row, const Joints& joints, const std::vector<int>& coming,
                const std::string& what) {
  const int slot = std::max(row, -1) - 1;
  if (slot == -1 || std::binary_search(coming.begin(), coming.end(), slot) ||
      (slot >= 0 && slot < joints.count() && joints[slot].alive)) {
    return slot;
  }
  throw std::invalid_argument(what + " must be the slot of a joint that is there and 1, or 0");
}

Joint read_joint(const JointRow& row, const KnownBodies& bodies, const std::string& at) {
  Joint joint;
  joint.kind = static_cast<JointKind>(whole(row.kind, 0, joint_kind_count - 1, at + "kind"));
  joint.body_a = bodies.find(row.body_a, at + "body_a");
  joint.body_b = bodies.find(row.body_b, at + "body_b");
  if (joint.body_a == joint.body_b) {
    throw std::invalid_argument(at + "must join two different bodies");
  }
  read_place(row, at, joint);
  joint.collide = row.collide != 0;
  joint.break_force = narrow(limit(row.break_force, at + "break_force"));
  joint.break_torque = narrow(limit(row.break_torque, at + "break_torque"));
  joint.break_push_pull = narrow(limit(row.break_push_pull, at + "break_push_pull"));
  joint.break_push = narrow(limit(row.break_push, at + "break_push"));
  joint.break_pull = narrow(limit(row.break_pull, at + "break_pull"));
  joint.spring_maximum = narrow(limit(row.spring_max, at + "spring_max"));
  joint.spring = read_spring(row.spring_kind, row.spring_1, row.spring_2, at + "spring_");
  joint.has_limits = row.has_limits != 0;
  joint.lower = narrow(limit(row.lower, at + "lower"));
  joint.upper = narrow(limit(row.upper, at + "upper"));
  joint.limit_spring = read_spring(row.limit_spring_kind, row.limit_spring_1, row.limit_spring_2,
                                   at + "limit_spring_");
  joint.motor = static_cast<MotorKind>(whole(row.motor_kind, 0, 2, at + "motor_kind"));
  joint.motor_target = narrow(finite(row.motor_target, at + "motor_target"));
  joint.motor_maximum = narrow(limit(row.motor_max, at + "motor_max"));
  joint.motor_side = static_cast<MotorSide>(whole(row.motor_side, 0, 2, at + "motor_side"));
  joint.motor_stops = row.motor_stops != 0;
  joint.motor_fastest = narrow(not_negative(row.motor_fastest, at + "motor_fastest"));
  joint.motor_spring = read_spring(row.motor_spring_kind, row.motor_spring_1, row.motor_spring_2,
                                   at + "motor_spring_");
  joint.length = narrow(not_negative(row.length, at + "length"));
  joint.min_length = narrow(limit(row.min_length, at + "min_length"));
  joint.max_length = narrow(limit(row.max_length, at + "max_length"));
#define RIGID_READ_OWN(Number, name, start, unit, meaning) \
  joint.name = finite(row.name, at + #name);
  RIGID_OWN_JOINT_NUMBERS(RIGID_READ_OWN)
#undef RIGID_READ_OWN
  joint.wheel_a = {finite(row.wheel_ax, at + "wheel_ax"), finite(row.wheel_ay, at + "wheel_ay")};
  joint.wheel_b = {finite(row.wheel_bx, at + "wheel_bx"), finite(row.wheel_by, at + "wheel_by")};
  joint.pitch = narrow(finite(row.pitch, at + "pitch"));
  joint.pawl_maximum = narrow(limit(row.pawl_max, at + "pawl_max"));
  const JointType& type = type_of(joint);
  if (type.from_start) joint.start = nan_value;  // its coordinate starts where it is placed
  if (joint.body_a != 0 && type.against_world) {
    throw std::invalid_argument(at + "acts against the world, its body_a");
  }
  if (type.against_world && !type.pulls) {
    joint.collide = true;
    if (joint.motor == MotorKind::none) joint.motor = MotorKind::speed;
  }
  return joint;
}

std::vector<Joint> read_joints(std::span<const JointRow> rows, const KnownBodies& bodies,
                               const Joints& there, std::vector<int> coming, int first) {
  rigid::sort(coming.begin(), coming.end());
  std::vector<Joint> joints;
  joints.reserve(rows.size());
  for (const JointRow& row : rows) {
    const std::string at = named("joint", first + joints.size());
    joints.push_back(read_joint(row, bodies, at));
    joints.back().linked_a = read_linked(row.linked_a, there, coming, at + "linked_a");
    joints.back().linked_b = read_linked(row.linked_b, there, coming, at + "linked_b");
  }
  return joints;
}

std::vector<ForceSource> read_forces(std::span<const ForceRow> rows, const KnownBodies& bodies,
                                     int first) {
  std::vector<ForceSource> sources;
  sources.reserve(rows.size());
  for (const ForceRow& row : rows) {
    std::string at = named("force", first + sources.size());
    ForceSource f;
    f.kind = static_cast<ForceKind>(whole(row.kind, 0, 2, at + "kind"));
    f.body = bodies.find(row.body, at + "body");
    f.at_center = std::isnan(row.at_x) || std::isnan(row.at_y);
    if (!f.at_center) {
      f.at_x = finite(row.at_x, at + "at_x");
      f.at_y = finite(row.at_y, at + "at_y");
    }
    f.x = narrow(finite(row.x, at + "x"));
    f.y = narrow(finite(row.y, at + "y"));
    f.torque = narrow(finite(row.torque, at + "torque"));
    f.start = limit(row.start, at + "start");
    f.until = limit(row.until, at + "until");
    sources.push_back(f);
  }
  return sources;
}

std::vector<Bar> read_bars(std::span<const BarRow> rows, const KnownBodies& bodies) {
  std::vector<Bar> bars;
  bars.reserve(rows.size());
  for (const BarRow& row : rows) {
    for (double end : {row.left_x, row.left_y, row.right_x, row.right_y}) {
      finite(end, "an end of a bar");
    }
    const int body = bodies.find(row.body, "body");
    bars.push_back({body, row.left_x, row.left_y, row.right_x, row.right_y});
  }
  return bars;
}

std::vector<BodyPoint> read_points(std::span<const PointRow> rows, const KnownBodies& bodies) {
  std::vector<BodyPoint> points;
  points.reserve(rows.size());
  for (const PointRow& row : rows) {
    points.push_back(
        {bodies.find(row.body, "body"), finite(row.x, "point"), finite(row.y, "point")});
  }
  return points;
}

const double* points_of(const WorldShape& shape, Corners points) {
  return points.data() + 2 * static_cast<std::size_t>(shape.first_vertex);
}

}  // namespace

int add_bodies(World& world, std::span<const BodyRow> rows) {
  const int first = world.parts().bodies.count();
  for (const NewBody& body : read_bodies(rows, first)) world.add_body(body);
  return first;
}

int add_shapes(World& world, std::span<const ShapeRow> rows, Corners corners) {
  const int first = world.parts().shapes.count();
  for (const WorldShape& shape : read_shapes(rows, corners, KnownBodies(world), first)) {
    world.add_shape(shape, points_of(shape, corners));
  }
  return first;
}

int add_joints(World& world, std::span<const JointRow> rows) {
  const Joints& there = world.parts().joints;
  const int first = there.count(), count = static_cast<int>(rows.size());
  std::vector<int> coming(count);
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

void set_bars(World& world, std::span<const BarRow> rows) {
  for (const Bar& bar : read_bars(rows, KnownBodies(world))) world.add_bar(bar);
}

int add_points(World& world, std::span<const PointRow> rows) {
  const int first = world.parts().points.count();
  for (const BodyPoint& point : read_points(rows, KnownBodies(world))) world.add_point(point);
  return first;
}

namespace {

// Joints and forces added with new bodies.
struct Links {
  std::vector<Joint> joints;
  std::vector<ForceSource> forces;
};

Links read_links(const World& world, const KnownBodies& known, const LinkRows& rows) {
  const int count = static_cast<int>(rows.joints.size());
  return {read_joints(rows.joints, known, world.parts().joints,
                      world.parts().joints.slots().next(count), 0),
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
  Added finish() {
    world_.finish();
    return std::move(added_);
  }

 private:
  World& world_;
  Added added_;
};

}  // namespace

Added add_fragment(World& world, const FragmentRows& rows) {
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

Added add_copies(World& world, const Mould& mould, std::span<const Motion> motions,
                 const LinkRows& link_rows) {
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
  Links links;
  if (!link_rows.joints.empty() || !link_rows.forces.empty()) {
    links = read_links(world, KnownBodies(world, slots), link_rows);
  }
  const auto each = [&](auto rows, auto&& put) {
    for (std::size_t first = 0; first < slots.size(); first += count) {
      for (auto row : rows) {
        row.body = slots[first + row.body];
        put(row);
      }
    }
  };
  Putting putting(world);
  for (const NewBody& body : new_bodies) putting.body(body);
  each(std::span(mould.shapes), [&](const WorldShape& shape) {
    putting.shape(shape, mould.corners.data() + 2 * static_cast<std::size_t>(shape.first_vertex));
  });
  putting.links(links);
  each(std::span(mould.bars), [&](const Bar& bar) { putting.bar(bar); });
  each(std::span(mould.points), [&](const BodyPoint& point) { putting.point(point); });
  return putting.finish();
}

std::vector<uint64_t> read_collision_matrix(std::span<const bool> matrix, std::size_t n) {
  if (n > 64 || matrix.size() != n * n) {
    throw std::invalid_argument("the collision matrix must be square, at most 64 x 64");
  }
  std::vector<uint64_t> rows(64, ~uint64_t{0});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (matrix[i * n + j] != matrix[j * n + i]) {
        throw std::invalid_argument("the collision matrix must be symmetric");
      }
      if (!matrix[i * n + j]) rows[i] &= ~(uint64_t{1} << j);
    }
  }
  return rows;
}

}  // namespace rigid
