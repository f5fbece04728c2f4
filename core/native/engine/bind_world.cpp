// World for Python: arrays in, arrays out, the GIL released while it steps.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <tuple>

#include "engine/channels.h"
#include "engine/checked_arguments.h"
#include "engine/columns.h"
#include "engine/world.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace rigid {

namespace {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using IntTable = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using IntList = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using BoolTable = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using OutTable = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Point = std::pair<double, double>;

// A world that two threads of Python must not enter at once, nor one after a step was broken off.
struct PyWorld {
  explicit PyWorld(const WorldDefinition& definition) : world(definition) {}
  World world;
  std::atomic<bool> busy{false}, torn{false};
};

// Arrives as rigid.core.errors.UsageError.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void raise_usage_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Unusable& error) {
    nb::object type = nb::module_::import_("rigid.core.errors").attr("UsageError");
    PyErr_SetString(type.ptr(), error.what());
  }
}

class Entry {
 public:
  explicit Entry(PyWorld& self) : self_(self) {
    if (self_.busy.exchange(true)) throw Unusable("this world is in use by another thread");
    if (self_.torn) {
      self_.busy = false;
      throw Unusable("this world was interrupted in the middle of a step; build it anew");
    }
  }
  ~Entry() { self_.busy = false; }
  Entry(const Entry&) = delete;
  World* operator->() { return &self_.world; }
  World& operator*() { return self_.world; }

 private:
  PyWorld& self_;
};

void columns_match(const Table& table, int count, const char* what) {
  if (table.shape(1) != static_cast<std::size_t>(count)) {
    throw std::invalid_argument(std::string(what) + " must have " + std::to_string(count) +
                                " columns");
  }
}

int check_index(double value, int count, const std::string& what) {
  return whole(value, 0, count - 1, what);
}

WorldDefinition define(Point gravity, double dt, const std::string& solver, int substeps,
                       const std::string& joint_solver, int iterations, bool warm_start,
                       bool position_correction, double correction_rate, double allowed_penetration,
                       bool gravity_friction, double length_unit, double time_per_second,
                       bool sleep, const std::string& friction_mixing,
                       const std::string& restitution_mixing,
                       std::optional<std::tuple<double, double, double, double>> bounds,
                       bool freeze_on_error, int max_pairs, int threads, int lanes) {
  auto between = [](double value, double low, double high, const char* what) {
    if (!(value >= low && value <= high)) {
      throw std::invalid_argument(std::string(what) + " is out of its range");
    }
    return value;
  };
  auto mixing = [](const std::string& name) {
    const char* names[] = {"min", "max", "mean", "product", "geometric_mean"};
    for (int i = 0; i < 5; ++i) {
      if (name == names[i]) return static_cast<Mixing>(i);
    }
    throw std::invalid_argument("mixing must be min, max, mean, product or geometric_mean");
  };
  WorldDefinition d;
  d.gravity_x = between(gravity.first, -1e9, 1e9, "gravity");
  d.gravity_y = between(gravity.second, -1e9, 1e9, "gravity");
  d.dt = between(dt, 1e-9, 1e9, "dt");
  if (solver != "soft_step" && solver != "sequential_impulse") {
    throw std::invalid_argument("solver must be soft_step or sequential_impulse");
  }
  d.solver = solver == "soft_step" ? SolverKind::soft_step : SolverKind::sequential_impulse;
  d.substeps = static_cast<int>(between(substeps, 1, 1000, "substeps"));
  if (joint_solver == "direct") {
    d.joints = JointSolver::direct;
  } else if (joint_solver == "iterative") {
    d.joints = JointSolver::iterative;
  } else if (joint_solver != "auto") {
    throw std::invalid_argument("joint_solver must be auto, direct or iterative");
  }
  d.iterations = static_cast<int>(between(iterations, 1, 100000, "iterations"));
  d.warm_start = warm_start;
  d.position_correction = position_correction;
  d.correction_rate = between(correction_rate, 0, 1, "correction_rate");
  d.allowed_penetration = between(allowed_penetration, 0, 1e9, "allowed_penetration");
  d.gravity_friction = gravity_friction;
  d.length_unit = between(length_unit, 1e-6, 1e6, "length_unit");
  d.time_per_second = between(time_per_second, 1e-6, 1e6, "time_per_second");
  d.sleep = sleep;
  d.friction_mixing = mixing(friction_mixing);
  d.restitution_mixing = mixing(restitution_mixing);
  if (bounds) {
    d.has_bounds = true;
    std::tie(d.bounds[0], d.bounds[1], d.bounds[2], d.bounds[3]) = *bounds;
    for (double value : d.bounds) limit(value, "bounds");
  }
  d.freeze_on_error = freeze_on_error;
  d.max_pairs = static_cast<int>(between(max_pairs, 1, 1e9, "max_pairs"));
  d.threads = static_cast<int>(between(threads, 1, 256, "threads"));
  d.lanes = lanes;
  if (lanes != 0 && !find_kernels(lanes)) {
    throw std::invalid_argument("lanes: this processor runs other widths, see lanes_supported()");
  }
  return d;
}

