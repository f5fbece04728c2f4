// Which limits and motors of a mechanism act, and the impulses of a substep.
#include <algorithm>
#include <cmath>

#include "engine/joint_system.h"

namespace rigid {

namespace {
// What is left of a correction where the mechanism touches something.
constexpr double loaded_share = 0.2;
// Times that the set of acting limits and motors is revised for one solution; after that nothing is
// taken up any more, and so many times more what gives too much is only let go.
constexpr int revisions = 16, last_revisions = 24;
// Times that a limit, or a motor that gives its maximum, may be taken up in one solution.
constexpr int most_returns = 2;

void push(BodyState* states, int body, bool moves, InverseMass mass, const double* impulse) {
  if (!moves) return;
  BodyState& state = states[body];
  state.vx = static_cast<float>(state.vx + mass.mass * impulse[0]);
  state.vy = static_cast<float>(state.vy + mass.mass * impulse[1]);
  state.omega = static_cast<float>(state.omega + mass.inertia * impulse[2]);
}

}  // namespace

// The share of an error to be removed in a substep: all of a small one, a large one at some speed.
// Where other bodies lie on the mechanism less: a contact sees its light parts only, and throws off
// what they carry when they snap back.
double JointSystem::correction_of(double error) const {
  if (!corrects_) return 0;
  double size = std::fabs(error);
  double share = size <= most_correction_ ? 1.0 : most_correction_ / size;
  return loaded_ ? loaded_share * share : share;
}

double JointSystem::speed_along(const KernelContext& context, const Node& node, int row) const {
  const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
  const double* j = node.jacobian[row];
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

// How much a row's impulse has to change its speed, were it to act.
double JointSystem::wanted_change(const KernelContext& context, const Node& node, int row,
                                  bool relaxing) const {
  const Axial& axial = node.axial[row];
  const double speed = speed_along(context, node, row);
  if (axial.soft) return -(speed + (axial.known + axial.sum + axial.applied) / axial.drag);
  auto pull = [&](double error) { return relaxing ? 0.0 : correction_of(error) * error / h_; };
  double bias = 0, gap = 0;
  switch (axial.mode) {
    case Axial::drive:
      bias = axial.position ? pull(axial.coordinate - axial.target) : -axial.target;
      if (axial.approach > 0) {
        // Where it could not brake in time, this is a speed to keep, not an error to remove.
        gap = axial.coordinate - axial.target;
        double most = std::sqrt(axial.approach * std::fabs(gap));
        most = std::min(most, most_correction_ / h_);
        double wanted = correction_of(gap) * std::fabs(gap) * (1 + 1e-9);
        if (wanted > most * h_) bias = std::copysign(most, gap);
      }
      break;
    case Axial::push_lower:
      gap = axial.coordinate - axial.lower_at;
      bias = gap > 0 ? gap / h_ : pull(gap);
      break;
    case Axial::push_upper:
      gap = axial.coordinate - axial.upper_at;
      bias = gap < 0 ? gap / h_ : pull(gap);
      break;
    case Axial::hold:
      bias = pull(axial.coordinate - axial.lower_at);
      break;
    default:
      bias = pull(node.error[row]);
      break;
  }
  return -(speed + bias);
}

void JointSystem::find_impulses(const KernelContext& context, bool relaxing) {
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      bool acts = !node.axial[i].present || node.axial[i].on;
      node.x[i] = acts ? wanted_change(context, node, i, relaxing) : 0;
    }
  }
  substitute();
}

// The impulses found, onto the bodies.
void JointSystem::apply_impulses(const KernelContext& context) {
  for (const Node& node : nodes_) {
    double j[6] = {};
    for (int i = 0; i < node.rows; ++i) {
      for (int k = 0; k < 6; ++k) j[k] += node.x[i] * node.jacobian[i][k];
    }
    push(context.states, node.body_a, node.moves_a, node.mass_a, j);
    push(context.states, node.body_b, node.moves_b, node.mass_b, j + 3);
  }
}

