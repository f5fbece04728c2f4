// SPDX-License-Identifier: MIT
// The search for impact problems and their solution in each stage.
#include "engine/collision/impact_problems.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "engine/data/trees.h"
#include "sorting.h"

namespace rigid {

namespace {

// Error of the distance of two balls in single precision, as a share of their radii.
constexpr double single_rounding = 1e-5;
// The cost of an impulse, as a share of its row's response. The impulses of racks of more than ten
// balls are not unique, and friction depends on them: the smallest ones are those of a rack that
// yields a little everywhere. Changes of velocity in a pass show convergence only with this share.
constexpr double impact_give = 1e-6;
constexpr double settled_share = 1e-14;
constexpr double endless = std::numeric_limits<double>::infinity();

double along(const ImpactRow& row, double x, double y) { return row.x * x + row.y * y; }

// Newton's law; a contact with a gap may close it (impulse_kernels.h).
double rebound_of(double restitution, double speed, double gap, const StepParameters& p) {
  if (speed > 0) return -speed;
  const bool bounces = restitution * speed < 0 && gap + p.h * speed < 0;
  return gap > 0 && !bounces ? -gap * p.inverse_h : -restitution * speed;
}

}  // namespace

bool ImpactProblems::is_ball(int body) const {
  const ShapeList& shapes = shapes_.of_body[body];
  if (shapes.size() != 1 || bodies_[body].acting_joints > 0) return false;
  const WorldShape& shape = shapes_[shapes[0]];
  return shape.kind == ShapeKind::circle && shape.core_extent == 0.0f;
}

// Contacts between balls, or of a ball with a body that cannot move. Balls pulled onto something
// form a pile, which passes support well, and at lower cost.
bool ImpactProblems::may_take(const Contact& contact) const {
  if (contact.rolling_resistance > 0.0f || chains_.is_smooth_chain(contact)) return false;
  bool pulled = false, fixed = false;
  for (int body : {contact.body_a, contact.body_b}) {
    if (!can_move(bodies_.inverse_masses[body])) {
      fixed = true;
      continue;
    }
    if (!is_ball(body)) return false;
    const BodyStep& step = bodies_.steps[body];
    pulled |= step.ax != 0.0f || step.ay != 0.0f;
  }
  return !(pulled && fixed);
}

void ImpactProblems::find() {
  impact_problems_.clear();
  touches_.clear();
  members_.clear();
  if (lanes_.contact_count() > constants::most_settled) return;
  const std::vector<int>& near = contacts_.near();
  auto is_pair = [](const Contact& c) { return c.color >= 0 && c.round_a && c.round_b; };
  if (std::none_of(near.begin(), near.end(), [&](int i) { return is_pair(contacts_[i]); })) {
    return;
  }
  // Trees of contacts that share a moving body.
  found_.clear();
  for (int i : near) {
    if (contacts_[i].color >= 0) found_.push_back(i);
  }
  const int count = static_cast<int>(found_.size());
  parents_.resize(count);
  std::iota(parents_.begin(), parents_.end(), 0);
  if (number_of_body_.size() < bodies_.size()) number_of_body_.resize(bodies_.size(), -1);
  auto for_movers = [&](int i, auto&& task) {
    const Contact& contact = contacts_[found_[i]];
    for (int body : {contact.body_a, contact.body_b}) {
      if (can_move(bodies_.inverse_masses[body])) task(number_of_body_[body]);
    }
  };
  auto root = [&](int i) { return find_root(parents_, i); };
  for (int i = 0; i < count; ++i) {
    for_movers(i, [&](int& first) {
      if (first < 0) first = i;
      join_trees(parents_, first, i);
    });
  }
  for (int i = 0; i < count; ++i) for_movers(i, [](int& number) { number = -1; });
  collect(root);
}

// Collects the trees that qualify. One contact that does not qualify excludes its whole tree.
template <class Root>
void ImpactProblems::collect(Root&& root) {
  const int count = static_cast<int>(found_.size());
  std::vector<int> sizes(count, 0), pairs(count, 0);
  std::vector<uint8_t> refused(count, 0);
  for (int i = 0; i < count; ++i) {
    const Contact& contact = contacts_[found_[i]];
    const int at = root(i);
    ++sizes[at];
    pairs[at] += contact.round_a && contact.round_b;
    refused[at] |= !may_take(contact);
  }
  std::vector<int> order;
  for (int i = 0; i < count; ++i) {
    const int at = root(i);
    if (!refused[at] && pairs[at] > 0 && sizes[at] <= constants::most_in_problem)
      order.push_back(i);
  }
  if (order.empty()) return;
  rigid::stable_sort(order.begin(), order.end(), [&](int l, int r) { return root(l) < root(r); });
  problem_of_contact_.assign(contacts_.count(), -1);
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t first = i;
    const int at = root(order[first]);
    for (; i < order.size() && root(order[i]) == at; ++i) {
      Touch touch;
      touch.contact = found_[order[i]];
      touch.body_a = contacts_[touch.contact].body_a;
      touch.body_b = contacts_[touch.contact].body_b;
      problem_of_contact_[touch.contact] = static_cast<int>(impact_problems_.size());
      touches_.push_back(touch);
    }
    add_problem(static_cast<int>(first), static_cast<int>(i));
  }
}