int add_bodies(PyWorld& self, const Table& table) {
  Entry world(self);
  columns_match(table, body_column_count, "bodies");
  int first = world->body_count();
  for (std::size_t row = 0; row < table.shape(0); ++row) {
    const double* v = table.data() + row * body_column_count;
    std::string at = "body " + std::to_string(first + row) + ": ";
    for (int i : {0, 1, 2, 3, 4, 5, 12}) finite(v[i], at + body_columns[i]);
    for (int i : {6, 7}) {
      if (!std::isnan(v[i])) not_negative(v[i], at + body_columns[i]);
    }
    for (int i : {8, 9}) {
      if (!std::isnan(v[i])) finite(v[i], at + body_columns[i]);
    }
    for (int i : {10, 11}) not_negative(v[i], at + body_columns[i]);
    for (int i : {14, 15, 16, 17, 18}) whole(v[i], 0, 1, at + body_columns[i]);
    whole(v[13], 0, 2, at + "kind");
  }
  for (std::size_t row = 0; row < table.shape(0); ++row) {
    const double* v = table.data() + row * body_column_count;
    Body body;
    body.origin_x = v[0];
    body.origin_y = v[1];
    body.center_x = v[0];
    body.center_y = v[1];
    body.angle = v[2];
    body.given_mass = v[6];
    body.given_inertia = v[7];
    body.given_center_x = v[8];
    body.given_center_y = v[9];
    body.linear_damping = static_cast<float>(v[10]);
    body.angular_damping = static_cast<float>(v[11]);
    body.gravity_scale = static_cast<float>(v[12]);
    body.kind = static_cast<BodyKind>(static_cast<int>(v[13]));
    body.fixed_rotation = v[14] != 0;
    body.bullet = v[15] != 0;
    body.may_sleep = v[16] != 0;
    body.collides = v[18] != 0;
    world->add_body(body, v[3], v[4], v[5], v[17] != 0);
  }
  return first;
}

