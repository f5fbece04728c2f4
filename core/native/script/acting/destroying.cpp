// SPDX-License-Identifier: MIT
// Replaces bodies by pieces that keep their motion, with the formulas of
// core/world/destroying/destroy.py.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include "script/runner.h"
#include "script/turning.h"

namespace rigid::script {

namespace {

constexpr double slender = 5.0;  // a bar is so many times as long as wide

using cutting::Piece;

// ------------------------------------------------------------ rows

// As core/world/building/polygons.py.
bool is_convex(const PlanePolygon& points) {
  PlanePoint a = points[points.size() - 2], b = points.back();
  for (const PlanePoint c : points) {
    if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) < 0.0) return false;
    a = b;
    b = c;
  }
  return true;
}

void add_halved(const PlanePolygon& points, std::vector<PlanePolygon>& parts) {
  if (points.size() <= max_vertices) {
    parts.push_back(points);
    return;
  }
  const auto middle = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
  add_halved({points.begin(), middle + 1}, parts);
  PlanePolygon rest(middle, points.end());
  rest.push_back(points.front());
  add_halved(rest, parts);
}

std::vector<PlanePolygon> convex_parts(const PlanePolygon& points,
                                       const std::vector<PlanePolygon>& holes) {
  std::vector<PlanePolygon> parts;
  if (holes.empty() && is_convex(points)) {
    add_halved(points, parts);
  } else {
    for (const PlanePolygon& part : decompose_polygon(points, holes)) add_halved(part, parts);
  }
  return parts;
}

std::shared_ptr<const Form> form_of_piece(const Breakable& piece) {
  Form form{};
  std::vector<double> areas;
  const auto part_of = [](const PlanePolygon& points) {
    ConvexPart part{};
    for (const PlanePoint point : points) {
      part.corners.push_back(point.x);
      part.corners.push_back(point.y);
    }
    return part;
  };
  for (std::size_t i = 0; i < piece.outlines.size(); ++i) {
    const PlanePolygon& outline = piece.outlines[i];
    std::vector<double> inner;
    for (const PlanePolygon& hole : piece.holes[i]) {
      inner.push_back(std::fabs(cutting::signed_area(hole)));
    }
    areas.push_back(std::fabs(cutting::signed_area(outline)) - rounded_sum(inner).value_or(0.0));
    form.outlines.push_back(part_of(outline));
    for (const PlanePolygon& part : convex_parts(outline, piece.holes[i])) {
      form.solids.push_back(part_of(part));
    }
  }
  form.area = rounded_sum(areas).value_or(0.0);
  return std::make_shared<const Form>(std::move(form));
}

struct Rows {
  std::vector<BodyRow> bodies;
  std::vector<ShapeRow> shapes;
  std::vector<double> corners;
  std::vector<BarRow> bars;
};

// The convex parts of a polygon; several know their neighbours on its outline.
void add_polygon(const PlanePolygon& points, const std::vector<PlanePolygon>& holes, ShapeRow row,
                 Rows& rows) {
  const std::vector<PlanePolygon> parts = convex_parts(points, holes);
  using Corner = std::pair<double, double>;
  std::map<Corner, PlanePoint> before, after;
  const auto add_ring = [&](const PlanePolygon& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Corner corner{ring[i].x, ring[i].y};
      before[corner] = i == 0 ? ring.back() : ring[i - 1];
      after[corner] = ring[(i + 1) % ring.size()];
    }
  };
  if (parts.size() > 1) {
    add_ring(points);
    for (const PlanePolygon& hole : holes) add_ring(hole);
  }
  const bool is_alone = parts.size() == 1;
  row.radius = 0.0;
  row.kind = static_cast<int32_t>(is_alone ? ShapeKind::polygon : ShapeKind::polygon_part);
  const auto add = [&rows](PlanePoint point) {
    rows.corners.push_back(point.x);
    rows.corners.push_back(point.y);
  };
  for (const PlanePolygon& part : parts) {
    row.first_point = static_cast<int32_t>(rows.corners.size() / 2);
    row.point_count = static_cast<int32_t>(is_alone ? part.size() : 3 * part.size());
    for (const PlanePoint point : part) add(point);
    for (const auto* around : {&before, &after}) {
      for (const PlanePoint point : part) {
        if (!is_alone) add(around->at({point.x, point.y}));
      }
    }
    rows.shapes.push_back(row);
  }
}

