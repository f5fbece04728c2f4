// SPDX-License-Identifier: MIT
// How mechanisms of W worlds are factored and solved side by side.
#ifndef RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_SOLVE_H
#define RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_SOLVE_H

#include "engine/constants.h"
#include "engine/mechanisms/stairs.h"
#include "engine/mechanisms/system_lanes.h"

namespace rigid {

// ------------------------------------------------------------ factors (block_factors.cpp)

template <int W>
template <int n>
RIGID_INLINE void SystemLanes<W>::invert(Node& node, const Block& pivot) {
  const Number none = 0, whole = 1;
  Number l[most_rows][most_rows], pivots[most_rows], d[most_rows];
  for (int i = 0; i < n; ++i) {
    const Mask in = acts(node, i);
    for (int k = 0; k < i; ++k) {
      Number sum = pivot.v[i][k];
      for (int m = 0; m < k; ++m) sum -= l[i][m] * pivots[m] * l[k][m];
      l[i][k] = select(in, sum * d[k], none);
    }
    Number rest = pivot.v[i][i];
    for (int k = 0; k < i; ++k) rest -= l[i][k] * l[i][k] * pivots[k];
    const Mask regular = in & (rest > constants::dependent_pivot * node.scale[i]);
    pivots[i] = select(regular, rest, none);
    d[i] = select(regular, whole / rest, none);
  }
  for (int column = 0; column < n; ++column) {
    Number x[most_rows];
    for (int i = 0; i < n; ++i) {
      x[i] = i == column ? whole : none;
      for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    }
    for (int i = 0; i < n; ++i) x[i] = x[i] * d[i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
    }
    for (int i = 0; i < n; ++i) {
      node.inverse.v[i][column] = select((d[i] > none) & (d[column] > none), x[i], none);
    }
  }
}

template <int W>
void SystemLanes<W>::factor() {
  const BlockFactors& plan = plan_->factors_;
  factored_ = true;
  for (int i = 0; i < axial_count_; ++i) axial_[i].factored = axial_[i].on;
  for (int p = 0; p < nodes_count_; ++p) {
    Node& node = nodes_[p];
    const Number none = 0;
    for (int i = 0; i < node.plan->rows; ++i) {
      for (int k = 0; k < i; ++k) {
        const Number value =
            row_product(node.jacobian[i], node.jacobian[k], node.mass_a, node.mass_b);
        diagonals_[p].v[i][k] = diagonals_[p].v[k][i] = value + none;
      }
      diagonals_[p].v[i][i] = node.scale[i] + node.give[i];
    }
  }
  for (int p = 0; p < nodes_count_; ++p) {
    const Node& column = nodes_[p];
    const Mass a = column.mass_a, b = column.mass_b;
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      const Node& row = nodes_[plan.below_[at].row];
      const int sides = plan.below_[at].sides;
      for (int i = 0; i < row.plan->rows; ++i) {
        for (int k = 0; k < column.plan->rows; ++k) {
          const Number *ji = row.jacobian[i], *jk = column.jacobian[k];
          Number sum = 0;
          if (sides & 1) sum += body_product(ji, jk, a.mass, a.inertia);
          if (sides & 2) sum += body_product(ji, jk + 3, b.mass, b.inertia);
          if (sides & 4) sum += body_product(ji + 3, jk, a.mass, a.inertia);
          if (sides & 8) sum += body_product(ji + 3, jk + 3, b.mass, b.inertia);
          below_[at].v[i][k] = sum;
        }
      }
    }
  }
  for (int p = 0; p < nodes_count_; ++p) {
    Node& node = nodes_[p];
    const int n = node.plan->rows;
    if (n == 1) invert<1>(node, diagonals_[p]);
    if (n == 2) invert<2>(node, diagonals_[p]);
    if (n == 3) invert<3>(node, diagonals_[p]);
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      for (int i = 0; i < nodes_[plan.below_[at].row].plan->rows; ++i) {
        for (int k = 0; k < n; ++k) scaled_[at].v[i][k] = below_[at].v[i][k];
        for (int k = 0; k < n; ++k) {
          Number sum = 0;
          for (int j = 0; j < n; ++j) sum += scaled_[at].v[i][j] * node.inverse.v[j][k];
          below_[at].v[i][k] = sum;
        }
      }
    }
    for (int u = plan.first_update_[p]; u < plan.first_update_[p + 1]; ++u) {
      const auto& update = plan.updates_[u];
      Block& target = update.target < 0 ? diagonals_[~update.target] : below_[update.target];
      const int rows = nodes_[plan.below_[update.left].row].plan->rows;
      const int columns = nodes_[plan.below_[update.right].row].plan->rows;
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
          Number sum = 0;
          for (int j = 0; j < n; ++j) {
            sum += below_[update.left].v[i][j] * scaled_[update.right].v[k][j];
          }
          target.v[i][k] -= sum;
        }
      }
    }
  }
}