void check_points(const std::string& at, ShapeKind kind, const double* p, int count) {
  const int least[] = {1, 2, 2, 3, 4, 9}, most[] = {1, 2, 2, max_vertices, 4, 3 * max_vertices};
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

int add_shapes(PyWorld& self, const Table& table, const Table& points) {
  Entry world(self);
  columns_match(table, shape_column_count, "shapes");
  columns_match(points, 2, "points");
  int first = world->shape_count();
  int rows = static_cast<int>(table.shape(0)), point_rows = static_cast<int>(points.shape(0));
  std::vector<WorldShape> shapes;
  shapes.reserve(rows);
  for (int row = 0; row < rows; ++row) {
    const double* v = table.data() + static_cast<std::size_t>(row) * shape_column_count;
    std::string at = "shape " + std::to_string(first + row) + ": ";
    WorldShape shape;
    shape.body = check_index(v[0], world->body_count(), at + "body");
    shape.kind = static_cast<ShapeKind>(whole(v[1], 0, 5, at + "kind"));
    int begin = whole(v[2], 0, std::max(point_rows - 1, 0), at + "first_point");
    shape.count = whole(v[3], 1, std::max(point_rows - begin, 0), at + "point_count");
    shape.radius = static_cast<float>(not_negative(v[4], at + "radius"));
    shape.density = static_cast<float>(not_negative(v[5], at + "density"));
    shape.friction = static_cast<float>(not_negative(v[6], at + "friction"));
    shape.restitution = static_cast<float>(not_negative(v[7], at + "restitution"));
    shape.rolling_resistance = static_cast<float>(not_negative(v[8], at + "rolling_resistance"));
    shape.tangent_speed = static_cast<float>(finite(v[9], at + "tangent_speed"));
    shape.sensor = whole(v[10], 0, 1, at + "sensor") != 0;
    shape.category = whole(v[11], 0, 63, at + "category");
    check_points(at, shape.kind, points.data() + 2 * static_cast<std::size_t>(begin), shape.count);
    shape.first_vertex = begin;
    if (shape.kind == ShapeKind::polygon_part) {
      shape.kind = ShapeKind::polygon;
      shape.part = true;
      shape.count /= 3;
    }
    shapes.push_back(shape);
  }
  for (const WorldShape& shape : shapes) {
    world->add_shape(shape, points.data() + 2 * static_cast<std::size_t>(shape.first_vertex));
  }
  return first;
}

Spring read_spring(const double* v, const std::string& at) {
  return {whole(v[0], 0, 2, at + "kind"), static_cast<float>(not_negative(v[1], at + "1")),
          static_cast<float>(not_negative(v[2], at + "2"))};
}

int add_joints(PyWorld& self, const Table& table) {
  Entry world(self);
  columns_match(table, joint_column_count, "joints");
  int first = world->joint_count();
  std::vector<Joint> joints;
  for (std::size_t row = 0; row < table.shape(0); ++row) {
    const double* v = table.data() + row * joint_column_count;
    std::string at = "joint " + std::to_string(first + row) + ": ";
    Joint joint;
    joint.kind = static_cast<JointKind>(whole(v[0], 0, joint_kind_count - 1, at + "kind"));
    joint.body_a = check_index(v[1], world->body_count(), at + "body_a");
    joint.body_b = check_index(v[2], world->body_count(), at + "body_b");
    if (joint.body_a == joint.body_b) {
      throw std::invalid_argument(at + "must join two different bodies");
    }
    for (int i = 3; i < 10; ++i) finite(v[i], at + joint_columns[i]);
    joint.given_a = {static_cast<float>(v[3]), static_cast<float>(v[4])};
    joint.given_b = {static_cast<float>(v[5]), static_cast<float>(v[6])};
    joint.axis = normalize({static_cast<float>(v[7]), static_cast<float>(v[8])});
    bool needs_axis = joint.kind == JointKind::prismatic || joint.kind == JointKind::wheel ||
                      joint.kind == JointKind::axial_friction;
    if (needs_axis && !(length_squared(joint.axis) > 0.5f)) {
      throw std::invalid_argument(at + "needs an axis of some length");
    }
    joint.reference_angle = v[9];
    joint.collide = whole(v[10], 0, 1, at + "collide") != 0;
    joint.break_force = static_cast<float>(limit(v[11], at + "break_force"));
    joint.break_torque = static_cast<float>(limit(v[12], at + "break_torque"));
    joint.spring = read_spring(v + 13, at + "spring_");
    joint.has_limits = whole(v[16], 0, 1, at + "has_limits") != 0;
    joint.lower = static_cast<float>(limit(v[17], at + "lower"));
    joint.upper = static_cast<float>(limit(v[18], at + "upper"));
    joint.motor = static_cast<MotorKind>(whole(v[19], 0, 2, at + "motor_kind"));
    joint.motor_target = static_cast<float>(finite(v[20], at + "motor_target"));
    joint.motor_maximum = static_cast<float>(limit(v[21], at + "motor_max"));
    joint.motor_spring = read_spring(v + 22, at + "motor_spring_");
    joint.length = static_cast<float>(not_negative(v[25], at + "length"));
    joint.min_length = static_cast<float>(limit(v[26], at + "min_length"));
    joint.max_length = static_cast<float>(limit(v[27], at + "max_length"));
    joint.limit_spring = read_spring(v + 28, at + "limit_spring_");
    joint.break_push_pull = static_cast<float>(limit(v[33], at + "break_push_pull"));
    if (joint.kind == JointKind::mouse) {
      joint.given_a = {static_cast<float>(finite(v[31], at + "target_x")),
                       static_cast<float>(finite(v[32], at + "target_y"))};
      if (joint.body_a != 0) throw std::invalid_argument(at + "a mouse pulls from the world");
    }
    if ((joint.kind == JointKind::rotary_motor || joint.kind == JointKind::axial_friction)) {
      if (joint.body_a != 0) throw std::invalid_argument(at + "acts against the world");
      joint.collide = true;
      if (joint.motor == MotorKind::none) joint.motor = MotorKind::speed;
    }
    joints.push_back(joint);
  }
  for (const Joint& joint : joints) world->add_joint(joint);
  return first;
}

int add_forces(PyWorld& self, const Table& table) {
  Entry world(self);
  columns_match(table, force_column_count, "forces");
  int first = world->force_count();
  std::vector<ForceSource> sources;
  for (std::size_t row = 0; row < table.shape(0); ++row) {
    const double* v = table.data() + row * force_column_count;
    std::string at = "force " + std::to_string(first + row) + ": ";
    ForceSource f;
    f.kind = static_cast<ForceSource::Kind>(whole(v[0], 0, 2, at + "kind"));
    f.body = check_index(v[1], world->body_count(), at + "body");
    f.at_center = std::isnan(v[2]) || std::isnan(v[3]);
    if (!f.at_center) {
      f.at_x = finite(v[2], at + "at_x");
      f.at_y = finite(v[3], at + "at_y");
    }
    f.x = static_cast<float>(finite(v[4], at + "x"));
    f.y = static_cast<float>(finite(v[5], at + "y"));
    f.torque = static_cast<float>(finite(v[6], at + "torque"));
    f.start = limit(v[7], at + "start");
    f.until = limit(v[8], at + "until");
    sources.push_back(f);
  }
  for (const ForceSource& f : sources) world->add_force(f);
  return first;
}

void set_bars(PyWorld& self, const Table& table) {
  Entry world(self);
  columns_match(table, 5, "bars");
  for (std::size_t row = 0; row < table.shape(0); ++row) {
    const double* v = table.data() + row * 5;
    check_index(v[0], world->body_count(), "body");
    for (int i = 1; i < 5; ++i) finite(v[i], "an end of a bar");
  }
  for (std::size_t row = 0; row < table.shape(0); ++row) {
    const double* v = table.data() + row * 5;
    world->add_bar({static_cast<int>(v[0]), v[1], v[2], v[3], v[4]});
  }
}

int add_points(PyWorld& self, const IntList& bodies, const Table& points) {
  Entry world(self);
  columns_match(points, 2, "points");
  if (bodies.shape(0) != points.shape(0)) {
    throw std::invalid_argument("bodies and points must have as many rows");
  }
  int first = world->point_count();
  for (std::size_t i = 0; i < bodies.shape(0); ++i) {
    check_index(bodies.data()[i], world->body_count(), "body");
    finite(points.data()[2 * i], "point");
    finite(points.data()[2 * i + 1], "point");
  }
  for (std::size_t i = 0; i < bodies.shape(0); ++i) {
    world->add_point(bodies.data()[i], points.data()[2 * i], points.data()[2 * i + 1]);
  }
  return first;
}

void check_channels(const World& world, const IntTable& channels) {
  if (channels.shape(1) != 2) throw std::invalid_argument("channels must have 2 columns");
  for (std::size_t i = 0; i < channels.shape(0); ++i) {
    int code = channels.data()[2 * i], index = channels.data()[2 * i + 1];
    auto channel = static_cast<Channel>(whole(code, 0, channel_total - 1, "channel code"));
    int count = world.body_count();
    if (channel >= Channel::body_point_x && channel <= Channel::body_point_speed) {
      count = world.point_count();
    } else if ((channel >= Channel::joint_force && channel <= Channel::joint_broken) ||
               channel == Channel::joint_speed || channel == Channel::joint_motor_force) {
      count = world.joint_count();
    } else if (channel >= Channel::world_time && channel <= Channel::world_bodies) {
      count = 1;
    }
    if (index < 0 || index >= count) throw std::invalid_argument("channel index out of range");
  }
}

template <class T, class... Shape>
auto make_array(T* data, Shape... shape) {
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, {static_cast<std::size_t>(shape)...}, owner);
}

