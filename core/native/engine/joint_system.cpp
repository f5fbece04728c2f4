#include "engine/joint_system.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace rigid {

namespace {
// A pivot this small beside its row's own mass is rounding: the row says nothing new.
constexpr double dependent = 1e-9;

bool is_rod(const Joint& joint) {
  return joint.kind == JointKind::distance && joint.min_length >= joint.max_length;
}

// What a column of J takes of a body's velocity: inverse mass, inverse mass, inverse inertia.
double body_product(const double* j, const double* k, double mass, double inertia) {
  return mass * (j[0] * k[0] + j[1] * k[1]) + inertia * j[2] * k[2];
}
}  // namespace

bool has_rigid_rows(const Joint& joint) {
  switch (joint.kind) {
    case JointKind::revolute:
      return true;
    case JointKind::weld:
      return joint.spring.kind == 0;
    default:
      return is_rod(joint) && joint.min_length > 0.0f;
  }
}

JointSystem::JointSystem(const std::vector<int>& joints, const KernelContext& context, long budget)
    : joints_(joints) {
  const int count = static_cast<int>(joints.size());
  auto moves = [&](int body) { return can_move(context.masses[body]); };
  // Neighbours: joints that share a moving body.
  std::map<int, std::vector<int>> at_body;
  for (int i = 0; i < count; ++i) {
    const Joint& joint = context.joints[joints[i]];
    for (int body : {joint.body_a, joint.body_b}) {
      if (moves(body)) at_body[body].push_back(i);
    }
  }
  std::vector<std::set<int>> neighbours(count);
  for (const auto& [body, list] : at_body) {
    if (static_cast<long>(list.size()) * static_cast<long>(list.size()) > budget) return;
    for (int i : list) {
      for (int j : list) {
        if (i != j) neighbours[i].insert(j);
      }
    }
  }
  // Elimination by least degree, ties by index; what is left below each pivot.
  std::set<std::pair<int, int>> queue;
  for (int i = 0; i < count; ++i) queue.insert({static_cast<int>(neighbours[i].size()), i});
  std::vector<int> order, place(count, -1);
  std::vector<std::vector<int>> rest;
  long cost = 0;
  while (!queue.empty()) {
    int i = queue.begin()->second;
    queue.erase(queue.begin());
    place[i] = static_cast<int>(order.size());
    order.push_back(i);
    std::vector<int> others(neighbours[i].begin(), neighbours[i].end());
    long degree = static_cast<long>(others.size());
    cost += 2 + degree * (degree + 3) / 2;
    if (cost > budget) return;
    for (int j : others) {
      queue.erase({static_cast<int>(neighbours[j].size()), j});
      neighbours[j].erase(i);
      for (int k : others) {
        if (k != j) neighbours[j].insert(k);
      }
      queue.insert({static_cast<int>(neighbours[j].size()), j});
    }
    rest.push_back(std::move(others));
  }

  std::map<std::pair<int, int>, int> index_of;  // (row, column) in places
  for (int p = 0; p < count; ++p) {
    const Joint& joint = context.joints[joints[order[p]]];
    Node node{};
    node.joint = joints[order[p]];
    node.body_a = joint.body_a;
    node.body_b = joint.body_b;
    node.moves_a = moves(joint.body_a);
    node.moves_b = moves(joint.body_b);
    node.rows = joint.kind == JointKind::weld ? 3 : joint.kind == JointKind::revolute ? 2 : 1;
    node.first_below = static_cast<int>(below_.size());
    std::vector<int> rows;
    for (int j : rest[p]) rows.push_back(place[j]);
    std::sort(rows.begin(), rows.end());
    node.below_count = static_cast<int>(rows.size());
    for (int row : rows) {
      const Joint& other = context.joints[joints[order[row]]];
      int sides = 0;
      if (node.moves_a && other.body_a == joint.body_a) sides |= 1;
      if (node.moves_b && other.body_a == joint.body_b) sides |= 2;
      if (node.moves_a && other.body_b == joint.body_a) sides |= 4;
      if (node.moves_b && other.body_b == joint.body_b) sides |= 8;
      index_of[{row, p}] = static_cast<int>(below_.size());
      below_.push_back({row, sides, {}, {}});
    }
    nodes_.push_back(node);
  }
  for (const Node& node : nodes_) {
    first_update_.push_back(static_cast<int>(updates_.size()));
    for (int i = 0; i < node.below_count; ++i) {
      for (int k = 0; k <= i; ++k) {
        int left = node.first_below + i, right = node.first_below + k;
        int row = below_[left].row, column = below_[right].row;
        updates_.push_back({i == k ? ~row : index_of.at({row, column}), left, right});
      }
    }
  }
  first_update_.push_back(static_cast<int>(updates_.size()));
  diagonals_.resize(count);
  cost_ = cost;
}