void JointSystem::add_totals() {
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      Axial& axial = node.axial[i];
      if (axial.present) {
        // The bodies have the given part already.
        node.x[i] += axial.applied;
        axial.sum += node.x[i];
        bool idle = axial.motor && axial.mode == Axial::drive && !axial.on;
        bool saturated = idle && std::fabs(axial.sum) >= axial.maximum * (1 - 1e-9);
        axial.saturated = !saturated ? 0 : axial.sum > 0 ? 1 : -1;
        axial.given = axial.applied = 0;
      }
      if (node.angular[i]) {
        node.total[2] += node.x[i];
      } else {
        node.total[0] += node.x[i] * node.jacobian[i][3];
        node.total[1] += node.x[i] * node.jacobian[i][4];
      }
    }
  }
}

// Brings what the bodies have of a given impulse up to date.
void JointSystem::give(const KernelContext& context, AxialRow at) {
  const Node& node = nodes_[at.node];
  Axial& axial = axial_of(at);
  double change = axial.given - axial.applied;
  if (change == 0) return;
  double j[6];
  for (int k = 0; k < 6; ++k) j[k] = change * node.jacobian[at.row][k];
  push(context.states, node.body_a, node.moves_a, node.mass_a, j);
  push(context.states, node.body_b, node.moves_b, node.mass_b, j + 3);
  axial.applied = axial.given;
}

// Which way a motor wants to go.
double JointSystem::lead_of(const Axial& axial) {
  if (!axial.motor) return 0;
  return axial.position ? axial.target - axial.coordinate : axial.target;
}

// What a motor gives of the impulse along its row: all it has where it presses on a limit; one that
// only brakes takes what it can of it.
double JointSystem::motor_share(const Axial& axial) {
  const double lead = lead_of(axial);
  bool at_limit = axial.mode != Axial::drive && axial.mode != Axial::free;
  if (axial.soft || !at_limit || !std::isfinite(axial.maximum)) return axial.sum;
  if (lead == 0) return std::clamp(axial.sum, -axial.maximum, axial.maximum);
  return lead > 0 ? axial.maximum : -axial.maximum;
}

// A first guess: limits that will be passed in this substep push, unless a motor leads away.
void JointSystem::start_hard(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  double next = axial.coordinate + h_ * speed_along(context, nodes_[at.node], at.row);
  double lead = lead_of(axial);
  axial.mode = axial.motor ? Axial::drive : Axial::free;
  if (axial.lower && next <= axial.lower_at && lead <= 0) axial.mode = Axial::push_lower;
  if (axial.upper && next >= axial.upper_at && lead >= 0) axial.mode = Axial::push_upper;
  if (axial.equal) axial.mode = Axial::hold;
  axial.on = axial.mode != Axial::free;
  start_saturated(context, at);
}

// A motor that gave all it had a substep ago most likely does so again.
void JointSystem::start_saturated(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  if (axial.saturated == 0 || axial.mode != Axial::drive || !axial.on) return;
  axial.on = false;
  axial.given = axial.saturated * axial.maximum - axial.sum;
  give(context, at);
}

// A soft limit acts beyond it. Without drag a spring's impulse is known.
void JointSystem::start_spring(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  double stretch = axial.coordinate - axial.target;
  axial.mode = Axial::drive;
  if (axial.lower || axial.upper) {
    axial.mode = Axial::free;
    if (axial.lower && axial.coordinate < axial.lower_at) {
      axial.mode = Axial::push_lower;
      stretch = axial.coordinate - axial.lower_at;
    } else if (axial.upper && axial.coordinate > axial.upper_at) {
      axial.mode = Axial::push_upper;
      stretch = axial.coordinate - axial.upper_at;
    }
  }
  axial.on = axial.mode != Axial::free && axial.drag > 0;
  axial.known = axial.carry * axial.speed_before + h_ * axial.stiffness * stretch;
  start_saturated(context, at);
  if (axial.on || axial.mode == Axial::free || axial.drag > 0) return;
  axial.given = -axial.known;
  if (axial.motor) axial.given = std::clamp(axial.given, -axial.maximum, axial.maximum);
  give(context, at);
}

void JointSystem::start_modes(const KernelContext& context) {
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    axial.given = axial.applied = axial.sum = 0;
    axial.returns = 0;
    if (axial.soft) {
      start_spring(context, at);
    } else {
      start_hard(context, at);
    }
  }
}