// As `find_bar` of core/scene/blocks/joints/bars.py.
void add_bar(const PlanePolygon& points, int body, const Exact& exact, Rows& rows) {
  const std::size_t count = points.size();
  const PlanePoint first = points[0];
  double area = 0.0, longest = 0.0;
  PlanePoint axis{0.0, 0.0};
  for (std::size_t i = 0; i < count; ++i) {
    const PlanePoint a = points[i], b = points[(i + 1) % count];
    area += (a.x - first.x) * (b.y - first.y) - (b.x - first.x) * (a.y - first.y);
  }
  const auto [low, high] = cutting::bounds({&points, 1});
  const double width = high.x - low.x + 2.0 * 0.0, height = high.y - low.y + 2.0 * 0.0;
  if (!(0.5 * std::fabs(area) * slender <= (width * width + height * height) * (1.0 + 1e-6))) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const PlanePoint a = points[i], b = points[(i + 1) % count];
    const double dx = b.x - a.x, dy = b.y - a.y;
    if (dx * dx + dy * dy < longest * longest) continue;
    const double length = cutting::hypot_of(dx, dy, exact);
    if (length > longest * (1.0 + 1e-9)) {
      longest = length;
      axis = {dx / length, dy / length};
    }
  }
  PlanePolygon turned;
  for (const PlanePoint point : points) {
    turned.push_back({point.x * axis.x + point.y * axis.y, point.y * axis.x - point.x * axis.y});
  }
  const auto [least, most] = cutting::bounds({&turned, 1});
  const double across = most.y - least.y;
  if (most.x - least.x < slender * across * (1.0 - 1e-9)) return;
  const double middle = 0.5 * (least.y + most.y);
  BarRow row{};
  row.body = body;
  row.left_x = least.x * axis.x - middle * axis.y;
  row.left_y = least.x * axis.y + middle * axis.x;
  row.right_x = most.x * axis.x - middle * axis.y;
  row.right_y = most.x * axis.y + middle * axis.x;
  rows.bars.push_back(row);
}

PlanePolygon moved(const PlanePolygon& points, PlanePoint center) {
  PlanePolygon found;
  for (const PlanePoint point : points) found.push_back({point.x - center.x, point.y - center.y});
  return found;
}

// ------------------------------------------------------------ motion

struct Kick {
  double vx = 0.0, vy = 0.0, spin = 0.0;
};

Kick kick_of(const Destruction& how, PlanePoint away, int64_t seed, const std::string& path,
             int call, const Exact& exact) {
  Kick kick;
  const double far = std::sqrt(away.x * away.x + away.y * away.y);
  if (how.radial != 0.0 && far > 0.0) {
    kick.vx = how.radial * (away.x / far);
    kick.vy = how.radial * (away.y / far);
  }
  if (how.random != 0.0) {
    const double turn = cutting::uniform(seed, path, call, 0.0, 2.0 * std::numbers::pi);
    const double speed = cutting::uniform(seed, path, call + 1, 0.0, how.random);
    const Turn to = turn_of(turn, exact);
    kick.vx = kick.vx + speed * to.cosine;
    kick.vy = kick.vy + speed * to.sine;
  }
  if (how.spin != 0.0) kick.spin = cutting::uniform(seed, path, call + 2, -how.spin, how.spin);
  return kick;
}

// Pose and motion of a body, which its pieces take over.
struct Moving {
  double x, y, angle, vx, vy, omega, mass, weight = 0.0;
  Turn turn;
  PlanePoint center;

  Moving(const Broken& was, const Breakable& body, const std::vector<Piece>& pieces,
         const Exact& exact)
      : turn(turn_of(was.motion[2], exact)), center{was.motion[8], was.motion[9]} {
    x = was.motion[0];
    y = was.motion[1];
    angle = was.motion[2];
    vx = was.motion[3];
    vy = was.motion[4];
    omega = was.motion[5];
    for (const Piece& piece : pieces) weight += piece.weight;
    const bool is_dynamic = was.kind == static_cast<int>(BodyKind::dynamic);
    mass = is_dynamic ? was.motion[6] : weight;
    if (!is_dynamic) return;
    double sx = 0.0, sy = 0.0;
    for (const Piece& piece : pieces) sx += piece.weight * piece.center.x;
    for (const Piece& piece : pieces) sy += piece.weight * piece.center.y;
    center = {sx / weight, sy / weight};
    if (!std::isnan(body.row.inertia) || !std::isnan(body.row.center_x)) return;
    double about = 0.0;
    for (const Piece& piece : pieces) {
      about += piece.inertia + piece.weight * cutting::squared_distance(piece.center, center);
    }
    const double together = about * mass / weight;
    if (together > 0.0) omega *= was.motion[7] / together;
  }