void ImpactProblems::add_problem(int first, int last) {
  const int first_member = static_cast<int>(members_.size());
  auto number = [&](int body) {
    if (!can_move(bodies_.inverse_masses[body])) return ImpactGroup::fixed;
    int& number = number_of_body_[body];
    if (number < 0) {
      members_.push_back({body, {}, {}});
      number = static_cast<int>(members_.size()) - first_member;
    }
    return number;
  };
  for (int i = first; i < last; ++i) {
    Touch& touch = touches_[i];
    touch.normal.a = touch.tangent.a = number(touch.body_a);
    touch.normal.b = touch.tangent.b = number(touch.body_b);
    set_rows(touch, contacts_[touch.contact]);
  }
  for (std::size_t i = first_member; i < members_.size(); ++i) {
    number_of_body_[members_[i].body] = -1;
  }
  impact_problems_.push_back({first, last, first_member, static_cast<int>(members_.size()), false});
}

// A ball's own centre is on its normals; arms are exact, without rounding.
void ImpactProblems::set_rows(Touch& touch, const Contact& contact) {
  const Vec2 n = contact.normal, ra = contact.points[0].anchor, rb = ra + contact.offset;
  ImpactRow &normal = touch.normal, &tangent = touch.tangent;
  normal.x = n.x;
  normal.y = n.y;
  touch.separation = contact.points[0].separation;
  if (contact.round_a && contact.round_b) place_exactly(touch, contact);
  normal.arm_a = contact.round_a ? 0.0 : double{cross(ra, n)};
  normal.arm_b = contact.round_b ? 0.0 : double{cross(rb, n)};
  tangent.x = normal.y;
  tangent.y = -normal.x;
  tangent.arm_a = -double{dot(ra, n)};
  tangent.arm_b = -double{dot(rb, n)};
}

// Uses the positions of two balls in double precision: with the rounding error of single precision,
// a gap closed within a substep would cause a false speed. A contact at a later time stays as it
// is.
void ImpactProblems::place_exactly(Touch& touch, const Contact& contact) const {
  const Body &a = bodies_[contact.body_a], &b = bodies_[contact.body_b];
  const double x = b.center_x - a.center_x, y = b.center_y - a.center_y;
  const double distance = std::sqrt(x * x + y * y);
  const double radii = double{shapes_[contact.shape_a].radius} + shapes_[contact.shape_b].radius;
  const double separation = distance - radii;
  const double along_normal = x * contact.normal.x + y * contact.normal.y;
  const double rounding = single_rounding * radii;
  if (!(std::fabs(separation - touch.separation) < rounding) ||
      !(distance - along_normal < rounding)) {
    return;
  }
  touch.normal.x = x / distance;
  touch.normal.y = y / distance;
  touch.separation = separation;
}