// A mouse pulls with no more than its maximum, whatever the direction.
bool JointSystem::release_pull(const KernelContext& context, AxialRow at) {
  Node& node = nodes_[at.node];
  Axial* axial = node.axial;
  const double x = axial[0].sum + node.x[0] + axial[0].applied;
  const double y = axial[1].sum + node.x[1] + axial[1].applied;
  const double size = std::sqrt(x * x + y * y), maximum = axial[0].maximum;
  if (size <= maximum * (1 + 1e-9)) return false;
  const double whole[2] = {x, y};
  for (int i = 0; i < 2; ++i) {
    axial[i].given = whole[i] * (maximum / size) - axial[i].sum;
    axial[i].on = false;
    give(context, {at.node, i});
  }
  return true;
}

bool JointSystem::is_limit(const Axial& axial) {
  return axial.mode == Axial::push_lower || axial.mode == Axial::push_upper;
}

// Whether an acting row has to change its part, given the impulse found for it.
bool JointSystem::release(const KernelContext& context, AxialRow at, bool relaxing) {
  Axial& axial = axial_of(at);
  if (nodes_[at.node].kind == JointKind::mouse) {
    return at.row == 0 && !relaxing && release_pull(context, at);
  }
  if (!axial.on || axial.mode == Axial::hold) return false;
  double whole = axial.sum + nodes_[at.node].x[at.row];
  if (axial.mode == Axial::drive) {
    if (axial.soft && !axial.motor) return false;
    if (whole >= -axial.maximum && whole <= axial.maximum) return false;
    axial.given = (whole > 0 ? axial.maximum : -axial.maximum) - axial.sum;
    axial.on = false;
    give(context, at);
    return true;
  }
  if (axial.soft) {
    if (axial.mode == Axial::push_lower ? whole >= 0 : whole <= 0) return false;
    axial.given = -axial.sum;
    axial.on = false;
    give(context, at);
    return true;
  }
  // At a limit a motor gives all it has, towards the limit or away from it; the limit adds a push.
  bool lower = axial.mode == Axial::push_lower;
  double lead = lead_of(axial);
  bool away = lower ? lead > 0 : lead < 0;
  double motor = axial.motor ? axial.maximum : 0;
  double bound = lower == away ? motor : -motor;
  if (lower ? whole >= bound : whole <= bound) return false;
  // There is no giving all of an endless force: such a motor takes over from the limit.
  if (axial.motor && away && (!relaxing || !std::isfinite(motor))) {
    axial.mode = Axial::drive;
    axial.given = 0;
  } else {
    axial.on = false;
    axial.given = bound - axial.sum;
    if (!relaxing) axial.mode = axial.motor ? Axial::drive : Axial::free;
  }
  give(context, at);
  return true;
}

// Whether a soft limit that was let go, perhaps because a motor drove away from it that has since
// been found too weak, would push after all.
bool JointSystem::take_up_spring(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  bool lower = axial.mode == Axial::push_lower;
  if (axial.on || !(lower || axial.mode == Axial::push_upper) || !(axial.drag > 0)) return false;
  double push = -(axial.drag * speed_along(context, nodes_[at.node], at.row) + axial.known);
  if (lower ? push <= 0 : push >= 0) return false;
  axial.on = true;
  axial.given = 0;
  return true;
}

// Whether a motor at its maximum would now need less, because others were found too weak as well.
bool JointSystem::take_up_motor(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  if (!axial.motor || axial.mode != Axial::drive || axial.on) return false;
  if (axial.returns >= most_returns || (axial.soft && !(axial.drag > 0))) return false;
  const double more = wanted_change(context, nodes_[at.node], at.row, false);
  if (axial.sum + axial.applied > 0 ? more >= 0 : more <= 0) return false;
  ++axial.returns;
  axial.on = true;
  axial.given = 0;
  return true;
}