void JointSystem::prepare(const KernelContext& context) {
  for (Node& node : nodes_) {
    const Joint& joint = context.joints[node.joint];
    const Body &a = context.bodies[node.body_a], &b = context.bodies[node.body_b];
    node.mass_a = context.masses[node.body_a].mass;
    node.inertia_a = context.masses[node.body_a].inertia;
    node.mass_b = context.masses[node.body_b].mass;
    node.inertia_b = context.masses[node.body_b].inertia;
    SineCosine qa = sine_cosine(a.angle), qb = sine_cosine(b.angle);
    node.anchor_a[0] = qa.cosine * joint.local_a.x - qa.sine * joint.local_a.y;
    node.anchor_a[1] = qa.sine * joint.local_a.x + qa.cosine * joint.local_a.y;
    node.anchor_b[0] = qb.cosine * joint.local_b.x - qb.sine * joint.local_b.y;
    node.anchor_b[1] = qb.sine * joint.local_b.x + qb.cosine * joint.local_b.y;
    node.offset[0] = b.center_x - a.center_x;
    node.offset[1] = b.center_y - a.center_y;
    node.angle = b.angle - a.angle - joint.reference_angle;
    node.length = joint.min_length;
    for (double& total : node.total) total = 0;
  }
}

// Jacobian and error of a joint where its bodies are now.
void JointSystem::locate(Node& node, const KernelContext& context) {
  const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
  double ax = a.c * node.anchor_a[0] - a.s * node.anchor_a[1];
  double ay = a.s * node.anchor_a[0] + a.c * node.anchor_a[1];
  double bx = b.c * node.anchor_b[0] - b.s * node.anchor_b[1];
  double by = b.s * node.anchor_b[0] + b.c * node.anchor_b[1];
  double dx = static_cast<double>(b.dx) - a.dx + node.offset[0] + bx - ax;
  double dy = static_cast<double>(b.dy) - a.dy + node.offset[1] + by - ay;
  if (node.rows == 1) {
    double length = std::sqrt(dx * dx + dy * dy);
    double ux = length > 1e-12 ? dx / length : 0.0, uy = length > 1e-12 ? dy / length : 0.0;
    const double row[6] = {-ux, -uy, -(ax * uy - ay * ux), ux, uy, bx * uy - by * ux};
    std::copy(row, row + 6, node.jacobian[0]);
    node.direction[0] = ux;
    node.direction[1] = uy;
    node.error[0] = length - node.length;
    return;
  }
  const double rows[3][6] = {
      {-1, 0, ay, 1, 0, -by}, {0, -1, -ax, 0, 1, bx}, {0, 0, -1, 0, 0, 1}};
  for (int r = 0; r < node.rows; ++r) std::copy(rows[r], rows[r] + 6, node.jacobian[r]);
  node.error[0] = dx;
  node.error[1] = dy;
  node.error[2] = node.angle + (static_cast<double>(b.delta_angle) - a.delta_angle);
}

// A generalised inverse of a symmetric pivot: rows that depend on earlier ones get none.
void JointSystem::invert(Node& node, const Block& pivot, const double (&scale)[most]) const {
  const int n = node.rows;
  double l[most][most] = {}, pivots[most] = {}, d[most] = {};  // d: inverse pivots
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) {
      double sum = pivot.v[i][k];
      for (int m = 0; m < k; ++m) sum -= l[i][m] * pivots[m] * l[k][m];
      l[i][k] = sum * d[k];
    }
    double rest = pivot.v[i][i];
    for (int k = 0; k < i; ++k) rest -= l[i][k] * l[i][k] * pivots[k];
    bool regular = rest > dependent * scale[i];
    pivots[i] = regular ? rest : 0;
    d[i] = regular ? 1 / rest : 0;
  }
  for (int column = 0; column < n; ++column) {
    double x[most] = {};
    for (int i = 0; i < n; ++i) {
      x[i] = i == column ? 1 : 0;
      for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    }
    for (int i = 0; i < n; ++i) x[i] *= d[i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
    }
    for (int i = 0; i < n; ++i) node.inverse.v[i][column] = x[i];
  }
}