// A read-only view of one member of an array of structs; the storage lives as long as the view.
template <class T, class Element>
nb::ndarray<nb::numpy, const T> view(const SharedArray<Element>& array, const T* first) {
  auto* keep = new std::shared_ptr<Element[]>(array.storage());
  nb::capsule owner(keep,
                    [](void* p) noexcept { delete static_cast<std::shared_ptr<Element[]>*>(p); });
  return nb::ndarray<nb::numpy, const T>(first, {array.size()}, owner,
                                         {static_cast<int64_t>(sizeof(Element) / sizeof(T))});
}

nb::tuple contacts(PyWorld& self) {
  Entry world(self);
  std::vector<int> touching = world->touching_contacts();
  std::size_t rows = 0;
  for (int index : touching) rows += world->contact_list()[index].count;
  auto* ids = new int32_t[rows * 4 + 1];
  auto* values = new double[rows * 9 + 1];
  double per_dt = 1.0 / world->definition().dt;
  std::size_t row = 0;
  for (int index : touching) {
    const Contact& c = world->contact_list()[index];
    const Body& a = world->bodies()[c.body_a];
    for (int k = 0; k < c.count; ++k, ++row) {
      const ContactPoint& p = c.points[k];
      int32_t* id = ids + 4 * row;
      double* v = values + 9 * row;
      id[0] = c.body_a;
      id[1] = c.body_b;
      id[2] = c.shape_a;
      id[3] = c.shape_b;
      v[0] = a.center_x + p.anchor.x;
      v[1] = a.center_y + p.anchor.y;
      v[2] = c.normal.x;
      v[3] = c.normal.y;
      v[4] = p.separation;
      v[5] = p.total_normal;
      v[6] = p.total_tangent;
      v[7] = p.total_normal * per_dt;
      v[8] = p.total_tangent * per_dt;
    }
  }
  return nb::make_tuple(make_array(ids, rows, 4), make_array(values, rows, 9));
}

nb::ndarray<nb::numpy, int32_t> pairs_array(const std::vector<std::pair<int, int>>& pairs) {
  auto* data = new int32_t[pairs.size() * 2 + 1];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    data[2 * i] = pairs[i].first;
    data[2 * i + 1] = pairs[i].second;
  }
  return make_array(data, pairs.size(), 2);
}

