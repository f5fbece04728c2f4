// SPDX-License-Identifier: MIT
// The solution of a group of impacts by passes and direct solutions.
#include "engine/collision/impact_group.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"

namespace rigid {

// The negative slope of x (K x / 2 - b), including the cost of the impulse itself.
RIGID_INLINE double ImpactGroup::missing(const ImpactRow& row) const {
  return row.wanted - change(row) - row.cost * row.impulse;
}

RIGID_INLINE void ImpactGroup::push(const ImpactRow& row, double impulse) {
  auto add = [&](Member& m, double arm, double signed_impulse) {
    const double along = m.mass * signed_impulse;
    m.vx += along * row.x;
    m.vy += along * row.y;
    m.spin += m.inertia * signed_impulse * arm;
  };
  add(members_[row.a], row.arm_a, -impulse);
  add(members_[row.b], row.arm_b, impulse);
}

// The change of the relative velocity of row r by a unit impulse of row s.
double ImpactGroup::coupling(const ImpactRow& r, const ImpactRow& s) const {
  const double along = r.x * s.x + r.y * s.y;
  double sum = 0;
  auto add = [&](int i, double arm_r, int j, double arm_s, double sign) {
    if (i != j || i == fixed) return;
    const Member& m = members_[i];
    sum += sign * (m.mass * along + m.inertia * arm_r * arm_s);
  };
  add(r.a, r.arm_a, s.a, s.arm_a, 1);
  add(r.b, r.arm_b, s.b, s.arm_b, 1);
  add(r.a, r.arm_a, s.b, s.arm_b, -1);
  add(r.b, r.arm_b, s.a, s.arm_a, -1);
  return sum;
}

void ImpactGroup::set_response(ImpactRow& row) const {
  const Member &a = members_[row.a], &b = members_[row.b];
  const double along = row.x * row.x + row.y * row.y;
  row.response = (a.mass * along + a.inertia * row.arm_a * row.arm_a) +
                 (b.mass * along + b.inertia * row.arm_b * row.arm_b);
  row.stiffness = row.response * (1 + row.give);
  row.cost = row.give * row.response;
}

// Returns the change of the row's relative velocity.
RIGID_INLINE double ImpactGroup::visit(ImpactRow& row) {
  if (!(row.response > 0)) return 0;
  double sum = row.impulse + missing(row) / row.stiffness;
  sum = sum < row.lower ? row.lower : sum;
  sum = row.upper < sum ? row.upper : sum;
  const double impulse = sum - row.impulse;
  row.impulse = sum;
  push(row, impulse);
  return std::fabs(impulse) * row.response;
}

// Returns the largest change of a relative velocity.
double ImpactGroup::pass(bool backwards) {
  double largest = 0;
  const int count = static_cast<int>(loose_.size());
  for (int k = 0; k < count; ++k) {
    largest = std::max(largest, visit(*loose_[backwards ? count - 1 - k : k]));
  }
  return largest;
}

// Solves the rows that are at no bound together, by Cholesky factorisation, and moves towards that
// solution as far as the bounds allow. Nearly dependent rows have factors that are mostly rounding:
// a step that does not descend is rejected.
void ImpactGroup::solve_free() {
  free_.clear();
  for (ImpactRow* row : loose_) {
    if (row->response > 0 && row->impulse > row->lower && row->impulse < row->upper) {
      free_.push_back(row);
    }
  }
  const int n = static_cast<int>(free_.size());
  matrix_.resize(n * n);
  steps_.resize(n);
  for (int i = 0; i < n; ++i) {
    const ImpactRow& row = *free_[i];
    steps_[i] = missing(row);
    for (int j = 0; j <= i; ++j) matrix_[i * n + j] = coupling(row, *free_[j]);
    matrix_[i * n + i] *= 1 + row.give;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = matrix_[i * n + j];
      for (int k = 0; k < j; ++k) sum -= matrix_[i * n + k] * matrix_[j * n + k];
      if (i != j) {
        matrix_[i * n + j] = sum / matrix_[j * n + j];
      } else if (sum > 0) {
        matrix_[i * n + i] = std::sqrt(sum);
      } else {
        return;
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) steps_[i] -= matrix_[i * n + k] * steps_[k];
    steps_[i] /= matrix_[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) steps_[i] -= matrix_[k * n + i] * steps_[k];
    steps_[i] /= matrix_[i * n + i];
  }
  double share = 1;
  for (int i = 0; i < n; ++i) {
    const ImpactRow& row = *free_[i];
    const double room = (steps_[i] > 0 ? row.upper : row.lower) - row.impulse;
    if (std::fabs(steps_[i]) > std::fabs(room)) share = std::min(share, room / steps_[i]);
  }
  // The decrease of x (K x / 2 - b), from the slopes before and after.
  double descent = 0;
  auto slope = [&](const ImpactRow& row, double step) { descent += 0.5 * step * missing(row); };
  kept_members_ = members_;
  for (int i = 0; i < n; ++i) {
    const ImpactRow& row = *free_[i];
    steps_[i] = std::clamp(row.impulse + share * steps_[i], row.lower, row.upper) - row.impulse;
    slope(row, steps_[i]);
  }
  for (int i = 0; i < n; ++i) {
    push(*free_[i], steps_[i]);
    free_[i]->impulse += steps_[i];
  }
  for (int i = 0; i < n; ++i) slope(*free_[i], steps_[i]);
  if (descent >= 0) return;
  members_ = kept_members_;
  for (int i = 0; i < n; ++i) free_[i]->impulse -= steps_[i];
}

void ImpactGroup::solve_until(std::span<ImpactRow> rows, double settled, int most_direct) {
  const int count = static_cast<int>(rows.size());
  loose_.clear();
  for (ImpactRow& row : rows) {
    set_response(row);
    if (row.lower < row.upper || row.impulse != 0) loose_.push_back(&row);
  }
  const int passes =
      std::max(constants::least_impact_passes, constants::most_impact_visits / std::max(count, 1));
  // Passes alone may stop at impulses that are not the minimum.
  const bool direct = count <= most_direct;
  for (int i = 0; i < passes; ++i) {
    if (pass(i % 2 == 1) <= settled && (i > 1 || !direct)) break;
    if (i % 2 == 1 && direct) solve_free();
  }
}

void ImpactGroup::solve(std::span<ImpactRow> rows) {
  if (rows.size() == 1) {
    set_response(rows[0]);
    visit(rows[0]);
    return;
  }
  double scale = 0;
  for (const ImpactRow& row : rows) scale = std::max(scale, std::fabs(row.wanted - change(row)));
  solve_until(rows, constants::impact_tolerance * scale, constants::most_direct_impacts);
}

void ImpactGroup::solve_normals(std::span<ImpactRow> rows, std::span<const double> speeds) {
  solve(rows);
  if (rows.size() == 1) return;
  // The energy changes by x (K x / 2 + v). Scaling x to make this at most 0 prevents a gain,
  // however inaccurate x is.
  double work = 0, square = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    work += rows[i].impulse * speeds[i];
    square += rows[i].impulse * change(rows[i]);
  }
  const double share = std::max(-2 * work / square, 0.0);
  if (!(share < 1)) return;
  for (ImpactRow& row : rows) row.impulse *= share;
  for (Member& m : members_) {
    m.vx *= share;
    m.vy *= share;
    m.spin *= share;
  }
}

}  // namespace rigid
