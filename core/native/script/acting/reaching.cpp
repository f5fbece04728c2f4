// SPDX-License-Identifier: MIT
// Inverse kinematics of a chain of hinges, with the formulas of core/world/script/reaching.py.
#include <algorithm>
#include <cmath>

#include "engine/channels.h"
#include "engine/joints/joint.h"
#include "script/runner.h"
#include "script/turning.h"

namespace rigid::script {

namespace {

constexpr int corrections = 200;
constexpr double least_damping = 1e-4, close = 1e-6, bend = 0.3, largest_change = 0.5;

struct Hinge {
  Numbers at;
  double sense, angle, lower, upper;
};

double clamped(double value, double low, double high) {
  if (low > value) value = low;
  return high < value ? high : value;
}

Numbers turned_about(const Numbers& center, const Numbers& point, Turn turn) {
  const double x = point[0] - center[0], y = point[1] - center[1];
  return {center[0] + (turn.cosine * x - turn.sine * y),
          center[1] + (turn.sine * x + turn.cosine * y)};
}

// The changes of the angles; a hinge that would be turned beyond its limit takes no part. Empty
// where a number is not finite.
std::vector<double> changes_of(const std::vector<Hinge>& hinges, const std::vector<Numbers>& rates,
                               const Numbers& error, double damping) {
  std::vector<int> free;
  for (std::size_t i = 0; i < hinges.size(); ++i) free.push_back(static_cast<int>(i));
  while (true) {
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i : free) {
      xx += rates[i][0] * rates[i][0];
      yy += rates[i][1] * rates[i][1];
      xy += rates[i][0] * rates[i][1];
    }
    xx = damping + xx;
    yy = damping + yy;
    const double area = xx * yy - xy * xy;
    if (area == 0.0 || !std::isfinite(area)) return {};
    const double fx = (yy * error[0] - xy * error[1]) / area;
    const double fy = (xx * error[1] - xy * error[0]) / area;
    std::vector<double> changes(hinges.size(), 0.0);
    std::vector<int> rest;
    for (int i : free) {
      const double change = rates[i][0] * fx + rates[i][1] * fy;
      changes[i] = clamped(change, -largest_change, largest_change);
      const double beyond = change > 0.0 ? hinges[i].upper : hinges[i].lower;
      if (hinges[i].angle != beyond || change == 0.0) rest.push_back(i);
    }
    if (rest.size() == free.size()) return changes;
    free = std::move(rest);
  }
}

// Turns the hinges, and all that they carry.
void turn_all(std::vector<Hinge>& hinges, const std::vector<double>& changes, Numbers& tip,
              const Exact& exact) {
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    Hinge& hinge = hinges[i];
    const double angle = clamped(hinge.angle + changes[i], hinge.lower, hinge.upper);
    const Turn turn = turn_of(hinge.sense * (angle - hinge.angle), exact);
    hinge.angle = angle;
    for (std::size_t k = i + 1; k < hinges.size(); ++k) {
      hinges[k].at = turned_about(hinge.at, hinges[k].at, turn);
    }
    tip = turned_about(hinge.at, tip, turn);
  }
}

// Sets the angles, from the base to the tip, for which the tip is nearest to a place; false where
// a number is not finite.
bool reach_for(std::vector<Hinge>& hinges, Numbers tip, const Numbers& target, const Exact& exact) {
  double length = 0.0;
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    const Numbers& end = i + 1 < hinges.size() ? hinges[i + 1].at : tip;
    const auto part = length_of(end[0] - hinges[i].at[0], end[1] - hinges[i].at[1], exact);
    if (!part) return false;
    length += *part;
  }
  if (!std::isfinite(length)) return false;
  if (!(length > 0.0)) return true;
  bool bent = false;  // a straight chain has no rates along itself
  for (int turn = 0; turn < corrections; ++turn) {
    Numbers error{target[0] - tip[0], target[1] - tip[1]};
    const std::optional<double> size = length_of(error[0], error[1], exact);
    if (!size) return false;
    if (*size <= close * length) return true;
    if (*size > length) {  // of a far place no more than its direction counts
      error = {error[0] * length / *size, error[1] * length / *size};
    }
    const double near = std::min(*size, length);
    const double damping = 0.5 * near * near + least_damping * length * length;
    std::vector<Numbers> rates;
    for (const Hinge& each : hinges) {
      const double x = tip[0] - each.at[0], y = tip[1] - each.at[1];
      rates.push_back({-each.sense * y, each.sense * x});
    }
    std::vector<double> changes = changes_of(hinges, rates, error, damping);
    if (changes.empty()) return false;
    const auto is_small = [](double change) { return std::fabs(change) < close; };
    if (std::all_of(changes.begin(), changes.end(), is_small)) {
      const Numbers& base = hinges[0].at;
      const double along = error[0] * (tip[0] - base[0]) + error[1] * (tip[1] - base[1]);
      if (bent || along >= 0.0) return true;
      bent = true;
      changes[0] = 0.0;
      for (std::size_t i = 1; i < hinges.size(); ++i) {  // away from its nearer limit
        const Hinge& each = hinges[i];
        changes[i] = each.upper - each.angle < each.angle - each.lower ? -bend : bend;
      }
    }
    turn_all(hinges, changes, tip, exact);
  }
  return true;
}

}  // namespace

// Sets the motors of a chain to the angles with which it reaches a place; false where the host has
// to, and nothing has changed then.
bool Runner::reach(World& world, const Action& action, const Found& found, const Exact& exact) {
  const Reach& plan = program_->reaches[action.what];
  world.finish();
  bool fails = false;
  const std::optional<Numbers> tip = place_of(world, plan.tip, nullptr, exact, fails);
  if (fails) return false;
  std::optional<Numbers> target = place_of(world, action.spot, &found, exact, fails);
  if (fails) return false;
  if (!tip || !target) return true;
  target = of_copy(action.spot, *target);
  const WorldParts& parts = world.parts();
  std::vector<Hinge> hinges;
  Reading reading(parts);
  std::vector<int> slots;
  for (const ChainHinge& each : plan.hinges) {
    slots.push_back(joint_of(scene(world), each.joint));
    if (slots.back() < 0 || is_broken(parts.joints[slots.back()])) return true;
  }
  for (const ChainHinge& each : plan.hinges) {
    const int slot = slots[hinges.size()];
    const Joint& joint = parts.joints[slot];
    const int body = each.end == 0 ? joint.body_a : joint.body_b;
    const Frame frame = frame_of(parts.bodies, body);
    const Turn turn = turn_of(frame.angle, exact);
    const Numbers at{frame.x + (turn.cosine * each.x - turn.sine * each.y),
                     frame.y + (turn.sine * each.x + turn.cosine * each.y)};
    const double angle = read_channel(reading, each.channel, slot);
    hinges.push_back({at, each.end == 0 ? -1.0 : 1.0, clamped(angle, each.lower, each.upper),
                      each.lower, each.upper});
  }
  if (!reach_for(hinges, *tip, *target, exact)) return false;
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    const Hinge& hinge = hinges[i];
    const bool relative = plan.hinges[i].relative && hinge.upper > hinge.lower;
    const double goal =
        relative ? (hinge.angle - hinge.lower) / (hinge.upper - hinge.lower) : hinge.angle;
    const Place place{Target::motor_target, plan.hinges[i].motor, none};
    if (!set(scene(world), place, place.owner, {goal, 0.0})) return false;
  }
  return true;
}

}  // namespace rigid::script