  PlanePoint turned(PlanePoint point) const {
    return {turn.cosine * point.x - turn.sine * point.y,
            turn.sine * point.x + turn.cosine * point.y};
  }

  BodyRow row_of(const Breakable& body, const Piece& piece, const Kick& kick,
                 PlanePoint away) const {
    const double no_value = std::numeric_limits<double>::quiet_NaN();
    const PlanePoint place = turned(piece.center);
    BodyRow row = body.row;
    row.kind = static_cast<int32_t>(BodyKind::dynamic);
    row.x = x + place.x;
    row.y = y + place.y;
    row.angle = angle;
    row.vx = vx - omega * away.y + kick.vx;
    row.vy = vy + omega * away.x + kick.vy;
    row.omega = omega + kick.spin;
    row.mass = mass * (piece.weight / weight);
    row.inertia = row.center_x = row.center_y = no_value;
    row.fixed_rotation = Flag{};
    row.awake = 1;
    return row;
  }
};

}  // namespace

// The body of a slot, if it may break.
const Breaking* Runner::breaking_of(int slot, int64_t id) const {
  if (slot < program_->bodies) {
    const bool is_known = slot < static_cast<int>(own_breaking_.size());
    return is_known && own_breaking_[slot].what ? &own_breaking_[slot] : nullptr;
  }
  const auto found = state_.breaking.find(id);
  return found == state_.breaking.end() ? nullptr : &found->second;
}