void JointSystem::factor(const KernelContext& context) {
  const int count = static_cast<int>(nodes_.size());
  for (int p = 0; p < count; ++p) {
    Node& node = nodes_[p];
    locate(node, context);
    Block& block = diagonals_[p];
    for (int i = 0; i < node.rows; ++i) {
      for (int k = 0; k <= i; ++k) {
        const double *ji = node.jacobian[i], *jk = node.jacobian[k];
        double value = body_product(ji, jk, node.mass_a, node.inertia_a) +
                       body_product(ji + 3, jk + 3, node.mass_b, node.inertia_b);
        block.v[i][k] = block.v[k][i] = value;
      }
    }
  }
  for (int p = 0; p < count; ++p) {
    const Node& column = nodes_[p];
    for (int b = column.first_below; b < column.first_below + column.below_count; ++b) {
      Below& below = below_[b];
      const Node& row = nodes_[below.row];
      for (int i = 0; i < row.rows; ++i) {
        for (int k = 0; k < column.rows; ++k) {
          const double *ji = row.jacobian[i], *jk = column.jacobian[k];
          double sum = 0;
          if (below.sides & 1) sum += body_product(ji, jk, column.mass_a, column.inertia_a);
          if (below.sides & 2) sum += body_product(ji, jk + 3, column.mass_b, column.inertia_b);
          if (below.sides & 4) sum += body_product(ji + 3, jk, column.mass_a, column.inertia_a);
          if (below.sides & 8) sum += body_product(ji + 3, jk + 3, column.mass_b, column.inertia_b);
          below.block.v[i][k] = sum;
        }
      }
    }
  }
  for (int p = 0; p < count; ++p) {
    Node& node = nodes_[p];
    double scale[most] = {};
    for (int i = 0; i < node.rows; ++i) {
      scale[i] = body_product(node.jacobian[i], node.jacobian[i], node.mass_a, node.inertia_a) +
                 body_product(node.jacobian[i] + 3, node.jacobian[i] + 3, node.mass_b,
                              node.inertia_b);
    }
    invert(node, diagonals_[p], scale);
    for (int b = node.first_below; b < node.first_below + node.below_count; ++b) {
      Below& below = below_[b];
      const int rows = nodes_[below.row].rows;
      below.scaled = below.block;
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < node.rows; ++k) {
          double sum = 0;
          for (int m = 0; m < node.rows; ++m) sum += below.scaled.v[i][m] * node.inverse.v[m][k];
          below.block.v[i][k] = sum;
        }
      }
    }
    for (int u = first_update_[p]; u < first_update_[p + 1]; ++u) {
      const Update& update = updates_[u];
      const Below &left = below_[update.left], &right = below_[update.right];
      Block& target = update.target < 0 ? diagonals_[~update.target] : below_[update.target].block;
      const int rows = nodes_[left.row].rows, columns = nodes_[right.row].rows;
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
          double sum = 0;
          for (int m = 0; m < node.rows; ++m) sum += left.block.v[i][m] * right.scaled.v[k][m];
          target.v[i][k] -= sum;
        }
      }
    }
  }
}

void JointSystem::solve(const KernelContext& context, double correction) {
  const int count = static_cast<int>(nodes_.size());
  for (Node& node : nodes_) {
    const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
    for (int i = 0; i < node.rows; ++i) {
      const double* j = node.jacobian[i];
      double speed = j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy +
                     j[5] * b.omega;
      node.x[i] = -(speed + correction * node.error[i]);
    }
  }
  for (int p = 0; p < count; ++p) {
    const Node& node = nodes_[p];
    for (int b = node.first_below; b < node.first_below + node.below_count; ++b) {
      Node& row = nodes_[below_[b].row];
      for (int i = 0; i < row.rows; ++i) {
        for (int k = 0; k < node.rows; ++k) row.x[i] -= below_[b].block.v[i][k] * node.x[k];
      }
    }
  }
  for (int p = count - 1; p >= 0; --p) {
    Node& node = nodes_[p];
    double x[most] = {};
    for (int i = 0; i < node.rows; ++i) {
      for (int k = 0; k < node.rows; ++k) x[i] += node.inverse.v[i][k] * node.x[k];
    }
    for (int b = node.first_below; b < node.first_below + node.below_count; ++b) {
      const Node& row = nodes_[below_[b].row];
      for (int i = 0; i < node.rows; ++i) {
        for (int k = 0; k < row.rows; ++k) x[i] -= below_[b].block.v[k][i] * row.x[k];
      }
    }
    std::copy(x, x + most, node.x);
  }
  for (Node& node : nodes_) {
    double j[6] = {};
    for (int i = 0; i < node.rows; ++i) {
      for (int k = 0; k < 6; ++k) j[k] += node.x[i] * node.jacobian[i][k];
    }
    auto apply = [&](int body, bool moves, double mass, double inertia, const double* impulse) {
      if (!moves) return;
      BodyState& state = context.states[body];
      state.vx = static_cast<float>(state.vx + mass * impulse[0]);
      state.vy = static_cast<float>(state.vy + mass * impulse[1]);
      state.omega = static_cast<float>(state.omega + inertia * impulse[2]);
    };
    apply(node.body_a, node.moves_a, node.mass_a, node.inertia_a, j);
    apply(node.body_b, node.moves_b, node.mass_b, node.inertia_b, j + 3);
    node.total[0] += j[3];
    node.total[1] += j[4];
    if (node.rows == 3) node.total[2] += node.x[2];
  }
}

void JointSystem::store(const KernelContext& context) const {
  for (const Node& node : nodes_) {
    Joint& joint = context.joints[node.joint];
    joint.total_x += static_cast<float>(node.total[0]);
    joint.total_y += static_cast<float>(node.total[1]);
    joint.total_angular += static_cast<float>(node.total[2]);
  }
}

}  // namespace rigid