// The present gap, as in ContactBlock.
double ImpactProblems::gap_of(const Touch& touch) const {
  const Contact& contact = contacts_[touch.contact];
  const BodyState &a = bodies_.states[touch.body_a], &b = bodies_.states[touch.body_b];
  const Vec2 ra = contact.points[0].anchor, rb = ra + contact.offset;
  double gap = touch.separation + along(touch.normal, double{b.dx} - a.dx, double{b.dy} - a.dy);
  auto turned = [&](const BodyState& state, Vec2 r) {
    const double x = (state.c - 1.0) * r.x - double{state.s} * r.y;
    const double y = double{state.s} * r.x + (state.c - 1.0) * r.y;
    return along(touch.normal, x, y);
  };
  if (!contact.round_a) gap -= turned(a, ra);
  if (!contact.round_b) gap += turned(b, rb);
  return gap;
}

// The speed along a row without the impulses of contacts.
double ImpactProblems::speed_of(const ImpactProblem& problem, const Touch& touch,
                                const ImpactRow& row) const {
  auto motion = [&](int member, int body) {
    if (member != ImpactGroup::fixed) return members_[problem.first_member + member - 1].free;
    const BodyState& state = bodies_.states[body];
    return Motion{state.vx, state.vy, state.omega};
  };
  const Motion a = motion(row.a, touch.body_a), b = motion(row.b, touch.body_b);
  return along(row, b.vx - a.vx, b.vy - a.vy) + row.arm_b * b.spin - row.arm_a * a.spin;
}

// Problems under way are solved until nothing presses any more: the passes would start from
// impulses of an impact.
bool ImpactProblems::is_hit(const ImpactProblem& problem, float time) {
  const StepParameters& p = parameters_;
  const float depth = p.correction_rate > 0.0f ? p.allowed_penetration : p.resting_depth;
  for (int i = problem.first_member; i < problem.last_member; ++i) {
    const BodyState& state = bodies_.states[members_[i].body];
    members_[i].free = {state.vx, state.vy, state.omega};
  }
  for (int i = problem.first; i < problem.last; ++i) {
    const Touch& touch = touches_[i];
    const double speed = speed_of(problem, touch, touch.normal), gap = gap_of(touch);
    if (speed < 0 && gap + time * speed < p.same_impact) return true;
    if (gap < -depth || *lanes_.sums_of(contacts_[touch.contact]).normal > 0.0f) return true;
  }
  return false;
}

void ImpactProblems::find_hit(float time) {
  for (ImpactProblem& problem : impact_problems_) problem.hit = is_hit(problem, time);
}

void ImpactProblems::begin() {
  for (const ImpactProblem& problem : impact_problems_) {
    if (!problem.hit) continue;
    for (int i = problem.first_member; i < problem.last_member; ++i) {
      Member& member = members_[i];
      member.given = bodies_.states[member.body];
      member.free = {member.given.vx, member.given.vy, member.given.omega};
    }
  }
}

void ImpactProblems::follow() {
  for (const ImpactProblem& problem : impact_problems_) {
    if (!problem.hit) continue;
    for (int i = problem.first_member; i < problem.last_member; ++i) {
      Member& member = members_[i];
      const BodyState& state = bodies_.states[member.body];
      member.free.vx += double{state.vx} - member.given.vx;
      member.free.vy += double{state.vy} - member.given.vy;
      member.free.spin += double{state.omega} - member.given.omega;
    }
  }
}

// Adds the violated rows, except those that wait. Returns whether there were any.
bool ImpactProblems::take_rows(const ImpactProblem& problem) {
  const double slow = -parameters_.restitution_threshold;
  const std::size_t before = normals_.size();
  for (int i = problem.first; i < problem.last; ++i) {
    Touch& touch = touches_[i];
    if (touch.row >= 0) continue;
    const double speed = speed_of(problem, touch, touch.normal);
    const double now = speed + group_.change(touch.normal);
    if (!(now < touch.least) || (touch.waits && now < slow)) continue;
    touch.row = static_cast<int>(normals_.size());
    touch_of_row_.push_back(i);
    ImpactRow normal = touch.normal, tangent = touch.tangent;
    normal.wanted = touch.least - speed;
    normal.give = impact_give + touch.give;
    tangent.give = impact_give;
    normal.upper = endless;
    tangent.wanted =
        contacts_[touch.contact].tangent_speed - speed_of(problem, touch, touch.tangent);
    normals_.push_back(normal);
    tangents_.push_back(tangent);
  }
  return normals_.size() > before;
}

