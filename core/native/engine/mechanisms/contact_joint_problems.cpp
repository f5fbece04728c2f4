// SPDX-License-Identifier: MIT
// The search for contact-joint problems and their solution in each stage.
#include "engine/mechanisms/contact_joint_problems.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/data/constants.h"
#include "sorting.h"

namespace rigid {

namespace {

void add_impulse(BodyState& state, InverseMass mass, double x, double y, double turn) {
  state.vx = static_cast<float>(state.vx + mass.mass * x);
  state.vy = static_cast<float>(state.vy + mass.mass * y);
  state.omega = static_cast<float>(state.omega + mass.inertia * turn);
}

}  // namespace

// Whether the mechanism has a body so much heavier that the contacts of this one may bear more than
// its own weight.
bool ContactJointProblems::is_light(int body, const JointSystem& system) const {
  return system.heaviest().mass * constants::heavy_problem < bodies_.step_inverse_masses[body].mass;
}

void ContactJointProblems::find() {
  contact_joint_problems_.clear();
  kept_.clear();
  held_.clear();
  if (!mechanisms_.any()) return;
  taken_.assign(contacts_.count(), 0);
  std::vector<JointSystem*> seen;
  for (int index : mechanisms_.borne_contacts()) {
    const Contact& contact = contacts_[index];
    for (int body : {contact.body_a, contact.body_b}) {
      JointSystem* system = mechanisms_.bearer_of(body);
      if (!system || !is_light(body, *system)) continue;
      if (std::find(seen.begin(), seen.end(), system) != seen.end()) continue;
      seen.push_back(system);
      add(*system);
    }
  }
}

// Adds a mechanism with all of its contacts, if it rests on them.
void ContactJointProblems::add(JointSystem& system) {
  ContactJointProblem problem{&system, {}, static_cast<int>(held_.size()), 0};
  const auto is_own = [&](int body) { return mechanisms_.bearer_of(body) == &system; };
  for (int index : mechanisms_.borne_contacts()) {
    const Contact& contact = contacts_[index];
    if (taken_[index]) continue;
    const bool own_a = is_own(contact.body_a), own_b = is_own(contact.body_b);
    if (!own_a && !own_b) continue;
    held_.push_back({index, -1, -1, {}});
    if (own_a) problem.bodies.push_back(contact.body_a);
    if (own_b) problem.bodies.push_back(contact.body_b);
  }
  std::vector<int>& bodies = problem.bodies;
  rigid::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  problem.last_contact = static_cast<int>(held_.size());
  const auto place_of = [&](int body) {
    const auto at = std::lower_bound(bodies.begin(), bodies.end(), body);
    return at != bodies.end() && *at == body ? static_cast<int>(at - bodies.begin()) : -1;
  };
  for (int i = problem.first_contact; i < problem.last_contact; ++i) {
    held_[i].a = place_of(contacts_[held_[i].contact].body_a);
    held_[i].b = place_of(contacts_[held_[i].contact].body_b);
  }
  if (may_stand(problem) && stands(problem)) {
    for (int i = problem.first_contact; i < problem.last_contact; ++i) taken_[held_[i].contact] = 1;
    contact_joint_problems_.push_back(std::move(problem));
  } else {
    held_.resize(problem.first_contact);
  }
}

// False for contacts that are handled elsewhere: smooth chains, rolling resistance, effective
// masses, motors without a maximum.
bool ContactJointProblems::may_stand(const ContactJointProblem& problem) const {
  const int count = problem.last_contact - problem.first_contact;
  if (count > constants::most_contact_joint_contacts || problem.system->is_driven()) return false;
  for (int body : problem.bodies) {
    if (effective_masses_.is_loaded(body)) return false;
  }
  return std::none_of(held_.begin() + problem.first_contact, held_.begin() + problem.last_contact,
                      [this](const Held& held) {
                        const Contact& contact = contacts_[held.contact];
                        return contact.rolling_resistance > 0.0f ||
                               chains_.is_smooth_chain(contact);
                      });
}

// Whether the effective mass at one of its contacts is much larger than the mass of its body there.
bool ContactJointProblems::stands(const ContactJointProblem& problem) {
  problem.system->find_held_responses(problem.bodies, bodies_.step_inverse_masses, responses_);
  set_rows(problem, Stage::solve);
  set_matrix(problem);
  const int n = static_cast<int>(rows_.size());
  for (int i = 0; i < n; i += 2) {
    const Row& row = rows_[i];
    const Contact& contact = contacts_[row.held->contact];
    double free = 0;
    auto add = [&](int body, double arm) {
      const InverseMass mass = bodies_.step_inverse_masses[body];
      free += mass.mass + mass.inertia * arm * arm;
    };
    add(contact.body_a, row.arm_a);
    add(contact.body_b, row.arm_b);
    if (free > constants::heavy_problem * matrix_[i * n + i]) return true;
  }
  return false;
}

bool ContactJointProblems::any_firm() const {
  return std::any_of(contact_joint_problems_.begin(), contact_joint_problems_.end(),
                     [](const ContactJointProblem& problem) { return problem.system->is_firm(); });
}

void ContactJointProblems::note() {
  if (empty()) return;
  before_.clear();
  kept_.clear();
  for (const ContactJointProblem& problem : contact_joint_problems_) {
    for (int body : problem.bodies) before_.push_back(bodies_.states[body]);
  }
  for (const Held& held : held_) {
    for (int k = 0; k < 2; ++k) {
      const ContactSums sums = lanes_.sums_of(contacts_[held.contact], k);
      kept_.push_back({*sums.normal, *sums.tangent, *sums.total_normal, *sums.total_tangent});
    }
  }
}

// The present gap of a contact point.
double ContactJointProblems::gap_of(const Contact& contact, int point) const {
  const BodyState &a = bodies_.states[contact.body_a], &b = bodies_.states[contact.body_b];
  const Vec2 n = contact.normal, ra = contact.points[point].anchor, rb = ra + contact.offset;
  const auto turned = [n](const BodyState& state, Vec2 r, bool round) {
    if (round) return 0.0;
    return (state.c - 1.0) * dot(r, n) + state.s * static_cast<double>(cross(r, n));
  };
  return contact.points[point].separation + (static_cast<double>(b.dx) - a.dx) * n.x +
         (static_cast<double>(b.dy) - a.dy) * n.y + turned(b, rb, contact.round_b) -
         turned(a, ra, contact.round_a);
}

// The target of the pass of the same name (contact_kernels.h, impulse_kernels.h).
void ContactJointProblems::set_aim(Row& row, const Contact& contact, double gap, bool fixed,
                                   Stage stage) const {
  const StepParameters& p = parameters_;
  row.wanted = -std::max(gap, 0.0) * p.inverse_h;
  if (stage == Stage::solve && !(gap > 0)) {
    const Softness& soft = fixed ? p.static_contact : p.contact;
    row.wanted = std::min(-soft.bias_rate * std::min(gap + p.resting_depth, 0.0),
                          static_cast<double>(p.push_speed));
    row.give = soft.impulse_scale / soft.mass_scale;
  }
  if (stage == Stage::push) {
    row.wanted = std::max(row.wanted, p.correction_rate * (-gap - p.allowed_penetration));
  }
  row.waits = stage == Stage::relax && gap > 0 && contact.restitution > 0.0f &&
              row.speed < -p.restitution_threshold;
}

void ContactJointProblems::set_rows(const ContactJointProblem& problem, Stage stage) {
  rows_.clear();
  for (int i = problem.first_contact; i < problem.last_contact; ++i) {
    const Held& held = held_[i];
    const Contact& contact = contacts_[held.contact];
    const Vec2 n = contact.normal, t = {n.y, -n.x};
    const bool fixed = !can_move(bodies_.step_inverse_masses[contact.body_a]) ||
                       !can_move(bodies_.step_inverse_masses[contact.body_b]);
    const BodyState &a = bodies_.states[contact.body_a], &b = bodies_.states[contact.body_b];
    for (int k = 0; k < contact.count; ++k) {
      const Vec2 ra = contact.points[k].anchor, rb = ra + contact.offset;
      const ContactSums sums = lanes_.sums_of(contact, k);
      for (Vec2 d : {n, t}) {
        Row row{};
        row.held = &held;
        row.sums = sums;
        row.x = d.x;
        row.y = d.y;
        row.arm_a = cross(ra, d);
        row.arm_b = cross(rb, d);
        row.friction = row.load = -1;
        row.speed = row.x * (static_cast<double>(b.vx) - a.vx) +
                    row.y * (static_cast<double>(b.vy) - a.vy) + row.arm_b * b.omega -
                    row.arm_a * a.omega;
        rows_.push_back(row);
      }
      Row &normal = rows_[rows_.size() - 2], &tangent = rows_.back();
      set_aim(normal, contact, gap_of(contact, k), fixed, stage);
      tangent.friction = contact.friction;
      tangent.wanted = contact.tangent_speed;
      if (stage == Stage::solve || stage == Stage::rest)
        tangent.give = constants::contact_joint_creep;
      if (stage == Stage::push) tangent.load = held.load[k];
      if (kept_.empty()) continue;
      const Kept& kept = kept_[2 * i + k];
      normal.kept = normal.impulse = kept.normal;
      normal.kept_total = kept.total_normal;
      tangent.kept = tangent.impulse = kept.tangent;
      tangent.kept_total = kept.total_tangent;
    }
  }
}

// Sets K. Bodies outside the problem's mechanisms are free.
void ContactJointProblems::set_matrix(const ContactJointProblem& problem) {
  const int n = static_cast<int>(rows_.size()), size = 3 * static_cast<int>(problem.bodies.size());
  matrix_.assign(n * n, 0);
  struct Side {
    int body, place;
    double j[3];
  };
  auto sides_of = [&](const Row& row) {
    const Contact& contact = contacts_[row.held->contact];
    return std::array<Side, 2>{Side{contact.body_a, row.held->a, {-row.x, -row.y, -row.arm_a}},
                               Side{contact.body_b, row.held->b, {row.x, row.y, row.arm_b}}};
  };
  std::array<std::array<Side, 2>, 4 * constants::most_contact_joint_contacts> sides;
  for (int i = 0; i < n; ++i) sides[i] = sides_of(rows_[i]);
  for (int c = 0; c < n; ++c) {
    for (int r = 0; r < n; ++r) {
      double sum = 0;
      for (const Side& to : sides[r]) {
        for (const Side& from : sides[c]) {
          if (to.place >= 0 && from.place >= 0) {
            for (int i = 0; i < 3; ++i) {
              for (int k = 0; k < 3; ++k) {
                sum += to.j[i] * from.j[k] *
                       responses_[(3 * to.place + i) * size + 3 * from.place + k];
              }
            }
          } else if (to.place < 0 && to.body == from.body) {
            const InverseMass mass = bodies_.step_inverse_masses[to.body];
            sum += mass.mass * (to.j[0] * from.j[0] + to.j[1] * from.j[1]) +
                   mass.inertia * to.j[2] * from.j[2];
          }
        }
      }
      matrix_[c * n + r] = sum;
    }
  }
  for (int i = 0; i < n; ++i) rows_[i].response = matrix_[i * n + i];
}

// Projected Gauss-Seidel, alternately forward and backward, until it converges.
void ContactJointProblems::solve_rows() {
  const int n = static_cast<int>(rows_.size());
  double scale = 0;
  speeds_.clear();
  for (Row& row : rows_) {
    scale = std::max(scale, std::fabs(row.wanted - row.speed));
    speeds_.push_back(row.speed);
    row.cost = row.give * row.response;
    row.stiffness = row.response + row.cost;
  }
  for (int pass = 0; pass < constants::most_contact_joint_passes; ++pass) {
    double largest = 0;
    for (int at = 0; at < n; ++at) {
      const int i = pass % 2 == 0 ? at : n - 1 - at;
      Row& row = rows_[i];
      if (row.waits || !(row.response > 0)) continue;
      double sum = row.impulse + (row.wanted - speeds_[i] - row.cost * row.impulse) / row.stiffness;
      if (row.friction < 0) {
        sum = std::max(sum, 0.0);
      } else {
        const double load = row.load < 0 ? rows_[i - 1].impulse : row.load;
        const double limit = row.friction * load;
        sum = std::clamp(sum, -limit, limit);
      }
      const double change = sum - row.impulse;
      if (change == 0) continue;
      row.impulse = sum;
      const double* answers = &matrix_[i * n];
      for (int k = 0; k < n; ++k) speeds_[k] += answers[k] * change;
      largest = std::max(largest, std::fabs(change) * row.response);
    }
    if (largest <= constants::contact_joint_tolerance * scale) break;
  }
}

// Undoes the pass over contacts here. Nothing else has moved the mechanism's bodies.
void ContactJointProblems::undo_pass(const ContactJointProblem& problem) {
  std::size_t at = 0;
  for (const ContactJointProblem& other : contact_joint_problems_) {
    if (&other == &problem) break;
    at += other.bodies.size();
  }
  for (int body : problem.bodies) bodies_.states[body] = before_[at++];
  for (int i = problem.first_contact; i < problem.last_contact; ++i) {
    const Held& held = held_[i];
    const Contact& contact = contacts_[held.contact];
    const Vec2 n = contact.normal, t = {n.y, -n.x};
    for (int k = 0; k < contact.count; ++k) {
      const ContactSums sums = lanes_.sums_of(contact, k);
      const Kept& kept = kept_[2 * i + k];
      const double along = kept.normal - *sums.normal, across = kept.tangent - *sums.tangent;
      const double x = along * n.x + across * t.x, y = along * n.y + across * t.y;
      const Vec2 ra = contact.points[k].anchor, rb = ra + contact.offset;
      if (held.a < 0) {
        add_impulse(bodies_.states[contact.body_a], bodies_.step_inverse_masses[contact.body_a], -x,
                    -y, ra.y * x - ra.x * y);
      }
      if (held.b < 0) {
        add_impulse(bodies_.states[contact.body_b], bodies_.step_inverse_masses[contact.body_b], x,
                    y, rb.x * y - rb.y * x);
      }
    }
  }
}

// Writes the impulses to the contact lanes and applies them to the bodies.
void ContactJointProblems::give(const ContactJointProblem& problem, Stage stage) {
  std::vector<JointSystem::Load> loads;
  for (const Row& row : rows_) {
    const bool normal = row.friction < 0;
    *(normal ? row.sums.normal : row.sums.tangent) = static_cast<float>(row.impulse);
    if (stage == Stage::relax) {
      *(normal ? row.sums.total_normal : row.sums.total_tangent) =
          static_cast<float>(row.kept_total + row.impulse);
    }
    const double change = row.impulse - row.kept;
    if (change == 0) continue;
    const Contact& contact = contacts_[row.held->contact];
    auto add = [&](int body, int place, double p, double arm) {
      if (place >= 0) {
        loads.push_back({body, p * row.x, p * row.y, p * arm});
      } else {
        add_impulse(bodies_.states[body], bodies_.step_inverse_masses[body], p * row.x, p * row.y,
                    p * arm);
      }
    };
    add(contact.body_a, row.held->a, -change, row.arm_a);
    add(contact.body_b, row.held->b, change, row.arm_b);
  }
  const KernelContext context = lanes_.context();
  if (!loads.empty()) problem.system->bear(context, loads);
  if (!mechanisms_.solves(*problem.system)) return;
  if (stage == Stage::relax) {
    problem.system->relax(context);
  } else {
    problem.system->solve_again(context);
  }
}

void ContactJointProblems::run(Stage stage) {
  for (const ContactJointProblem& problem : contact_joint_problems_) {
    undo_pass(problem);
    problem.system->find_held_responses(problem.bodies, bodies_.step_inverse_masses, responses_);
    set_rows(problem, stage);
    set_matrix(problem);
    solve_rows();
    give(problem, stage);
  }
}

void ContactJointProblems::solve() { run(Stage::solve); }

void ContactJointProblems::relax() { run(Stage::relax); }

void ContactJointProblems::rest() {
  run(Stage::rest);
  for (Held& held : held_) {
    for (int k = 0; k < 2; ++k) {
      held.load[k] = *lanes_.sums_of(contacts_[held.contact], k).normal;
    }
  }
}

void ContactJointProblems::push() { run(Stage::push); }

}  // namespace rigid