nb::ndarray<nb::numpy, int32_t> overlap(PyWorld& self, const Vec2* vertices, int count,
                                        float radius, double x, double y, uint64_t mask) {
  Entry world(self);
  world->refresh_queries();
  Vec2 normals[4];
  ShapeKind kind = count == 1 ? ShapeKind::circle : ShapeKind::polygon;
  compute_normals(kind, vertices, count, normals);
  Shape shape{kind, count, radius, vertices, normals, compute_centroid(kind, vertices, count)};
  return pairs_array(world->overlap_shape(shape, x, y, mask));
}

constexpr uint64_t everything = ~uint64_t{0};

void bind_building(nb::class_<PyWorld>& type) {
  type.def(
          "__init__",
          [](PyWorld* self, Point gravity, double dt, const std::string& solver, int substeps,
             const std::string& joint_solver, int iterations, bool warm_start,
             bool position_correction, double correction_rate, double allowed_penetration,
             bool gravity_friction, double length_unit, double time_per_second, bool sleep,
             const std::string& friction_mixing, const std::string& restitution_mixing,
             std::optional<std::tuple<double, double, double, double>> bounds, bool freeze_on_error,
             int max_pairs, int threads, int lanes) {
            new (self) PyWorld(define(gravity, dt, solver, substeps, joint_solver, iterations,
                                      warm_start, position_correction, correction_rate,
                                      allowed_penetration, gravity_friction, length_unit,
                                      time_per_second, sleep, friction_mixing, restitution_mixing,
                                      bounds, freeze_on_error, max_pairs, threads, lanes));
          },
          nb::kw_only(), "gravity"_a = Point(0.0, -9.81), "dt"_a = 1.0 / 60,
          "solver"_a = "soft_step", "substeps"_a = 4, "joint_solver"_a = "auto",
          "iterations"_a = 10, "warm_start"_a = true, "position_correction"_a = true,
          "correction_rate"_a = 0.2, "allowed_penetration"_a = 0.01, "gravity_friction"_a = false,
          "length_unit"_a = 1.0, "time_per_second"_a = 1.0, "sleep"_a = true,
          "friction_mixing"_a = "geometric_mean", "restitution_mixing"_a = "max",
          "bounds"_a = nb::none(), "freeze_on_error"_a = false, "max_pairs"_a = 1000000,
          "threads"_a = 1, "lanes"_a = 0)
      .def("add_bodies", add_bodies, "parameters"_a)
      .def("add_shapes", add_shapes, "parameters"_a, "points"_a)
      .def("add_joints", add_joints, "parameters"_a)
      .def("add_points", add_points, "bodies"_a, "points"_a)
      .def("add_forces", add_forces, "parameters"_a)
      .def("set_bars", set_bars, "parameters"_a)
      .def(
          "set_force",
          [](PyWorld& self, int index, double x, double y, double torque, bool enabled) {
            Entry world(self);
            check_index(index, world->force_count(), "force");
            world->set_force(index, static_cast<float>(finite(x, "x")),
                             static_cast<float>(finite(y, "y")),
                             static_cast<float>(finite(torque, "torque")), enabled);
          },
          "index"_a, "x"_a, "y"_a, "torque"_a, "enabled"_a)
      .def(
          "set_spring",
          [](PyWorld& self, int joint, int kind, double first, double second) {
            Entry world(self);
            check_index(joint, world->joint_count(), "joint");
            const double v[3] = {static_cast<double>(kind), first, second};
            world->set_spring(joint, read_spring(v, "spring "));
          },
          "joint"_a, "kind"_a, "first"_a, "second"_a)
      .def(
          "set_limits",
          [](PyWorld& self, int joint, double lower, double upper) {
            Entry world(self);
            check_index(joint, world->joint_count(), "joint");
            world->set_limits(joint, static_cast<float>(limit(lower, "lower")),
                              static_cast<float>(limit(upper, "upper")));
          },
          "joint"_a, "lower"_a, "upper"_a)
      .def(
          "set_joint_target",
          [](PyWorld& self, int joint, double x, double y) {
            Entry world(self);
            check_index(joint, world->joint_count(), "joint");
            if (world->joints()[joint].kind != JointKind::mouse) {
              throw std::invalid_argument("only a mouse has a target");
            }
            world->set_joint_target(joint, finite(x, "x"), finite(y, "y"));
          },
          "joint"_a, "x"_a, "y"_a)
      .def(
          "set_collision_matrix",
          [](PyWorld& self, const BoolTable& matrix) {
            Entry world(self);
            std::size_t n = matrix.shape(0);
            if (n != matrix.shape(1) || n > 64) {
              throw std::invalid_argument("the collision matrix must be square, at most 64 x 64");
            }
            std::vector<uint64_t> rows(64, ~uint64_t{0});
            for (std::size_t i = 0; i < n; ++i) {
              for (std::size_t j = 0; j < n; ++j) {
                if (matrix.data()[i * n + j] != matrix.data()[j * n + i]) {
                  throw std::invalid_argument("the collision matrix must be symmetric");
                }
                if (!matrix.data()[i * n + j]) rows[i] &= ~(uint64_t{1} << j);
              }
            }
            world->set_collision_matrix(std::move(rows));
          },
          "matrix"_a)
      .def(
          "ignore_pairs",
          [](PyWorld& self, const IntTable& pairs) {
            Entry world(self);
            if (pairs.shape(1) != 2) throw std::invalid_argument("pairs must have 2 columns");
            for (std::size_t i = 0; i < pairs.size(); ++i) {
              check_index(pairs.data()[i], world->body_count(), "body");
            }
            for (std::size_t i = 0; i < pairs.shape(0); ++i) {
              world->ignore_pair(pairs.data()[2 * i], pairs.data()[2 * i + 1]);
            }
          },
          "bodies"_a)
      .def("finish", [](PyWorld& self) { Entry(self)->finish(); })
      .def(
          "remove_body",
          [](PyWorld& self, int body) {
            Entry world(self);
            whole(body, 1, world->body_count() - 1, "body");
            world->remove_body(body);
          },
          "body"_a)
      .def(
          "remove_joint",
          [](PyWorld& self, int joint) {
            Entry world(self);
            check_index(joint, world->joint_count(), "joint");
            world->remove_joint(joint);
          },
          "joint"_a);
}