// Sets the bounds of friction by the present normal impulses. Returns whether there is any
// friction.
bool ImpactProblems::rub(const ImpactProblem& problem, Friction friction) {
  bool rubs = false;
  for (std::size_t k = 0; k < tangents_.size(); ++k) {
    const Touch& touch = touches_[touch_of_row_[k]];
    ImpactRow& row = tangents_[k];
    const double load = friction == Friction::of_load ? touch.load : normals_[k].impulse;
    const double limit = contacts_[touch.contact].friction * load;
    row.upper = limit;
    row.lower = -limit;
    if (friction == Friction::of_bounce) {
      // A reversed slip is kept, up to its speed before (impulse_kernels.h).
      const double slip =
          speed_of(problem, touch, touch.tangent) - contacts_[touch.contact].tangent_speed;
      const double now = slip + group_.change(row) - row.impulse * row.response;
      const double low = std::min(-slip, 0.0), high = std::max(-slip, 0.0);
      row.wanted = std::clamp(now, low, high) - slip;
      if (now > high) row.upper = 0;
      if (now < low) row.lower = 0;
      if (now >= low && now <= high) row.lower = row.upper = 0;
    }
    rubs |= row.lower < row.upper || row.impulse != 0;
  }
  return rubs;
}

// The largest error of a velocity along a normal.
double ImpactProblems::error_of_normals() const {
  double error = 0;
  for (const ImpactRow& row : normals_) {
    const double missing = row.wanted - group_.change(row) - row.give * row.response * row.impulse;
    if (row.impulse > 0 || missing > 0) error = std::max(error, std::fabs(missing));
  }
  return error;
}

// Solves normals and friction alternately until neither changes the other and no other contact
// presses.
void ImpactProblems::solve_problem(const ImpactProblem& problem, Friction friction) {
  normals_.clear();
  tangents_.clear();
  touch_of_row_.clear();
  for (int i = problem.first; i < problem.last; ++i) touches_[i].row = -1;
  double speed = 0;
  for (int i = problem.first_member; i < problem.last_member; ++i) {
    const Motion& motion = members_[i].free;
    speed = std::max({speed, std::fabs(motion.vx), std::fabs(motion.vy)});
  }
  for (int round = 0; round < constants::most_impact_problem_rounds; ++round) {
    const bool more = take_rows(problem);
    if (normals_.empty()) return;
    for (const ImpactRow& row : normals_) speed = std::max(speed, std::fabs(row.wanted));
    if (!more && error_of_normals() <= constants::impact_problem_tolerance * speed) return;
    const double settled = settled_share * speed;
    group_.solve_until(normals_, settled, constants::most_in_problem);
    if (rub(problem, friction)) group_.solve_until(tangents_, settled, constants::most_in_problem);
  }
}

void ImpactProblems::begin_group(const ImpactProblem& problem, bool undamped) {
  group_.clear();
  for (int i = problem.first_member; i < problem.last_member; ++i) {
    const int body = members_[i].body;
    const InverseMass inverse = bodies_.step_inverse_masses[body];
    group_.add(undamped ? without_damping(inverse, bodies_, body) : inverse);
  }
}

