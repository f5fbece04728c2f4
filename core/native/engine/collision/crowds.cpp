// SPDX-License-Identifier: MIT
// Impacts of crowds, in one pass.
//
// If very many bodies of an island hit in one substep and bounce little, as in a stirred pile, the
// order of the blows cannot be observed. The island is then a crowd for the rest of the step: one
// pass in lanes solves each of its contacts at its instant, one after the other, and the solver
// stops the remaining approaches.
#include <cmath>
#include <numeric>

#include "engine/collision/impacts.h"
#include "engine/data/trees.h"

namespace rigid {

namespace {

constexpr int most_in_order = 256;  // dull impacts of an island in a substep; more are a crowd
constexpr float dull = 0.5f;        // restitution that returns at most a quarter of the energy

}  // namespace

// Marks the bodies of crowds: of islands, without the bodies that have joints, that have more than
// `most_in_order` dull impacts in this substep, and no more lively ones. Returns whether there are
// any.
bool Impacts::find_crowds() {
  if (static_cast<int>(impacts_.size()) <= most_in_order) return false;
  if (crowds_.empty()) {
    crowds_.resize(bodies_.size());
    std::iota(crowds_.begin(), crowds_.end(), 0);
    free_.resize(bodies_.size());
    for (int i = 0; i < bodies_.count(); ++i) {
      free_[i] = hits_[i].moves && bodies_[i].acting_joints == 0;
    }
    contacts_.for_solved([this](int, int a, int b) {
      if (free_[a] && free_[b] && crowds_[a] != crowds_[b]) join_trees(crowds_, a, b);
    });
  }
  std::vector<int> dull_ones(crowds_.size(), 0), lively_ones(crowds_.size(), 0);
  for (const Impact& impact : impacts_) {
    const int body = free_[impact.body_a] ? impact.body_a : impact.body_b;
    if (!free_[body]) continue;
    const bool is_dull = contacts_[impact.contact].restitution <= dull;
    ++(is_dull ? dull_ones : lively_ones)[find_root(crowds_, body)];
  }
  bool any = false;
  crowded_.resize(bodies_.size(), 0);
  for (int i : bodies_.awake_list) {
    if (!free_[i]) continue;
    const int island = find_root(crowds_, i);
    if (dull_ones[island] <= most_in_order || lively_ones[island] > dull_ones[island]) continue;
    crowded_[i] = 1;
    any = true;
  }
  if (!any) crowded_.clear();
  return any;
}

// One pass over the impacts of crowds.
void Impacts::solve_crowds(KernelContext& context) {
  context.crowded = crowded_.data();
  lanes_.run_contacts(context, &ContactKernels::solve_crowds);
  bodies_.for_awake(pool_, [this](int i) {
    if (crowded_[i] == 0) return;
    BodyState& state = bodies_.states[i];
    const Rotation q = small_rotation(state.delta_angle);
    state.c = q.c;
    state.s = q.s;
    mark_thrown(i);
  });
}

// Marks a body that was hit and may meet others that were not on its path.
void Impacts::mark_thrown(int body) {
  const BodyState& state = bodies_.states[body];
  const bool far =
      parameters_.h * (std::fabs(state.vx) + std::fabs(state.vy)) > bodies_[body].sweep_margin;
  // A body under forces would be stopped in its fall but keep the speed of the fall.
  BodyStep& step = bodies_.steps[body];
  const bool pulled = step.ax != 0.0f || step.ay != 0.0f;
  if (!far || pulled) return;
  bodies_.near_walls[body] |= thrown_far;
  step.sweep_margin = -1.0f;
}

// Removes impacts between bodies of crowds, which `solve_crowds` has handled.
void Impacts::drop_crowded() {
  auto among = [this](int body) { return crowded_[body] != 0 || !hits_[body].moves; };
  std::erase_if(impacts_, [&](const Impact& impact) {
    return among(impact.body_a) && among(impact.body_b) &&
           (crowded_[impact.body_a] | crowded_[impact.body_b]) != 0;
  });
}

}  // namespace rigid
