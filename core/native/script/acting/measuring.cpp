// SPDX-License-Identifier: MIT
// Areas and sides of bodies and their distances from explosions, with the bits of
// core/world/aggregates.py and core/world/distances.py.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "engine/queries/queries.h"
#include "script/forms.h"
#include "script/runner.h"
#include "script/turning.h"
#include "sorting.h"

namespace rigid::script {

namespace {

constexpr double most_of_impulse = 1e15;  // beyond it the engine takes no number

using Corners = std::vector<double>;

// ------------------------------------------------------------ sides

// The side of the box round a body; nothing where it has no corners.
std::optional<double> side_of(const Form& form, Over over, const Frame& frame, const Exact& exact) {
  const bool is_x = over == Over::low_x || over == Over::high_x;
  const double sign = over == Over::high_x || over == Over::high_y ? 1.0 : -1.0;
  const auto [c, s] = turn_of(frame.angle, exact);
  const double along_x = is_x ? c : s, along_y = is_x ? -s : c;
  const double place = is_x ? frame.x : frame.y;
  std::optional<double> side;
  for (const ConvexPart& shape : form.outlines) {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < shape.corners.size(); i += 2) {
      const double x = shape.corners[i], y = shape.corners[i + 1];
      most = std::max(most, sign * (along_x * x + along_y * y));
    }
    const double own = sign * place + most + shape.radius;
    if (!side || own > *side) side = own;
  }
  return side;
}

// ------------------------------------------------------------ distances

double to_segment(const Numbers& a, const Numbers& b, const Numbers& place) {
  const double x = b[0] - a[0], y = b[1] - a[1];
  double dx = place[0] - a[0], dy = place[1] - a[1];
  const double length = x * x + y * y;
  const double part = length == 0.0 ? 0.0 : std::clamp((dx * x + dy * y) / length, 0.0, 1.0);
  dx = dx - part * x;
  dy = dy - part * y;
  return std::sqrt(dx * dx + dy * dy);
}

// To a point, a line or a convex polygon.
double distance_to(const Corners& corners, const Numbers& place) {
  const std::size_t count = corners.size() / 2;
  const auto corner = [&](std::size_t i) {
    return Numbers{corners[2 * (i % count)], corners[2 * (i % count) + 1]};
  };
  if (count == 1) return to_segment(corner(0), corner(0), place);
  double least = std::numeric_limits<double>::infinity(), most = -least, nearest = least;
  for (std::size_t i = 0; i < count; ++i) {
    const Numbers a = corner(i), b = corner(i + 1);
    const double turn = (b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0]);
    least = std::min(least, turn);
    most = std::max(most, turn);
    nearest = std::min(nearest, to_segment(a, b, place));
  }
  return count > 2 && (least >= 0.0 || most <= 0.0) ? 0.0 : nearest;
}

double distance_to(const Form& form, const Frame& frame, const Numbers& place, const Exact& exact) {
  const auto [c, s] = turn_of(frame.angle, exact);
  const double dx = place[0] - frame.x, dy = place[1] - frame.y;
  const Numbers local{c * dx + s * dy, c * dy - s * dx};
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& [ax, ay, bx, by] : form.borders) {
    const double x = bx - ax, y = by - ay;
    const double height = (x * (local[1] - ay) - y * (local[0] - ax)) / std::sqrt(x * x + y * y);
    nearest = std::min(nearest, std::max(0.0, height));
  }
  for (const ConvexPart& part : form.solids) {
    nearest = std::min(nearest, std::max(0.0, distance_to(part.corners, local) - part.radius));
  }
  return nearest;
}

}  // namespace

// Keeps the form of a body that was born.
void Runner::learn(int64_t id, std::shared_ptr<const Form> form) {
  if (state_.forms == nullptr) {
    state_.forms = std::make_shared<FormTable>();
  } else if (state_.forms.use_count() > 1) {  // a copy of the state has it too
    state_.forms = std::make_shared<FormTable>(*state_.forms);
  }
  state_.forms->of[id] = std::move(form);
}

void Runner::unlearn(int64_t id) {
  if (state_.forms != nullptr && state_.forms.use_count() == 1) state_.forms->of.erase(id);
}

// Whether a body that was born is a piece of one of some bodies whose pieces count.
bool Runner::is_piece(const Members& members, const Born& born) const {
  const std::vector<int>& all = members.bodies;
  if (!members.pieces) return false;
  if (std::find(all.begin(), all.end(), born.root) != all.end()) return true;
#ifndef RIGID_SMALL
  const auto piece = state_.breaking.find(born.id);
  if (copy_ == nullptr || piece == state_.breaking.end()) return false;
  const Spawn& spawn = program_->spawns[copy_->spawn];
  const std::vector<Part>& parts = program_->originals[spawn.original].parts;
  const std::string whose =
      program_->texts[program_->names[spawn.name]] + "[" + std::to_string(copy_->count) + "].";
  for (int owner : all) {
    const bool is_own = owner <= first_own;
    if (!is_own) continue;
    const std::string& part = parts[first_own - owner].name;
    if (piece->second.name.starts_with(whose + part + ".")) return true;
  }
#endif
  return false;
}