template <int W>
void SystemLanes<W>::substitute() {
  const BlockFactors& plan = plan_->factors_;
  for (int p = 0; p < nodes_count_; ++p) {
    const Node& node = nodes_[p];
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      Node& row = nodes_[plan.below_[at].row];
      for (int i = 0; i < row.plan->rows; ++i) {
        for (int k = 0; k < node.plan->rows; ++k) row.x[i] -= below_[at].v[i][k] * node.x[k];
      }
    }
  }
  for (int p = nodes_count_ - 1; p >= 0; --p) {
    Node& node = nodes_[p];
    const int n = node.plan->rows;
    Number x[most_rows];
    for (int i = 0; i < n; ++i) {
      x[i] = 0;
      for (int k = 0; k < n; ++k) x[i] += node.inverse.v[i][k] * node.x[k];
    }
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      const Node& row = nodes_[plan.below_[at].row];
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < row.plan->rows; ++k) x[i] -= below_[at].v[k][i] * row.x[k];
      }
    }
    for (int i = 0; i < n; ++i) node.x[i] = x[i];
  }
}

// ------------------------------------------------------------ impulses

template <int W>
void SystemLanes<W>::find_impulses(bool relaxing) {
  const Number none = 0;
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    for (int i = 0; i < node.plan->rows; ++i) {
      const Number speed = speed_along(node, i);
      if (node.axial[i] >= 0) {
        const Row& row = axial_[node.axial[i]];
        const Number wanted = wanted_speed(row.data, row.stair, step_, node.error[i], relaxing);
        node.x[i] = select(row.on, wanted - speed, none);
      } else {
        const Number wanted =
            relaxing ? none : correcting_speed(step_, node.error[i], node.plan->angular[i]);
        node.x[i] = wanted - speed;
      }
    }
  }
  substitute();
}

template <int W>
void SystemLanes<W>::apply_impulses(Mask which) {
  for (int n = 0; n < nodes_count_; ++n) {
    const Node& node = nodes_[n];
    auto apply = [&](int body, Mass mass, int column) {
      Number j[3] = {0, 0, 0};
      for (int i = 0; i < node.plan->rows; ++i) {
        for (int k = 0; k < 3; ++k) j[k] += node.x[i] * node.jacobian[i][column + k];
      }
      push(body, mass, j, which);
    };
    if (node.plan->moves_a) apply(node.plan->body_a, node.mass_a, 0);
    if (node.plan->moves_b) apply(node.plan->body_b, node.mass_b, 3);
  }
}

template <int W>
void SystemLanes<W>::give(Row& row, Mask which) {
  const Node& node = nodes_[row.node];
  const Number change = row.data.given - row.data.applied, none = 0;
  const Mask changes = which & !(change == none);
  if (!changes.any()) return;
  Number j[6];
  for (int k = 0; k < 6; ++k) j[k] = change * node.jacobian[row.row][k];
  if (node.plan->moves_a) push(node.plan->body_a, node.mass_a, j, changes);
  if (node.plan->moves_b) push(node.plan->body_b, node.mass_b, j + 3, changes);
  row.data.applied = select(changes, row.data.given, row.data.applied);
}

template <int W>
void SystemLanes<W>::stand(Row& row, Stairs<W> stair, Mask which) {
  row.stair = select(which, stair, row.stair);
  row.on = select(which, !is_tread(stair), row.on);
  row.data.given = select(which, missing_impulse(row.data, stair), row.data.given);
  give(row, which);
}

template <int W>
void SystemLanes<W>::begin() {
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    if (row.data.motor) row.data.earlier += motor_share(row.data, row.stair);
    row.data.sum = 0;
  }
  if (!accounted_) return;
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    row.data.coordinate_before = row.data.coordinate;
    row.data.speed_before = speed_along(nodes_[row.node], row.row);
  }
  for (int i = 0; i < own_count_; ++i) accounts_[i].began = bodies_[plan_->bodies_[i]];
  kinetic_before_ = kinetic_energy();
  reference_ = greater(kinetic_before_, reference_ * (1 - constants::gain_memory));
}

template <int W>
void SystemLanes<W>::solve(double servo_rate) {
  if (accounted_) {
    for (int i = 0; i < own_count_; ++i) {
      const State& state = bodies_[plan_->bodies_[i]];
      accounts_[i].forced = {state.vx, state.vy, state.omega};
    }
  }
  step_.servo_rate = servo_rate;
  for (int i = 0; i < axial_count_; ++i) axial_[i].data.given = axial_[i].data.applied = 0;
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    if (row.data.position) row.data.heading = servo_speed(row.data, step_);
    const Number speed = speed_along(nodes_[row.node], row.row);
    stand(row, first_stair(row.data, row.stair, step_, speed), Mask::all());
  }
  solve_active_set(false);
}

