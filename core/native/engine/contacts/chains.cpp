// SPDX-License-Identifier: MIT
// The links of chains, and the contacts that can follow them.
#include "engine/contacts/chains.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"

namespace rigid {

// The lines of a chain are consecutive, and each stores the far ends of its neighbours.
void Chains::link_chains(int body) {
  const ShapeList& shapes = shapes_.of_body[body];
  auto points = [&](int shape) {
    return shapes_.given_points.data() + 2 * shapes_[shape].first_vertex;
  };
  auto same = [](const double* a, const double* b) { return a[0] == b[0] && a[1] == b[1]; };
  auto follows = [&](int first, int second) {
    const WorldShape &l = shapes_[first], &r = shapes_[second];
    const double *p = points(first), *q = points(second);
    return l.sensor == r.sensor && l.friction == r.friction && l.restitution == r.restitution &&
           l.rolling_resistance == r.rolling_resistance && l.tangent_speed == r.tangent_speed &&
           l.category == r.category && same(p + 2, q) && same(p + 4, q + 2) && same(p + 6, q + 4);
  };
  auto join = [&](int first, int second) {
    if (!follows(first, second)) return;
    const int left = shapes_[first].link, right = shapes_[second].link;
    ChainLink &l = links_[left], &r = links_[right];
    const double bend = cross(l.along, r.along) / (1.0 + dot(l.along, r.along));
    if (!(std::fabs(bend) <= smooth_bend)) return;
    l.neighbour[1] = right;
    r.neighbour[0] = left;
    l.bend[1] = r.bend[0] = bend;
  };
  int start = -1, last = -1;
  auto end_chain = [&] {
    if (start < 0) return;
    const bool closed = start != last && follows(last, start);
    if (closed) join(last, start);
    find_crossings(links_, shapes_[start].link, shapes_[last].link, closed,
                   constants::crossing_gap * definition_.length_unit, crossings_);
  };
  for (int index : shapes) {
    WorldShape& shape = shapes_[index];
    if (shape.kind != ShapeKind::chain_segment || shape.sensor) continue;
    shape.link = static_cast<int>(links_.size());
    line_of_link_.push_back(index);
    const Vec2* v = shapes_.vertices.data() + shape.first_vertex;
    const Double2 p1 = {v[1].x, v[1].y}, p2 = {v[2].x, v[2].y}, edge = p2 - p1;
    const double length = std::sqrt(dot(edge, edge));
    const Double2 along = length > 0.0 ? (1.0 / length) * edge : Double2{1.0, 0.0};
    links_.push_back({p1, along, length, {-1, -1}, {0.0, 0.0}, shape.link, 0.5 * length});
    if (last < 0 || !follows(last, index)) {
      end_chain();
      start = index;
    } else {
      const ChainLink& before = links_[shapes_[last].link];
      links_.back().chain = before.chain;
      links_.back().position += before.position + 0.5 * before.length;
      join(last, index);
    }
    last = index;
  }
  end_chain();
}

// The line of a contact with a chain. The other shape may slide along it.
int Chains::line_of(const Contact& contact) const {
  return shapes_[contact.shape_a].link >= 0 ? contact.shape_a : contact.shape_b;
}

// Whether a circle or a shape with corners touches a chain that it can follow.
bool Chains::is_smooth_chain(const Contact& contact) const {
  if (contact.sensor) return false;
  const WorldShape &rider = shapes_[rider_of(contact)], &line = shapes_[line_of(contact)];
  if (line.link < 0 || rider.part) return false;
  if (rider.kind == ShapeKind::segment || rider.kind == ShapeKind::chain_segment) return false;
  const ChainLink& link = links_[line.link];
  return link.neighbour[0] >= 0 || link.neighbour[1] >= 0;
}

std::vector<int> Chains::remove_links(int body) {
  const ShapeList& own = shapes_.of_body[body];
  if (std::none_of(own.begin(), own.end(), [this](int s) { return shapes_[s].link >= 0; })) {
    return {};
  }
  std::vector<int> now(links_.size(), -1);
  int count = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const int line = line_of_link_[i];
    if (shapes_[line].body == body) {
      shapes_[line].link = -1;
      continue;
    }
    links_[count] = links_[i];
    line_of_link_[count] = line;
    shapes_[line].link = now[i] = count++;
  }
  links_.resize(count);
  line_of_link_.resize(count);
  for (ChainLink& link : links_) {
    for (int& other : link.neighbour) other = other < 0 ? -1 : now[other];
    link.chain = now[link.chain];
  }
  std::erase_if(crossings_, [&](const ChainCrossing& crossing) { return now[crossing.chain] < 0; });
  for (ChainCrossing& crossing : crossings_) crossing.chain = now[crossing.chain];
  return now;
}

}  // namespace rigid
