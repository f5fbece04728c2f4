// Which limits and motors of a mechanism act, and the impulses of a substep.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/constants.h"
#include "engine/mechanisms/joint_system.h"

namespace rigid {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
// What is left of a correction where the mechanism touches something.
constexpr double loaded_share = 0.2;
// Times that the stairs are revised for one solution, and of these in a row without fewer rows that
// leave theirs; after that what gives too much is only let go.
constexpr int most_revisions = 100, most_vain_revisions = 6;

void push(BodyState* states, int body, bool moves, InverseMass mass, const double* impulse) {
  if (!moves) return;
  BodyState& state = states[body];
  state.vx = static_cast<float>(state.vx + mass.mass * impulse[0]);
  state.vy = static_cast<float>(state.vy + mass.mass * impulse[1]);
  state.omega = static_cast<float>(state.omega + mass.inertia * impulse[2]);
}

// The change of speed along a row that single precision cannot tell from none.
double blur_along(const BodyState& a, const BodyState& b, const double* j) {
  constexpr double rounding = 4e-7;
  return rounding * (std::fabs(j[0] * a.vx) + std::fabs(j[1] * a.vy) + std::fabs(j[2] * a.omega) +
                     std::fabs(j[3] * b.vx) + std::fabs(j[4] * b.vy) + std::fabs(j[5] * b.omega));
}

}  // namespace

// The share of an error to be removed in a substep: all of a small one, a large one at some speed.
// Where other bodies lie on the mechanism less: a contact sees its light parts only, and throws off
// what they carry when they snap back.
double JointSystem::correction_of(double error, bool angular) const {
  if (!corrects_) return 0;
  const double size = std::fabs(error), most = angular ? most_turn_ : most_shift_;
  const double share = size <= most ? 1.0 : most / size;
  return loaded_ ? loaded_share * share : share;
}