// Applies the impulses to the bodies, and replaces those in the contacts.
void ImpactProblems::give(const ImpactProblem& problem, Stage stage) {
  for (int i = problem.first_member; i < problem.last_member; ++i) {
    Member& member = members_[i];
    const ImpactGroup::Member& change = group_.member(i - problem.first_member + 1);
    BodyState& state = bodies_.states[member.body];
    state.vx = static_cast<float>(member.free.vx + change.vx);
    state.vy = static_cast<float>(member.free.vy + change.vy);
    state.omega = static_cast<float>(member.free.spin + change.spin);
    member.given = state;
  }
  for (int i = problem.first; i < problem.last; ++i) {
    Touch& touch = touches_[i];
    touch.impulse = touch.row < 0 ? 0.0 : normals_[touch.row].impulse;
    const float normal = static_cast<float>(touch.impulse);
    const float tangent = touch.row < 0 ? 0.0f : static_cast<float>(tangents_[touch.row].impulse);
    const ContactSums sums = lanes_.sums_of(contacts_[touch.contact]);
    if (stage == Stage::blows) {
      *sums.total_normal = normal;
      *sums.total_tangent = tangent;
      continue;
    }
    if (stage == Stage::whole) {
      *sums.total_normal += normal - *sums.normal;
      *sums.total_tangent += tangent - *sums.tangent;
    }
    *sums.normal = normal;
    *sums.tangent = tangent;
  }
}

template <class Prepare>
void ImpactProblems::run(Friction friction, Stage stage, Prepare&& prepare) {
  for (const ImpactProblem& problem : impact_problems_) {
    if (!problem.hit) continue;
    begin_group(problem, stage == Stage::blows);
    for (int i = problem.first; i < problem.last; ++i) {
      Touch& touch = touches_[i];
      touch.gap = gap_of(touch);
      touch.give = 0;
      touch.waits = false;
      prepare(problem, touch, contacts_[touch.contact]);
    }
    solve_problem(problem, friction);
    give(problem, stage);
  }
}

// Balls that do not touch yet may close their gap, and overlaps are pushed apart. The springs of
// the passes have full softness at the surface; here it increases with depth, or rounding would
// decide the stiffness between two balls that have just met.
void ImpactProblems::solve() {
  const StepParameters& p = parameters_;
  run(Friction::of_normal, Stage::part, [&](const ImpactProblem&, Touch& touch, const Contact&) {
    const bool fixed = touch.normal.a == ImpactGroup::fixed || touch.normal.b == ImpactGroup::fixed;
    const Softness& soft = fixed ? p.static_contact : p.contact;
    const double depth = std::min(touch.gap + p.resting_depth, 0.0);
    touch.least = touch.gap > 0 ? -touch.gap * p.inverse_h
                                : std::min(-soft.bias_rate * depth, double{p.push_speed});
    const double share = std::clamp(-touch.gap / p.resting_depth, 0.0, 1.0);
    touch.give = share * soft.impulse_scale / soft.mass_scale;
  });
}

// Balls that will bounce in the next substep keep their speed until then.
void ImpactProblems::relax() {
  const StepParameters& p = parameters_;
  run(Friction::of_normal, Stage::whole,
      [&](const ImpactProblem&, Touch& touch, const Contact& contact) {
        touch.least = -std::max(touch.gap, 0.0) * p.inverse_h;
        touch.waits = contact.restitution > 0.0f;
      });
}

void ImpactProblems::bounce() {
  run(Friction::of_bounce, Stage::blows,
      [&](const ImpactProblem& problem, Touch& touch, const Contact& contact) {
        const double speed = speed_of(problem, touch, touch.normal);
        touch.least = rebound_of(contact.restitution, speed, touch.gap, parameters_);
      });
}

void ImpactProblems::rest() {
  run(Friction::of_normal, Stage::part, [&](const ImpactProblem&, Touch& touch, const Contact&) {
    touch.least = -std::max(touch.gap, 0.0) * parameters_.inverse_h;
  });
  for (Touch& touch : touches_) touch.load = touch.impulse;
}

void ImpactProblems::push() {
  const StepParameters& p = parameters_;
  run(Friction::of_load, Stage::part,
      [&](const ImpactProblem& problem, Touch& touch, const Contact&) {
        touch.least = -std::max(touch.gap, 0.0) * p.inverse_h;
        if (speed_of(problem, touch, touch.normal) > p.restitution_threshold) return;
        touch.least =
            std::max(touch.least, p.correction_rate * (-touch.gap - p.allowed_penetration));
      });
}

}  // namespace rigid