// Steps without the GIL. Every now and then Python's signal handlers run, which they do in the main
// thread only; what one of them raises breaks the stepping off.
template <class Stepping>
int interruptible(PyWorld& self, Stepping&& stepping) {
  Watch watch([] {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
  nb::gil_scoped_release release;
  try {
    return stepping(&watch);
  } catch (...) {
    self.torn = watch.in_step();
    throw;
  }
}

nb::tuple error_tuple(const StepError& e) {
  return nb::make_tuple(event_kinds[static_cast<int>(e.kind)], e.body, e.step,
                        nb::make_tuple(e.x, e.y, e.vx, e.vy, e.omega));
}

void bind_running(nb::class_<PyWorld>& type) {
  type.def(
          "step",
          [](PyWorld& self, int steps) {
            Entry world(self);
            return interruptible(
                self, [&](Watch* watch) { return world->step(std::max(0, steps), watch); });
          },
          "steps"_a = 1)
      .def(
          "run",
          [](PyWorld& self, int steps, int every, const IntTable& channels, OutTable out) {
            Entry world(self);
            check_channels(*world, channels);
            if (out.shape(1) != channels.shape(0)) {
              throw std::invalid_argument("out must have one column a channel");
            }
            if (every < 1) throw std::invalid_argument("every must be 1 or more");
            return interruptible(self, [&](Watch* watch) {
              return world->run(std::max(0, steps), every, channels.data(),
                                static_cast<int>(channels.shape(0)), out.data(),
                                static_cast<int>(out.shape(0)), watch);
            });
          },
          "steps"_a, "every"_a, "channels"_a, "out"_a)
      .def(
          "sample",
          [](PyWorld& self, const IntTable& channels) {
            Entry world(self);
            check_channels(*world, channels);
            std::size_t count = channels.shape(0);
            auto* values = new double[count + 1];
            world->sample(channels.data(), static_cast<int>(count), values);
            return make_array(values, count);
          },
          "channels"_a)
      .def_prop_ro("error",
                   [](PyWorld& self) -> nb::object {
                     Entry world(self);
                     if (!world->has_error()) return nb::none();
                     return error_tuple(world->error());
                   })
      .def("take_errors",
           [](PyWorld& self) {
             Entry world(self);
             nb::list errors;
             for (const StepError& error : world->take_errors()) errors.append(error_tuple(error));
             return errors;
           })
      .def_prop_ro("step_count", [](PyWorld& self) { return Entry(self)->step_count(); })
      .def_prop_ro("time", [](PyWorld& self) { return Entry(self)->time(); })
      .def_prop_ro("body_count", [](PyWorld& self) { return Entry(self)->body_count(); })
      .def_prop_ro("joint_count", [](PyWorld& self) { return Entry(self)->joint_count(); })
      .def("take_events",
           [](PyWorld& self) {
             Entry world(self);
             std::vector<Event> events = world->take_events();
             auto* data = new int32_t[events.size() * 4 + 1];
             for (std::size_t i = 0; i < events.size(); ++i) {
               int32_t* row = data + 4 * i;
               row[0] = events[i].step;
               row[1] = static_cast<int32_t>(events[i].kind);
               row[2] = events[i].a;
               row[3] = events[i].b;
             }
             return make_array(data, events.size(), 4);
           })
      .def(
          "enable_contact_events",
          [](PyWorld& self, bool enabled) { Entry(self)->enable_contact_events(enabled); },
          "enabled"_a)
      .def("statistics", [](PyWorld& self) {
        Entry world(self);
        nb::dict d;
        const Timings& t = world->timings();
        d["lanes"] = static_cast<double>(world->width());
        d["contacts"] = static_cast<double>(world->constraint_count());
        d["colors"] = static_cast<double>(world->graph_colors());
        d["awake"] = static_cast<double>(world->awake_count());
        d["pairs_ms"] = t.pairs;
        d["narrow_phase_ms"] = t.narrow;
        d["prepare_ms"] = t.prepare;
        d["solve_ms"] = t.solve;
        d["finish_ms"] = t.finish;
        d["sleep_ms"] = t.sleep;
        return d;
      });
}

template <class T, class Element>
auto member(const SharedArray<Element>& (World::*array)() const, T Element::* field) {
  return [array, field](PyWorld& self) {
    Entry world(self);
    world->finish();
    const auto& storage = ((*world).*array)();
    return view<T>(storage, &(storage.data()->*field));
  };
}

template <class T>
auto whole_array(const SharedArray<T>& (World::*array)() const) {
  return [array](PyWorld& self) {
    Entry world(self);
    world->finish();
    const auto& storage = ((*world).*array)();
    return view<T>(storage, storage.data());
  };
}

void bind_state(nb::class_<PyWorld>& type) {
  auto body_of = [](World& world, int body) {
    return check_index(body, world.body_count(), "body");
  };
  type.def_prop_ro("x", whole_array<double>(&World::x), nb::rv_policy::reference)
      .def_prop_ro("y", whole_array<double>(&World::y), nb::rv_policy::reference)
      .def_prop_ro("angle", whole_array<double>(&World::angle), nb::rv_policy::reference)
      .def_prop_ro("mass", whole_array<float>(&World::mass), nb::rv_policy::reference)
      .def_prop_ro("inertia", whole_array<float>(&World::inertia), nb::rv_policy::reference)
      .def_prop_ro("awake", whole_array<uint8_t>(&World::awake), nb::rv_policy::reference)
      .def_prop_ro("alive", whole_array<uint8_t>(&World::alive), nb::rv_policy::reference)
      .def_prop_ro("vx", member(&World::states, &BodyState::vx), nb::rv_policy::reference)
      .def_prop_ro("vy", member(&World::states, &BodyState::vy), nb::rv_policy::reference)
      .def_prop_ro("omega", member(&World::states, &BodyState::omega), nb::rv_policy::reference)
      .def(
          "center_of_mass",
          [body_of](PyWorld& self, int body) {
            Entry world(self);
            world->finish();
            Vec2 c = world->bodies()[body_of(*world, body)].local_center;
            return std::make_pair(static_cast<double>(c.x), static_cast<double>(c.y));
          },
          "body"_a)
      .def(
          "set_pose",
          [](PyWorld& self, int body, double x, double y, double angle) {
            Entry world(self);
            whole(body, 1, world->body_count() - 1, "body");
            world->set_pose(body, finite(x, "x"), finite(y, "y"), finite(angle, "angle"));
          },
          "body"_a, "x"_a, "y"_a, "angle"_a)
      .def(
          "set_velocity",
          [body_of](PyWorld& self, int body, double vx, double vy, double omega) {
            Entry world(self);
            world->set_velocity(body_of(*world, body), static_cast<float>(finite(vx, "vx")),
                                static_cast<float>(finite(vy, "vy")),
                                static_cast<float>(finite(omega, "omega")));
          },
          "body"_a, "vx"_a, "vy"_a, "omega"_a)
      .def(
          "apply_force",
          [body_of](PyWorld& self, int body, double fx, double fy, double px, double py) {
            Entry world(self);
            Vec2 force = {static_cast<float>(finite(fx, "fx")),
                          static_cast<float>(finite(fy, "fy"))};
            world->apply_force(body_of(*world, body), force, finite(px, "px"), finite(py, "py"));
          },
          "body"_a, "fx"_a, "fy"_a, "px"_a, "py"_a)
      .def(
          "apply_torque",
          [body_of](PyWorld& self, int body, double torque) {
            Entry world(self);
            world->apply_torque(body_of(*world, body),
                                static_cast<float>(finite(torque, "torque")));
          },
          "body"_a, "torque"_a)
      .def(
          "apply_impulse",
          [body_of](PyWorld& self, int body, double jx, double jy, double px, double py) {
            Entry world(self);
            Vec2 impulse = {static_cast<float>(finite(jx, "jx")),
                            static_cast<float>(finite(jy, "jy"))};
            world->apply_impulse(body_of(*world, body), impulse, finite(px, "px"),
                                 finite(py, "py"));
          },
          "body"_a, "jx"_a, "jy"_a, "px"_a, "py"_a)
      .def(
          "apply_angular_impulse",
          [body_of](PyWorld& self, int body, double impulse) {
            Entry world(self);
            world->apply_angular_impulse(body_of(*world, body),
                                         static_cast<float>(finite(impulse, "impulse")));
          },
          "body"_a, "impulse"_a)
      .def(
          "set_awake",
          [body_of](PyWorld& self, int body, bool awake) {
            Entry world(self);
            world->set_awake(body_of(*world, body), awake);
          },
          "body"_a, "awake"_a)
      .def(
          "set_motor",
          [](PyWorld& self, int joint, double target, double maximum) {
            Entry world(self);
            check_index(joint, world->joint_count(), "joint");
            world->set_motor(joint, static_cast<float>(finite(target, "target")),
                             static_cast<float>(limit(maximum, "maximum")));
          },
          "joint"_a, "target"_a, "maximum"_a)
      .def("contacts", contacts)
      .def("joint_state",
           [](PyWorld& self) {
             Entry world(self);
             world->finish();
             std::size_t rows = world->joint_count();
             auto* values = new double[rows * joint_state_size + 1];
             for (std::size_t i = 0; i < rows; ++i) {
               world->joint_state(static_cast<int>(i), values + joint_state_size * i);
             }
             return make_array(values, rows, joint_state_size);
           })
      .def("energy",
           [](PyWorld& self) {
             Entry world(self);
             world->finish();
             double kinetic, potential;
             world->energy(kinetic, potential);
             return std::make_pair(kinetic, potential);
           })
      .def("state_hash", [](PyWorld& self) {
        Entry world(self);
        world->finish();
        return world->state_hash();
      });
}

void bind_queries(nb::class_<PyWorld>& type) {
  type.def(
          "ray_cast",
          [](PyWorld& self, Point origin, Point translation, uint64_t mask) -> nb::object {
            Entry world(self);
            world->refresh_queries();
            finite(origin.first, "origin");
            finite(origin.second, "origin");
            finite(translation.first, "translation");
            finite(translation.second, "translation");
            RayHit hit{};
            if (!world->ray_cast(origin.first, origin.second, translation.first, translation.second,
                                 mask, hit)) {
              return nb::none();
            }
            return nb::make_tuple(hit.body, hit.shape, static_cast<double>(hit.fraction), hit.x,
                                  hit.y, static_cast<double>(hit.normal.x),
                                  static_cast<double>(hit.normal.y));
          },
          "origin"_a, "translation"_a, "category_mask"_a = everything)
      .def(
          "overlap_box",
          [](PyWorld& self, Point lower, Point upper, uint64_t mask) {
            for (double v : {lower.first, lower.second, upper.first, upper.second}) {
              finite(v, "box");
            }
            double cx = 0.5 * (lower.first + upper.first), cy = 0.5 * (lower.second + upper.second);
            float w = static_cast<float>(std::fabs(upper.first - lower.first) * 0.5);
            float h = static_cast<float>(std::fabs(upper.second - lower.second) * 0.5);
            Vec2 v[4] = {{-w, -h}, {w, -h}, {w, h}, {-w, h}};
            return overlap(self, v, 4, 0.0f, cx, cy, mask);
          },
          "lower"_a, "upper"_a, "category_mask"_a = everything)
      .def(
          "overlap_circle",
          [](PyWorld& self, Point center, double radius, uint64_t mask) {
            Vec2 v = {0, 0};
            return overlap(self, &v, 1, static_cast<float>(not_negative(radius, "radius")),
                           finite(center.first, "center"), finite(center.second, "center"), mask);
          },
          "center"_a, "radius"_a, "category_mask"_a = everything)
      .def(
          "overlap_point",
          [](PyWorld& self, Point point, uint64_t mask) {
            Vec2 v = {0, 0};
            return overlap(self, &v, 1, 0.0f, finite(point.first, "point"),
                           finite(point.second, "point"), mask);
          },
          "point"_a, "category_mask"_a = everything);
}

}  // namespace

void bind_world(nb::module_& module) {
  nb::register_exception_translator(raise_usage_error);
  nb::class_<PyWorld> type(module, "World");
  type.doc() = "The engine. Body 0 is `world`, a static body without shapes.";
  bind_building(type);
  bind_running(type);
  bind_state(type);
  bind_queries(type);
}

}  // namespace rigid