// Whether a limit that does not act would be passed with the velocities as they are now: it was not
// foreseen, or was let go beside others that have since been let go as well.
bool JointSystem::take_up(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  if (nodes_[at.node].kind == JointKind::mouse) return false;
  if (axial.soft && !axial.motor) return take_up_spring(context, at);
  if (axial.soft) return take_up_motor(context, at);
  if (axial.mode != Axial::free && axial.mode != Axial::drive) return false;
  double speed = speed_along(context, nodes_[at.node], at.row);
  double next = axial.coordinate + h_ * speed, tolerance = 1e-9 + 1e-6 * h_;
  bool low = axial.lower && next < axial.lower_at - tolerance && speed < 0;
  bool high = axial.upper && next > axial.upper_at + tolerance && speed > 0;
  if (!low && !high) return take_up_motor(context, at);
  if (axial.returns >= most_returns) return false;
  ++axial.returns;
  axial.mode = low ? Axial::push_lower : Axial::push_upper;
  axial.on = true;
  axial.given = 0;
  return true;
}

void JointSystem::solve_active_set(const KernelContext& context, bool relaxing) {
  for (int revision = 0;; ++revision) {
    bool same = factored_;
    for (AxialRow at : axial_) same = same && axial_of(at).on == axial_of(at).factored;
    if (!same) factor();
    find_impulses(context, relaxing);
    if (axial_.empty()) break;
    bool again = false;
    if (revision < revisions + last_revisions) {
      // Motors first: a limit that only gives way to a motor too weak for it is kept.
      for (bool limits : {false, true}) {
        for (AxialRow at : axial_) {
          if (is_limit(axial_of(at)) == limits) again = release(context, at, relaxing) || again;
        }
        if (again) break;
      }
      if (again) continue;
    }
    if (relaxing || revision >= revisions) break;
    for (std::size_t i = 0; i < bodies_.size(); ++i) saved_[i] = context.states[bodies_[i]];
    apply_impulses(context);
    for (AxialRow at : axial_) again = take_up(context, at) || again;
    for (std::size_t i = 0; i < bodies_.size(); ++i) context.states[bodies_[i]] = saved_[i];
    if (!again) break;
    for (AxialRow at : axial_) give(context, at);
  }
  apply_impulses(context);
  add_totals();
}

void JointSystem::begin(const KernelContext& context) {
  for (AxialRow at : springs_) {
    axial_of(at).speed_before = speed_along(context, nodes_[at.node], at.row);
  }
}

void JointSystem::solve(const KernelContext& context) {
  start_modes(context);
  solve_active_set(context, false);
}

void JointSystem::iterate(const KernelContext& context) {
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    axial.given = axial.applied = 0;
    axial.returns = 0;
    axial.on = axial.mode != Axial::free && (!axial.soft || axial.drag > 0);
    start_saturated(context, at);
  }
  solve_active_set(context, false);
}

void JointSystem::relax(const KernelContext& context) { solve_active_set(context, true); }

// Whether a joint pulls so hard that its bodies, with the masses they have, could not follow
// (World::stiffen).
bool JointSystem::is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const {
  const double most = context.parameters->tension;
  auto squared = [](const double* v) { return v[0] * v[0] + v[1] * v[1]; };
  for (const Node& node : nodes_) {
    const bool rod = node.kind == JointKind::distance;
    if (!rod && node.kind != JointKind::revolute) continue;
    const InverseMass mass_a = own[node.body_a], mass_b = own[node.body_b];
    const double pull = squared(node.total), a = mass_a.inertia, b = mass_b.inertia;
    const double mass = static_cast<double>(mass_a.mass) + mass_b.mass;
    double inverse =
        std::max(squared(node.start.anchor_a) * a * a, squared(node.start.anchor_b) * b * b);
    const double length = squared(node.start.between);
    if (rod && length > 0) inverse = std::max(inverse, mass * mass / length);
    if (pull * inverse > most * most) return true;
  }
  return false;
}

void JointSystem::store(const KernelContext& context) const {
  for (const Node& node : nodes_) {
    Joint& joint = context.joints[node.joint];
    joint.total_x += static_cast<float>(node.total[0]);
    joint.total_y += static_cast<float>(node.total[1]);
    joint.total_angular += static_cast<float>(node.total[2]);
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i].present && node.axial[i].motor) {
        joint.motor_total += static_cast<float>(motor_share(node.axial[i]));
      }
    }
  }
}

}  // namespace rigid