double JointSystem::speed_along(const KernelContext& context, const Node& node, int row) const {
  const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
  const double* j = node.jacobian[row];
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

// The least speed that keeps a row from passing its lower limit in this substep, or brings it back.
double JointSystem::lower_speed(const Axial& axial, bool relaxing) const {
  if (!axial.lower) return -infinity;
  const double gap = axial.coordinate - axial.lower_at;
  if (gap > 0) return -gap / h_;
  return relaxing ? 0 : -correction_of(gap, axial.angular) * gap / h_;
}

double JointSystem::upper_speed(const Axial& axial, bool relaxing) const {
  if (!axial.upper) return infinity;
  const double gap = axial.coordinate - axial.upper_at;
  if (gap < 0) return -gap / h_;
  return relaxing ? 0 : -correction_of(gap, axial.angular) * gap / h_;
}

// The speed with which a motor is at its position at the step's end, and never more than it could
// brake from.
double JointSystem::servo_speed(const Axial& axial) const {
  const double way = axial.target - axial.coordinate, size = std::fabs(way);
  double most = std::min(servo_rate_ * size, (axial.angular ? most_turn_ : most_shift_) / h_);
  if (axial.approach > 0) most = std::min(most, std::sqrt(axial.approach * size));
  return std::copysign(most, way);
}

// The speed that a motor wants. One without a largest force ends at the limits.
double JointSystem::drive_speed(const Axial& axial, bool relaxing) const {
  const double speed = axial.position ? axial.heading : axial.target;
  if (std::isfinite(axial.maximum)) return speed;
  return std::max(std::min(speed, upper_speed(axial, relaxing)), lower_speed(axial, relaxing));
}

// How much a row's impulse has to change its speed, were it to act.
double JointSystem::wanted_change(const KernelContext& context, const Node& node, int row,
                                  bool relaxing) const {
  const Axial& axial = node.axial[row];
  const double speed = speed_along(context, node, row);
  if (axial.soft) {
    const double slack = node.type->pulls ? node.slack : 1;
    return -(speed + (axial.known + slack * (axial.sum + axial.applied)) / axial.drag);
  }
  auto pull = [&](double error) {
    return relaxing ? 0.0 : -correction_of(error, node.angular[row]) * error / h_;
  };
  double wanted = 0;
  switch (axial.mode) {
    case Axial::drive:
      wanted = drive_speed(axial, relaxing);
      break;
    case Axial::push_lower:
      wanted = lower_speed(axial, relaxing);
      break;
    case Axial::push_upper:
      wanted = upper_speed(axial, relaxing);
      break;
    case Axial::hold:
      wanted = pull(axial.coordinate - axial.lower_at);
      break;
    default:
      wanted = pull(node.error[row]);
      break;
  }
  return wanted - speed;
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

// What a motor gives of the impulse along its row: all it has where it presses on a limit; one that
// only brakes takes what it can of it.
double JointSystem::motor_share(const Axial& axial) {
  bool at_limit = axial.mode == Axial::push_lower || axial.mode == Axial::push_upper;
  if (axial.mode == Axial::hold) at_limit = true;
  if (axial.soft || !std::isfinite(axial.maximum)) return axial.sum;
  if (!at_limit) return std::clamp(axial.sum, -axial.maximum, axial.maximum);
  const double lead = axial.position ? axial.target - axial.coordinate : axial.target;
  if (lead == 0) return std::clamp(axial.sum, -axial.maximum, axial.maximum);
  return lead > 0 ? axial.maximum : -axial.maximum;
}

// Puts a row on a stair.
void JointSystem::stand(const KernelContext& context, AxialRow at, Axial::Mode mode) {
  Axial& axial = axial_of(at);
  axial.mode = mode;
  if (is_soft_limit(axial) && mode != Axial::idle) {
    const Axial::Side& side = mode == Axial::push_lower ? axial.below : axial.above;
    axial.known = axial.carry * axial.speed_before + h_ * axial.stiffness * side.stretch;
    if (axial.ahead != side.ahead) {
      axial.ahead = side.ahead;
      settle_spring(nodes_[at.node], at.row);
      factored_ = false;
    }
  }
  const bool tread = mode == Axial::idle || mode == Axial::least || mode == Axial::most;
  axial.on = !tread && (!axial.soft || axial.drag > 0);
  axial.given = 0;
  if (mode == Axial::idle) axial.given = -axial.sum;
  if (mode == Axial::least) axial.given = -axial.maximum - axial.sum;
  if (mode == Axial::most) axial.given = axial.maximum - axial.sum;
  if (axial.soft && !tread && !axial.on) {
    axial.given = -axial.known - axial.sum;
    if (axial.motor) {
      axial.given = std::clamp(-axial.known, -axial.maximum, axial.maximum) - axial.sum;
    }
  }
  give(context, at);
}

// A mouse pulls with no more than its maximum, whatever the direction: where a stiff one would pull
// harder, it gives way just so much more, in both directions alike, that it pulls with that.
bool JointSystem::leaves_pull(const Node& node) {
  double squared = 0;
  for (int i = 0; i < 2; ++i) {
    const double pull = node.axial[i].sum + node.axial[i].applied + node.x[i];
    squared += pull * pull;
  }
  constexpr double exact = 1e-7;
  const double pull = std::sqrt(squared), maximum = node.axial[0].maximum;
  if (!node.axial[0].on) return false;
  return pull > maximum * (1 + exact) || (node.slack > 1 && pull < maximum * (1 - exact));
}

// The inverse of the pull is linear in the slack where a single body is pulled along a line.
void JointSystem::ease_pull(Node& node) {
  double squared = 0;
  for (int i = 0; i < 2; ++i) {
    const double pull = node.axial[i].sum + node.axial[i].applied + node.x[i];
    squared += pull * pull;
  }
  const double inverse = 1 / std::sqrt(squared), wanted = 1 / node.axial[0].maximum;
  double slack = node.slack * wanted / inverse;
  const double change = inverse - node.tried_inverse, way = node.slack - node.tried_slack;
  if (node.tried_slack > 0 && change * way > 0) {
    const double secant = node.slack + (wanted - inverse) * way / change;
    if (secant > 0 && std::isfinite(secant)) slack = secant;
  }
  node.tried_slack = node.slack;
  node.tried_inverse = inverse;
  node.slack = std::isfinite(slack) ? std::max(slack, 1.0) : node.slack;
  for (int i = 0; i < 2; ++i) node.give[i] = node.slack / node.axial[i].drag;
  factored_ = false;
}

void JointSystem::start_pull(const KernelContext& context, AxialRow at) {
  Node& node = nodes_[at.node];
  node.tried_slack = 0;
  const double x = node.axial[0].known, y = node.axial[1].known;
  const double size = std::sqrt(x * x + y * y), maximum = node.axial[0].maximum;
  for (int i = 0; i < 2; ++i) {
    Axial& axial = node.axial[i];
    stand(context, {at.node, i}, Axial::drive);
    if (axial.on) {
      node.slack = std::max(node.slack, 1.0);
      node.give[i] = node.slack / axial.drag;
    } else if (size > maximum) {
      axial.given = -axial.known * (maximum / size);
      give(context, {at.node, i});
    }
  }
}

// A first guess: limits that would be passed push, motors that gave all they had do so again.
void JointSystem::start_hard(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  if (axial.position) axial.heading = servo_speed(axial);
  const double speed = speed_along(context, nodes_[at.node], at.row);
  const double lower = lower_speed(axial, false), upper = upper_speed(axial, false);
  Axial::Mode mode = Axial::idle;
  if (axial.equal) {
    mode = Axial::hold;
  } else if (!axial.motor) {
    mode = speed < lower ? Axial::push_lower : speed > upper ? Axial::push_upper : Axial::idle;
  } else {
    const double wanted = drive_speed(axial, false);
    const bool all = axial.mode == Axial::least || axial.mode == Axial::most;
    mode = all ? axial.mode : Axial::drive;
    if (wanted < lower) mode = Axial::push_lower;
    if (wanted > upper) mode = Axial::push_upper;
  }
  stand(context, at, mode);
}

// A soft limit acts beyond it; a stiff one also where a substep would end there, without its
// damping, as it does at the end of a substep that is solved implicitly.
void JointSystem::foresee_limits(Axial& axial) const {
  const double down = axial.coordinate - axial.lower_at, up = axial.coordinate - axial.upper_at;
  axial.below = {axial.lower && (down < 0 || axial.implicit), down >= 0, down};
  axial.above = {axial.upper && (up > 0 || axial.implicit), up <= 0, up};
}

// Without drag a spring's impulse is known.
void JointSystem::start_spring(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  Axial::Mode mode =
      axial.motor && axial.drag > 0 && axial.mode != Axial::idle ? axial.mode : Axial::drive;
  if (is_soft_limit(axial)) {
    foresee_limits(axial);
    mode = Axial::idle;
    if (axial.above.acts && !axial.above.ahead) mode = Axial::push_upper;
    if (axial.below.acts && !axial.below.ahead) mode = Axial::push_lower;
    return stand(context, at, mode);
  }
  axial.known =
      axial.carry * axial.speed_before + h_ * axial.stiffness * (axial.coordinate - axial.target);
  // The pull of a mouse has two rows, which start together.
  if (!nodes_[at.node].type->pulls) return stand(context, at, mode);
  if (at.row == 1) start_pull(context, at);
}

void JointSystem::start_modes(const KernelContext& context) {
  servo_rate_ = context.parameters->servo_rate;
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    axial.given = axial.applied = 0;
  }
  for (AxialRow at : axial_) {
    if (axial_of(at).soft) {
      start_spring(context, at);
    } else {
      start_hard(context, at);
    }
  }
}

// The stair that a limit or a motor belongs on, or goes to next, given its impulse and its speed.
JointSystem::Axial::Mode JointSystem::next_hard(const Axial& axial, double impulse, double speed,
                                                double blur, bool relaxing) const {
  const bool endless = axial.motor && !std::isfinite(axial.maximum);
  if (endless || axial.mode == Axial::hold) return axial.mode;
  const double most = axial.motor ? axial.maximum : 0;
  const double lower = lower_speed(axial, relaxing), upper = upper_speed(axial, relaxing);
  const double wanted = axial.motor ? drive_speed(axial, relaxing) : speed;
  // Whether the motor leads into a limit: then it gives all it has towards it.
  const bool presses_down = axial.motor && wanted < lower,
             presses_up = axial.motor && wanted > upper;
  const Axial::Mode above = axial.motor ? Axial::least : Axial::idle;
  const Axial::Mode below = axial.motor ? Axial::most : Axial::idle;
  switch (axial.mode) {
    case Axial::push_lower:
      if (impulse < (presses_down ? -most : most)) return presses_down ? above : below;
      return axial.mode;
    case Axial::push_upper:
      if (impulse > (presses_up ? most : -most)) return presses_up ? below : above;
      return axial.mode;
    case Axial::drive:
      if (impulse > most) return below;
      return impulse < -most ? above : axial.mode;
    case Axial::most:
      if (presses_down) return Axial::push_lower;
      if (!presses_up && speed > wanted + blur) return Axial::drive;
      break;
    case Axial::least:
      if (presses_up) return Axial::push_upper;
      if (!presses_down && speed < wanted - blur) return Axial::drive;
      break;
    default:
      break;
  }
  if (speed < lower - blur) return Axial::push_lower;
  return speed > upper + blur ? Axial::push_upper : axial.mode;
}

// The same of a row with give.
JointSystem::Axial::Mode JointSystem::next_soft(const Axial& axial, double impulse, double speed) {
  const double wanted = -(axial.drag * speed + axial.known);
  if (!(axial.drag > 0)) return axial.mode;
  if (axial.motor) {
    if (axial.mode == Axial::most) return wanted < axial.maximum ? Axial::drive : axial.mode;
    if (axial.mode == Axial::least) return wanted > -axial.maximum ? Axial::drive : axial.mode;
    if (impulse > axial.maximum) return Axial::most;
    return impulse < -axial.maximum ? Axial::least : axial.mode;
  }
  if (axial.mode == Axial::push_lower) return impulse < 0 ? Axial::idle : axial.mode;
  if (axial.mode == Axial::push_upper) return impulse > 0 ? Axial::idle : axial.mode;
  return axial.mode;
}

// Whether a soft limit that does not act would push.
JointSystem::Axial::Mode JointSystem::next_limit(const Axial& axial, double speed) const {
  if (!(axial.drag > 0)) return axial.mode;
  auto push = [&](const Axial::Side& side) {
    const double damping = side.ahead ? 0 : h_ * axial.damping;
    const double drag = axial.implicit ? damping + h_ * h_ * axial.stiffness : axial.drag;
    const double known = axial.carry * axial.speed_before + h_ * axial.stiffness * side.stretch;
    return -(drag * speed + known);
  };
  if (axial.below.acts && push(axial.below) > 0) return Axial::push_lower;
  if (axial.above.acts && push(axial.above) < 0) return Axial::push_upper;
  return Axial::idle;
}

// The stair that a row belongs on, or goes to next. `context` has the velocities with all impulses.
JointSystem::Axial::Mode JointSystem::next_mode(const KernelContext& context, AxialRow at,
                                                bool relaxing) const {
  const Node& node = nodes_[at.node];
  const Axial& axial = node.axial[at.row];
  if (relaxing && !axial.acted) return axial.mode;
  const double impulse = axial.sum + axial.applied + node.x[at.row];
  const double speed = speed_along(context, node, at.row);
  if (is_soft_limit(axial) && axial.mode == Axial::idle) return next_limit(axial, speed);
  if (axial.soft) return next_soft(axial, impulse, speed);
  const double blur =
      blur_along(context.states[node.body_a], context.states[node.body_b], node.jacobian[at.row]);
  return next_hard(axial, impulse, speed, blur, relaxing);
}

// The rows that are not where they belong.
void JointSystem::find_leaving(const KernelContext& context, bool relaxing) {
  leaving_.clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i) saved_[i] = context.states[bodies_[i]];
  apply_impulses(context);
  for (AxialRow at : axial_) {
    Axial::Mode mode = axial_of(at).mode;
    if (nodes_[at.node].type->pulls) {
      if (at.row == 0 && !relaxing && leaves_pull(nodes_[at.node])) leaving_.push_back({at, mode});
      continue;
    }
    mode = next_mode(context, at, relaxing);
    if (mode != axial_of(at).mode) leaving_.push_back({at, mode});
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) context.states[bodies_[i]] = saved_[i];
}