// The birth of a body; null for those of the scene.
const Born* Runner::born_of(const Bodies& bodies, int slot) const {
  const State& state = tagging_ != nullptr ? *tagging_ : state_;
  const int64_t id = bodies.slots.id(slot);
  for (const Born& each : state.born) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

// The form of a body; none where the host alone knows it.
const Form* Runner::form_of(const WorldParts& parts, int slot) const {
  const auto place = static_cast<std::size_t>(slot);
  if (slot < program_->bodies) {
    const bool has = place < program_->own_forms.size() && program_->own_forms[place] != none;
    return has ? program_->forms[program_->own_forms[place]].get() : nullptr;
  }
  const State& state = tagging_ != nullptr ? *tagging_ : state_;
  if (state.forms == nullptr) return nullptr;
  const auto found = state.forms->of.find(parts.bodies.slots.id(slot));
  return found == state.forms->of.end() ? nullptr : found->second.get();
}

// The size of the momentum, the area or a side of bodies, of which there are some.
std::optional<double> Runner::measured(Reading& reading, Over over, std::span<const int> slots,
                                       const Exact& exact) const {
  const WorldParts& parts = reading.world;
  const Bodies& bodies = parts.bodies;
  const double sign = over == Over::high_x || over == Over::high_y ? 1.0 : -1.0;
  std::vector<double> first, second;
  for (int slot : slots) {
    if (over == Over::momentum) {
      const double mass = bodies.mass[slot];
      first.push_back(mass * static_cast<double>(bodies.states[slot].vx));
      second.push_back(mass * static_cast<double>(bodies.states[slot].vy));
      continue;
    }
    const Form* const form = form_of(parts, slot);
    if (form == nullptr) return std::nullopt;
    if (over == Over::area) {
      first.push_back(form->area);
    } else if (const auto side = side_of(*form, over, frame_of(bodies, slot), exact)) {
      first.push_back(*side);
    }
  }
  if (over == Over::momentum) {
    const std::optional<double> x = rounded_sum(first), y = rounded_sum(second);
    return x && y ? length_of(*x, *y, exact) : std::nullopt;
  }
  if (over == Over::area) return rounded_sum(first);
  return first.empty() ? 0.0 : sign * *std::max_element(first.begin(), first.end());
}

// A channel of a body, or one of its sides behind all channels.
std::optional<double> Runner::of_body(Reading& reading, int slot, int channel,
                                      const Exact& exact) const {
  const auto known = static_cast<int>(channels().size());
  if (channel < known) return read_channel(reading, channel, slot);
  const int side = channel - known + static_cast<int>(Over::low_x);
  return measured(reading, static_cast<Over>(side), {&slot, 1}, exact);
}

std::optional<double> Runner::ask_view(World& world, int number) const {
  if (!view_) return std::nullopt;
  world.finish();
  const Bodies& bodies = world.parts().bodies;
  std::vector<double> rows;
  for (int body = 1; body < program_->bodies; ++body) {
    const double is_there = bodies.alive[body] != 0 ? 1.0 : 0.0;
    rows.insert(rows.end(), {bodies.x[body], bodies.y[body], bodies.angle[body], is_there});
  }
  return (*view_)(number, now(world), rows);
}

// Pushes the bodies about a place away from it; false where the host has to, and nothing has
// changed then.
bool Runner::explode(World& world, const Action& action, const Found& found, const Exact& exact) {
  world.finish();
  const std::vector<int64_t> uses = state_.uses;
  const auto leave = [&] {
    state_.uses = uses;
    return false;
  };
  bool fails = false;
  std::optional<Numbers> where = place_of(world, action.spot, &found, exact, fails);
  if (!where) return !fails || leave();
  where = of_copy(action.spot, *where);
  const std::optional<Numbers> amount = value(world, action.amount, &found, exact);
  if (!amount) return leave();
  const double strength = (*amount)[0];
  const double radius = copy_ == nullptr ? (*amount)[1] : (*amount)[1] * place_.scale;
  for (double each : {(*where)[0], (*where)[1], radius}) {
    if (!(std::fabs(each) <= most_of_impulse)) return leave();
  }
  if (!(radius > 0.0)) return leave();
  const Broadphase& broadphase = world.refreshed_broadphase();
  const WorldParts& parts = world.parts();
  const Bodies& bodies = parts.bodies;
  const Vec2 middle{0.0f, 0.0f};
  Vec2 normal{};
  compute_normals(ShapeKind::circle, &middle, 1, &normal);
  const Shape circle{ShapeKind::circle, 1,       static_cast<float>(radius),
                     &middle,           &normal, compute_centroid(ShapeKind::circle, &middle, 1)};
  std::vector<int> slots;
  for (const auto& [body, shape] : overlap_shape(bodies, parts.shapes, broadphase, circle,
                                                 (*where)[0], (*where)[1], ~uint64_t{0})) {
    slots.push_back(body);
  }
  rigid::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::vector<Push> pushes;
  for (int slot : slots) {
    if (slot == 0 || bodies[slot].kind != BodyKind::dynamic) continue;
    const Form* const form = form_of(parts, slot);
    if (form == nullptr) return leave();
    const Frame frame = frame_of(bodies, slot);
    const auto [c, s] = turn_of(frame.angle, exact);
    const double cx = bodies[slot].local_center.x, cy = bodies[slot].local_center.y;
    const double dx = frame.x + (c * cx - s * cy) - (*where)[0];
    const double dy = frame.y + (s * cx + c * cy) - (*where)[1];
    const double distance = std::sqrt(dx * dx + dy * dy);
    const double share = 1.0 - distance_to(*form, frame, *where, exact) / radius;
    if (!(share > 0.0 && distance > 0.0)) continue;
    const double size = strength * share / distance, x = size * dx, y = size * dy;
    if (!(std::fabs(x) <= most_of_impulse && std::fabs(y) <= most_of_impulse)) return leave();
    pushes.push_back({Push::Kind::impulse,
                      slot,
                      {static_cast<float>(x), static_cast<float>(y)},
                      bodies[slot].center_x,
                      bodies[slot].center_y});
  }
  for (const Push& push : pushes) blow(world, push);
  return true;
}

}  // namespace rigid::script