// Breaks a body; false where the host has to, and nothing has changed then.
bool Runner::destroy(World& world, const Action& action, const Found& found, const Exact& exact) {
  const Destruction& how = program_->destructions[action.what];
  const int slot = slot_of(world, action.members.bodies[0], &found);
  if (slot < 0) return true;
  world.finish();
  const Bodies& bodies = world.parts().bodies;
  const int64_t id = bodies.slots.id(slot), step = now(world);
  const Breaking* const breaking = breaking_of(slot, id);
  if (breaking == nullptr) return fail(Fault::number);  // it has no area
  auto [name, what, origin, along] = *breaking;
  const int64_t seed = how.has_seed ? how.seed : state_.seed;
  const std::string path = "destroy." + name;
  std::vector<double> densities;
  for (const ShapeRow& row : what->shapes) densities.push_back(row.density);
  const BodyState& state = bodies.states[slot];
  const Vec2 local = bodies[slot].local_center;
  Broken broken{
      action.what,
      id,
      static_cast<int>(bodies[slot].kind),
      bodies[slot].collides,
      {bodies.x[slot], bodies.y[slot], bodies.angle[slot], state.vx, state.vy, state.omega,
       bodies.mass[slot], bodies.inertia[slot], local.x, local.y, no_number, no_number},
      {},
      {}};
  const int first = bodies.find(along[0]), second = bodies.find(along[1]);
  if (first > 0 && second > 0) {
    broken.motion[10] = bodies.x[second] - bodies.x[first];
    broken.motion[11] = bodies.y[second] - bodies.y[first];
    along = {none, none};  // from now on it stays as it is
  }
  cutting::Pieces cut;
  Rows rows;
  std::vector<Breaking> pieces;
  Added added;
  const bool is_known = slot < static_cast<int>(state_.tags.size());
  const Tags& was = is_known ? state_.tags[slot] : no_tags;
  Tags tags = how.has_tags ? how.tags : was;
  tags.add(was, program_->materials);
  std::vector<JointRow> joints;
  std::vector<ForceRow> forces;
#ifndef RIGID_SMALL
  std::vector<Mount> mounts;
#endif
  try {
    cut = cutting::cut_shapes({what->outlines, densities, what->picture, what->holes},
                              {how.boxes, how.count, seed}, path, exact);
    const auto coming = static_cast<int64_t>(cut.all.size());
    const Limits& limits = program_->limits;
    if (coming == 0 || there(world) + coming > limits.bodies) return fail(Fault::number);
    if (births_now_ + coming > limits.births_at_once) return fail(Fault::births_at_once);
    if (state_.births + coming > limits.births) return fail(Fault::births);
    const Moving motion(broken, *what, cut.all, exact);
    const std::vector<int> slots = bodies.slots.next(static_cast<int>(coming));
    for (int i = 0; i < static_cast<int>(coming); ++i) {
      const Piece& piece = cut.all[i];
      const PlanePoint away =
          motion.turned({piece.center.x - motion.center.x, piece.center.y - motion.center.y});
      const Kick kick = kick_of(how, away, seed, path + ".kick", 3 * i, exact);
      BodyRow row = motion.row_of(*what, piece, kick, away);
      row.collide = broken.collides && how.collide ? 1 : 0;
      rows.bodies.push_back(row);
      Breakable own{row, {}, {}, {}, {}};
      for (const cutting::Part& part : piece.parts) {
        ShapeRow shape = what->shapes[part.number];
        shape.body = slots[i];
        own.shapes.push_back(shape);
        own.outlines.push_back(moved(part.points, piece.center));
        std::vector<PlanePolygon>& holes = own.holes.emplace_back();
        for (const PlanePolygon& hole : part.holes) holes.push_back(moved(hole, piece.center));
        add_polygon(own.outlines.back(), holes, shape, rows);
      }
      if (own.outlines.size() == 1 && own.holes[0].empty())
        add_bar(own.outlines[0], slots[i], exact, rows);
      for (const PlanePolygon& part : piece.seen) {
        PlanePolygon seen = moved(part, piece.center);
        if (!(cutting::signed_area(seen) > 0.0)) std::reverse(seen.begin(), seen.end());
        own.picture.push_back(std::move(seen));
      }
      pieces.push_back({name + "." + std::to_string(i + 1),
                        std::make_shared<const Breakable>(std::move(own)),
                        {origin.x - piece.center.x, origin.y - piece.center.y},
                        along});
    }
#ifndef RIGID_SMALL
    for (int i = 0; i < static_cast<int>(coming); ++i) {
      const bool moves = rows.bodies[i].kind == static_cast<int>(BodyKind::dynamic);
      if (moves) join(world, tags, {0, none, i, nullptr, {}}, mounts);
    }
    mount_rows(mounts, slots, joints, forces);
#endif
#ifdef RIGID_SMALL
    added = add_fragment(world, {rows.bodies, rows.shapes, rows.corners, {}, rows.bars, {}});
#else
    const std::span<const ForceRow> own_forces = engine() == nullptr ? forces : no_forces;
    added = with_forces(
        forces,
        add_fragment(
            world, {rows.bodies, rows.shapes, rows.corners, {joints, own_forces}, rows.bars, {}}));
#endif
  } catch (const std::invalid_argument&) {
    return fail(Fault::number);
  }
  births_now_ += static_cast<int>(cut.all.size());
  state_.births += static_cast<int64_t>(cut.all.size());
  changed_ = true;
#ifndef RIGID_SMALL
  std::vector<Birth> births(1);
  mount(world, pieces.size(), mounts, added, 0, births);
  broken.joined = std::move(births[0].joined);
#endif
  const auto parent = std::find_if(state_.born.begin(), state_.born.end(),
                                   [id](const Born& each) { return each.id == id; });
  const int born_as = parent == state_.born.end() ? none : parent->name;
  const int own = slot < program_->bodies ? slot : none;
  const int root = parent == state_.born.end() ? own : parent->root;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    take_in({added.bodies[i], born_as, root}, tags);
    if (!program_->own_forms.empty()) learn(added.bodies[i], form_of_piece(*pieces[i].what));
    find_pulled(added.bodies[i], pieces[i].name);
    state_.breaking[added.bodies[i]] = std::move(pieces[i]);
  }
  broken.pieces = added.bodies;
  note({step, static_cast<int>(News::pieces), static_cast<int64_t>(broken_.size()), -1});
  broken_.push_back(std::move(broken));
  remove_body(world, slot);
  if (!std::isnan(how.lifetime)) end_later(step, how.lifetime, added.bodies);
  return true;
}

}  // namespace rigid::script