void JointSystem::solve_active_set(const KernelContext& context, bool relaxing) {
  for (AxialRow at : axial_) axial_of(at).acted = axial_of(at).on;
  std::size_t fewest = axial_.size() + 1;
  int vain = 0;
  for (int revision = 0;; ++revision) {
    bool same = factored_;
    for (AxialRow at : axial_) same = same && axial_of(at).on == axial_of(at).factored;
    if (!same) factor();
    find_impulses(context, relaxing);
    if (axial_.empty()) break;
    find_leaving(context, relaxing);
    if (revision >= most_revisions) {
      std::erase_if(leaving_, [this](const Move& move) {
        return !axial_of(move.at).on || nodes_[move.at.node].type->pulls;
      });
    }
    if (leaving_.empty()) break;
    if (leaving_.size() < fewest) {
      fewest = leaving_.size();
      vain = 0;
    } else if (++vain > most_vain_revisions && revision < most_revisions) {
      leaving_.erase(leaving_.begin() + 1, leaving_.end());
    }
    for (const Move& move : leaving_) {
      Node& node = nodes_[move.at.node];
      if (node.type->pulls) {
        ease_pull(node);
      } else {
        stand(context, move.at, move.mode);
      }
    }
  }
  apply_impulses(context);
  add_totals();
}

