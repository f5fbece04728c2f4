// SPDX-License-Identifier: MIT
// The preparation of iterative mechanisms, and their initial impulses.
#include "engine/mechanisms/iterative_joints.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"
#include "engine/joints/correction.h"
#include "engine/joints/joint.h"
#include "engine/joints/springs.h"
#include "sorting.h"

namespace rigid {

namespace {

// Whether neither body is much heavier than the other; a body that cannot move matches any.
bool are_alike(InverseMass a, InverseMass b) {
  if (!(a.mass > 0.0f) || !(b.mass > 0.0f)) return true;
  return a.mass <= constants::unlike_masses * b.mass && b.mass <= constants::unlike_masses * a.mass;
}

}  // namespace

void IterativeJoints::clear() {
  iterative_.clear();
  more_sweeps_ = any_apart_ = any_shared_ = any_coarse_ = any_drives_ = false;
}

void IterativeJoints::prepare(const std::vector<uint8_t>& touched) {
  const bool placed = joints_.placings() != placings_;
  placings_ = joints_.placings();
  for_mechanisms([&touched, placed](IterativeMechanism& m, const KernelContext& context) {
    m.energy.prepare(context, touched, placed);
  });
  any_drives_ = std::any_of(iterative_.begin(), iterative_.end(),
                            [](const auto& m) { return m.energy.needs_motors(); });
}

void IterativeJoints::rewind() {
  for (IterativeMechanism& m : iterative_) m.energy.rewind();
}

int IterativeJoints::more_passes() const { return more_sweeps_ ? constants::more_sweeps : 0; }

// Adds a mechanism that is solved joint by joint; `rate` is that of its fastest springs.
void IterativeJoints::add_iterative(const std::vector<int>& joints, double rate, bool recalls) {
  // Many joints need the full effect of their errors on velocities, and a single joint does no
  // harm.
  const bool is_few = joints.size() > 1 && joints.size() <= constants::few_joints;
  bool apart = false, calm = true;
  std::vector<int> bodies;
  for (int i : joints) {
    Joint& joint = joints_[i];
    if (!recalls) {
      joint.lever = static_cast<float>(leverage(joint, bodies_[joint.body_a], bodies_[joint.body_b],
                                                bodies_.inverse_masses[joint.body_a],
                                                bodies_.inverse_masses[joint.body_b]));
    }
    const double lever = joint.lever;
    apart = apart || (is_few && lever > constants::long_lever);
    calm = calm && graph_of(joint) == pin_graph && lever <= constants::short_lever &&
           are_alike(bodies_.inverse_masses[joint.body_a], bodies_.inverse_masses[joint.body_b]);
    for (int body : {joint.body_a, joint.body_b}) {
      if (can_move(bodies_.inverse_masses[body])) bodies.push_back(body);
    }
  }
  rigid::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  const bool soft = !parameters_.accumulates;
  const bool stiff = rate > constants::stiff_rate;
  const bool shared = apart || stiff || (!soft && is_few);
  if (calm && soft && !shared) return;
  const bool coarse = !shared && std::all_of(joints.begin(), joints.end(), [this](int i) {
    return graph_of(joints_[i]) == pin_graph;
  });
  more_sweeps_ = more_sweeps_ || apart || stiff;
  any_apart_ = any_apart_ || apart;
  any_shared_ = any_shared_ || shared;
  any_coarse_ = any_coarse_ || coarse;
  for (int i : joints) joints_[i].apart = apart;
  for (int i : joints) hold_rack(joints_[i]);
  iterative_.push_back(
      {joints, bodies, apart, shared, coarse, {joints, bodies, coarse, lanes_.context()}});
}

// A rack that has slid far presses on its slide with a lever as long as its travel, times the angle
// error of the slide: a load that grows with the angle, as in buckling. Rows with give yield by a
// share of the masses they hold; a light rack against a heavy wheel was turned out of its slide. So
// neither its teeth nor its slide give, and since give would hide the error that one pass leaves,
// rigid racks take more passes.
void IterativeJoints::hold_rack(Joint& joint) {
  if (joint.kind != JointKind::rack) return;
  joint.firm = true;
  for (int linked : {joint.linked_a, joint.linked_b}) {
    if (linked >= 0) joints_[linked].firm = true;
  }
  more_sweeps_ = true;
}

// The share of the velocity change by the impulses of the substep before that leaves the bodies the
// least energy.
double IterativeJoints::best_share(const IterativeMechanism& mechanism) const {
  double given = 0, size = 0;
  for (int i : mechanism.bodies) {
    const BodyState &had = kept_[i], &has = bodies_.states[i];
    const InverseMass inverse = bodies_.step_inverse_masses[i];
    const double vx = had.vx, vy = had.vy, omega = had.omega;
    const double dx = has.vx - vx, dy = has.vy - vy, turn = has.omega - omega;
    if (inverse.mass > 0.0f) {
      given += (vx * dx + vy * dy) / inverse.mass;
      size += (dx * dx + dy * dy) / inverse.mass;
    }
    if (inverse.inertia > 0.0f) {
      given += omega * turn / inverse.inertia;
      size += turn * turn / inverse.inertia;
    }
  }
  if (!(size > 0)) return 1;
  return std::clamp(-given / size, 0.0, 1.0);
}

void IterativeJoints::warm_start_joints() {
  if (!any_shared_) {
    lanes_.run_joints(&JointKernels::warm_start);
    return;
  }
  kept_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  lanes_.run_joints(&JointKernels::warm_start);
  bool whole = true;
  for (const IterativeMechanism& mechanism : iterative_) {
    const float share = mechanism.shared ? static_cast<float>(best_share(mechanism)) : 1.0f;
    for (int i : mechanism.joints) joints_[i].kept_share = share;
    if (share == 1.0f) continue;
    whole = false;
    for (int i : mechanism.bodies) {
      const BodyState& had = kept_[i];
      BodyState& has = bodies_.states[i];
      has.vx = had.vx + share * (has.vx - had.vx);
      has.vy = had.vy + share * (has.vy - had.vy);
      has.omega = had.omega + share * (has.omega - had.omega);
    }
  }
  if (!whole) lanes_.run_joints(&JointKernels::keep_shares);
}

void IterativeJoints::correct_apart() {
  const double share = static_cast<double>(parameters_.joint.bias_rate) * parameters_.h;
  if (!(share > 0) || !any_apart_) return;
  for (const IterativeMechanism& mechanism : iterative_) {
    if (!mechanism.apart) continue;
    for (int sweep = 0; sweep < constants::apart_sweeps; ++sweep) {
      for (int i : mechanism.joints) {
        correct_joint(joints_[i], share, bodies_, bodies_.step_inverse_masses.data());
      }
    }
  }
}

void IterativeJoints::open_step_accounts() {
  if (!any_coarse_) return;
  for_mechanisms([this](IterativeMechanism& m, const KernelContext& context) {
    if (m.coarse) m.energy.open_step(context, bodies_.steps);
  });
}

void IterativeJoints::keep_step_energies() {
  if (!any_coarse_) return;
  for_mechanisms([this](IterativeMechanism& m, const KernelContext& context) {
    if (m.coarse) m.energy.keep_step(context, bodies_.steps);
  });
}

void IterativeJoints::open_accounts() {
  for_mechanisms([](IterativeMechanism& m, const KernelContext& context) {
    if (!m.coarse) m.energy.open(context);
  });
}

void IterativeJoints::note_forces() {
  for_mechanisms([](IterativeMechanism& m, const KernelContext& context) {
    if (!m.coarse) m.energy.note_forces(context);
  });
}

void IterativeJoints::keep_energies() {
  if (any_drives_) lanes_.run_joints(&JointKernels::store);
  for_mechanisms([](IterativeMechanism& m, const KernelContext& context) {
    if (!m.coarse) m.energy.keep(context);
  });
}

}  // namespace rigid
