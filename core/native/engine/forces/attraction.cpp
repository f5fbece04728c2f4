// SPDX-License-Identifier: MIT
// The sums of attraction by pairs or by cells, and its energy.
#include "engine/forces/attraction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sorting.h"

namespace rigid {

void Attraction::group(const std::vector<Contact>& contacts) {
  groups_.resize(bodies_.count());
  std::iota(groups_.begin(), groups_.end(), 0);
  for (const Contact& contact : contacts) {
    if (!contact.touching) continue;
    if (!bodies_.is_dynamic(contact.body_a) || !bodies_.is_dynamic(contact.body_b)) continue;
    const int a = group_of(contact.body_a), b = group_of(contact.body_b);
    groups_[std::max(a, b)] = std::min(a, b);
  }
}

int Attraction::group_of(int body) {
  while (groups_[body] != body) body = groups_[body] = groups_[groups_[body]];
  return body;
}

void Attraction::wake() {
  for (int i = 1; i < bodies_.count(); ++i) {
    if (bodies_.is_dynamic(i) && bodies_.alive[i]) bodies_.wake(i);
  }
}

void Attraction::collect() {
  pulled_.clear();
  for (int i = 1; i < bodies_.count(); ++i) {
    if (!bodies_.is_dynamic(i) || !bodies_.alive[i]) continue;
    const Double2 start = {bodies_[i].center_x, bodies_[i].center_y};
    pulled_.push_back({i, i, start, {}, {}, bodies_.steps[i].ax, bodies_.steps[i].ay});
  }
}

// Finds the forces at the bodies' positions after a time.
void Attraction::find_forces(double ahead) {
  for (Pulled& each : pulled_) {
    const Body& body = bodies_[each.body];
    const BodyState& state = bodies_.states[each.body];
    each.at = {body.center_x + state.dx + ahead * state.vx,
               body.center_y + state.dy + ahead * state.vy};
    each.force = {0, 0};
  }
  if (pulled_.size() <= PullTree::most_exact) {
    sum_pairs();
  } else {
    sum_cells();
  }
}

// Adds the force of each pair to both bodies.
void Attraction::sum_pairs() {
  const double soft = definition_.softening * definition_.softening;
  for (std::size_t i = 0; i < pulled_.size(); ++i) {
    Pulled& a = pulled_[i];
    const double strength = definition_.attraction * bodies_[a.body].mass;
    for (std::size_t j = i + 1; j < pulled_.size(); ++j) {
      Pulled& b = pulled_[j];
      const Double2 d = a.group == b.group ? b.start - a.start : b.at - a.at;
      const double squared = dot(d, d) + soft;
      if (!(squared > 0)) continue;
      const double pull = strength * bodies_[b.body].mass / (squared * std::sqrt(squared));
      a.force = a.force + pull * d;
      b.force = b.force - pull * d;
    }
  }
}

// Sums over all bodies at their present positions; then, for each group, replaces these by its
// positions at the step's start.
void Attraction::sum_cells() {
  points_.clear();
  for (const Pulled& each : pulled_) points_.push_back({each.at, bodies_[each.body].mass, {0, 0}});
  tree_.add_forces(points_, definition_.softening, 1);
  std::vector<int> members(pulled_.size());
  std::iota(members.begin(), members.end(), 0);
  rigid::stable_sort(members.begin(), members.end(),
                     [this](int a, int b) { return pulled_[a].group < pulled_[b].group; });
  std::vector<PullPoint> group;
  for (std::size_t first = 0, last; first < members.size(); first = last) {
    last = first + 1;
    while (last < members.size() && pulled_[members[last]].group == pulled_[members[first]].group)
      ++last;
    if (last == first + 1) continue;
    for (double sign : {-1.0, 1.0}) {
      group.clear();
      for (std::size_t i = first; i < last; ++i) {
        PullPoint point = points_[members[i]];
        if (sign > 0) point.at = pulled_[members[i]].start;
        group.push_back(point);
      }
      tree_.add_forces(group, definition_.softening, sign);
      for (std::size_t i = first; i < last; ++i) points_[members[i]].force = group[i - first].force;
    }
  }
  for (std::size_t i = 0; i < pulled_.size(); ++i) {
    pulled_[i].force = definition_.attraction * points_[i].force;
  }
}

void Attraction::pull(const std::vector<Contact>& contacts) {
  wake();
  collect();
  group(contacts);
  for (Pulled& each : pulled_) each.group = group_of(each.body);
  find_forces(0.5 * definition_.dt);
  for (const Pulled& each : pulled_) {
    Body& body = bodies_[each.body];
    body.force =
        body.force + Vec2{static_cast<float>(each.force.x), static_cast<float>(each.force.y)};
  }
}

void Attraction::pull_substep(float h, bool is_first) {
  if (is_first) collect();
  find_forces(0.5 * h);
  for (const Pulled& each : pulled_) {
    BodyStep& step = bodies_.steps[each.body];
    const double gain = static_cast<double>(h) * bodies_.step_inverse_masses[each.body].mass;
    step.ax = each.others_x + static_cast<float>(gain * each.force.x);
    step.ay = each.others_y + static_cast<float>(gain * each.force.y);
  }
}

double attraction_energy(const Bodies& bodies, const WorldDefinition& definition) {
  if (definition.attraction == 0) return 0;
  std::vector<PullPoint> points;
  for (int i = 1; i < bodies.count(); ++i) {
    if (!bodies.is_dynamic(i) || !bodies.alive[i]) continue;
    points.push_back({{bodies[i].center_x, bodies[i].center_y}, bodies[i].mass, {0, 0}});
  }
  if (points.size() > PullTree::most_exact) {
    return -definition.attraction * PullTree().potential(points, definition.softening);
  }
  const double soft = definition.softening * definition.softening;
  double sum = 0;
  for (int i = 1; i < bodies.count(); ++i) {
    if (!bodies.is_dynamic(i) || !bodies.alive[i]) continue;
    const Body& a = bodies[i];
    for (int j = i + 1; j < bodies.count(); ++j) {
      if (!bodies.is_dynamic(j) || !bodies.alive[j]) continue;
      const Body& b = bodies[j];
      const double x = b.center_x - a.center_x, y = b.center_y - a.center_y;
      const double squared = x * x + y * y + soft;
      if (squared > 0) sum -= definition.attraction * a.mass * b.mass / std::sqrt(squared);
    }
  }
  return sum;
}

}  // namespace rigid