// Which rows of the worlds that are open are not where they belong; whether any are.
template <int W>
bool SystemLanes<W>::find_leaving(bool relaxing, Mask open) {
  for (int i = 0; i < own_count_; ++i) {
    const State& state = bodies_[plan_->bodies_[i]];
    saved_[i] = {state.vx, state.vy, state.omega};
  }
  apply_impulses(open);
  Mask any = Mask::none();
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    row.leaves = Mask::none();
    if (row.endless || row.data.equal) continue;
    const Node& node = nodes_[row.node];
    const Number impulse = row.data.sum + row.data.applied + node.x[row.row];
    const Number speed = speed_along(node, row.row);
    const Number blur =
        blur_along(bodies_[node.plan->body_a], bodies_[node.plan->body_b], node.jacobian[row.row]);
    row.next = next_stair(row.data, row.stair, step_, impulse, speed, blur, relaxing);
    row.leaves = open & !(row.next == row.stair);
    if (relaxing) row.leaves = row.leaves & row.acted;
    any = any | row.leaves;
  }
  return any.any();
}

template <int W>
void SystemLanes<W>::solve_active_set(bool relaxing) {
  const Number one = 1, none = 0;
  for (int i = 0; i < axial_count_; ++i) axial_[i].acted = axial_[i].on;
  Number fewest = axial_count_ + 1, vain = 0;
  Mask open = Mask::all();
  for (int revision = 0;; ++revision) {
    bool same = factored_;
    for (int i = 0; same && i < axial_count_; ++i) {
      same = !(axial_[i].on != axial_[i].factored).any();
    }
    if (!same) factor();
    find_impulses(relaxing);
    if (axial_count_ == 0) {
      apply_impulses(open);
      break;
    }
    bool leaving = find_leaving(relaxing, open);
    if (leaving && revision >= constants::most_revisions) {
      for (int i = 0; i < axial_count_; ++i) axial_[i].leaves = axial_[i].leaves & axial_[i].on;
    }
    Number count = 0;
    for (int i = 0; leaving && i < axial_count_; ++i) {
      count += select(axial_[i].leaves, one, none);
    }
    const Mask leave = leaving ? count > none : Mask::none(), ends = open & !leave;
    for (int n = 0; n < nodes_count_; ++n) {
      Node& node = nodes_[n];
      for (int i = 0; i < node.plan->rows; ++i) {
        node.found[i] = revision == 0 ? node.x[i] : select(ends, node.x[i], node.found[i]);
      }
    }
    open = open & leave;
    if (!open.any()) {
      for (int n = 0; revision > 0 && n < nodes_count_; ++n) {
        Node& node = nodes_[n];
        for (int i = 0; i < node.plan->rows; ++i) node.x[i] = node.found[i];
      }
      break;
    }
    for (int i = 0; i < own_count_; ++i) {
      State& state = bodies_[plan_->bodies_[i]];
      state.vx = select(open, saved_[i].vx, state.vx);
      state.vy = select(open, saved_[i].vy, state.vy);
      state.omega = select(open, saved_[i].omega, state.omega);
    }
    const Mask fewer = count < fewest;
    fewest = select(fewer, count, fewest);
    vain = select(fewer, none, vain + one);
    Mask first_alone = Mask::none();
    if (revision < constants::most_revisions) {
      first_alone = (!fewer) & (vain > Number(constants::most_vain_revisions));
    }
    Mask taken = Mask::none();
    for (int i = 0; i < axial_count_; ++i) {
      Row& row = axial_[i];
      const Mask goes = open & row.leaves & !(first_alone & taken);
      taken = taken | row.leaves;
      if (goes.any()) stand(row, row.next, goes);
    }
  }
  add_totals();
}

template <int W>
void SystemLanes<W>::add_totals() {
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    for (int i = 0; i < node.plan->rows; ++i) {
      if (node.axial[i] >= 0) {
        StairRow<Number>& data = axial_[node.axial[i]].data;
        node.x[i] += data.applied;
        data.sum += node.x[i];
        data.given = data.applied = 0;
      }
      if (node.plan->angular[i]) {
        node.total[2] += node.x[i];
      } else {
        node.total[0] += node.x[i] * node.jacobian[i][3];
        node.total[1] += node.x[i] * node.jacobian[i][4];
      }
    }
  }
}

}  // namespace rigid

#endif