void JointSystem::begin(const KernelContext& context) {
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    if (axial.motor) axial.earlier += motor_share(axial);
    axial.sum = 0;
  }
  for (AxialRow at : springs_) {
    Axial& axial = axial_of(at);
    Node& node = nodes_[at.node];
    axial.speed_before = speed_along(context, node, at.row);
    if (!axial.across || !axial.implicit) continue;
    set_across(node, at.row);
    settle_spring(node, at.row);
    factored_ = false;
  }
  if (accounted_) open_account(context);
}

void JointSystem::solve(const KernelContext& context) {
  account_.note_forces(context);
  start_modes(context);
  solve_active_set(context, false);
}

void JointSystem::iterate(const KernelContext& context) { solve_active_set(context, false); }

void JointSystem::relax(const KernelContext& context) { solve_active_set(context, true); }

// Whether a joint pulls so hard that its bodies, with the masses they have, could not follow
// (World::stiffen).
bool JointSystem::is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const {
  const double most = context.parameters->tension;
  auto squared = [](Double2 v) { return dot(v, v); };
  for (const Node& node : nodes_) {
    const bool rod = node.type->between_anchors;
    if (!turns_with_load(context.joints[node.joint])) continue;
    const InverseMass mass_a = own[node.body_a], mass_b = own[node.body_b];
    const double pull = squared({node.total[0], node.total[1]}), a = mass_a.inertia,
                 b = mass_b.inertia;
    const double mass = static_cast<double>(mass_a.mass) + mass_b.mass;
    double inverse =
        std::max(squared(node.start.anchor_a) * a * a, squared(node.start.anchor_b) * b * b);
    const double length = squared(node.start.between);
    if (rod && !node.soft && length > 0) inverse = std::max(inverse, mass * mass / length);
    if (pull * inverse > most * most) return true;
  }
  return false;
}

void JointSystem::store(const KernelContext& context) const {
  for (int index : joints_) {
    Joint& joint = context.joints[index];
    if (joint.direct) joint.clear_impulses();  // else they are those of the lanes
  }
  for (const Node& node : nodes_) {
    Joint& joint = context.joints[node.joint];
    joint.total_x += static_cast<float>(node.total[0]);
    joint.total_y += static_cast<float>(node.total[1]);
    joint.total_angular += static_cast<float>(node.total[2]);
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i].present && node.axial[i].motor) {
        // What a blow adds is borne by a limit as well: a motor gives no more than it has.
        const Axial& axial = node.axial[i];
        const double most = axial.maximum / h_ * dt_, given = axial.earlier + motor_share(axial);
        joint.motor_total += static_cast<float>(std::clamp(given, -most, most));
      }
    }
  }
}

}  // namespace rigid
