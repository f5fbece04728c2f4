#include "engine/joint_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace rigid {

namespace {
// The give of a row, as a share of its bodies' inverse masses (or inertias). At 240 substeps a
// second a pin between two bodies is a spring of 1200 Hz: 100 links under 100 times their weight
// stretch by a ten thousandth, yet a straight rope bridge, which nothing rigid could hold, pulls
// with a finite force; and rows that say the same share their load. Ten times less made such
// bridges throw off what lay on them.
constexpr double compliance = 1e-3;
// What is left of a correction where the mechanism touches something.
constexpr double loaded_share = 0.2;
// A pivot this small beside its row's own inverse mass is rounding.
constexpr double dependent = 1e-9;

// Times that the set of acting limits and motors is revised for one solution.
constexpr int revisions = 6;
constexpr float infinity = std::numeric_limits<float>::infinity();

bool is_rod(const Joint& joint) {
  return joint.kind == JointKind::distance && joint.min_length >= joint.max_length;
}

void push(BodyState* states, int body, bool moves, double mass, double inertia,
          const double* impulse) {
  if (!moves) return;
  BodyState& state = states[body];
  state.vx = static_cast<float>(state.vx + mass * impulse[0]);
  state.vy = static_cast<float>(state.vy + mass * impulse[1]);
  state.omega = static_cast<float>(state.omega + inertia * impulse[2]);
}

// What a column of J takes of a body's velocity: inverse mass, inverse mass, inverse inertia.
double body_product(const double* j, const double* k, double mass, double inertia) {
  return mass * (j[0] * k[0] + j[1] * k[1]) + inertia * j[2] * k[2];
}

// A motor by position with a spring of its own is a spring.
bool has_motor(const Joint& joint) {
  return joint.motor != MotorKind::none && joint.motor_maximum > 0.0f &&
         !(joint.motor == MotorKind::position && joint.motor_spring.kind != 0);
}

bool has_hard_limits(const Joint& joint) {
  if (joint.limit_spring.kind != 0) return false;
  if (joint.kind != JointKind::distance) return joint.has_limits;
  return joint.min_length > 0.0f || joint.max_length < infinity;
}

}  // namespace

bool has_rigid_rows(const Joint& joint) {
  switch (joint.kind) {
    case JointKind::weld:
      return joint.spring.kind == 0;
    case JointKind::distance:
      // A rod of no length has no direction.
      return is_rod(joint) ? joint.min_length > 0.0f : has_hard_limits(joint) || has_motor(joint);
    case JointKind::mouse:
      return false;
    case JointKind::rotary_motor:
    case JointKind::axial_friction:
      return has_motor(joint);
    default:
      return true;
  }
}

// How many rows a joint has, and which of them are turns, limits or motors.
int JointSystem::plan_rows(const Joint& joint, Node& node) {
  bool axial = has_motor(joint) || has_hard_limits(joint);
  for (int i = 0; i < most; ++i) {
    node.angular[i] = false;
    node.axial[i] = Axial{};
  }
  switch (joint.kind) {
    case JointKind::revolute:
      node.angular[2] = true;
      node.axial[2].present = axial;
      return axial ? 3 : 2;
    case JointKind::weld:
      node.angular[2] = true;
      return 3;
    case JointKind::prismatic:  // across, angle, along
      node.angular[1] = true;
      node.axial[2].present = axial;
      return axial ? 3 : 2;
    case JointKind::wheel:  // across, turn, along
      node.angular[1] = true;
      node.axial[1].present = has_motor(joint);
      node.axial[2].present = has_hard_limits(joint);
      // A row that is neither is left out of every solution.
      if (!node.axial[1].present && node.axial[2].present) node.axial[1].present = true;
      return node.axial[2].present ? 3 : node.axial[1].present ? 2 : 1;
    case JointKind::rotary_motor:
      node.angular[0] = true;
      node.axial[0].present = true;
      return 1;
    case JointKind::axial_friction:
      node.axial[0].present = true;
      return 1;
    default:
      node.axial[0].present = !is_rod(joint);
      return 1;
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
    node.kind = joint.kind;
    node.rows = plan_rows(joint, node);
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i].present) axial_.push_back({p, i});
    }
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
  for (const auto& [body, list] : at_body) bodies_.push_back(body);
  saved_.resize(bodies_.size());
  cost_ = cost;
}

// The share of an error to be removed in a substep: all of a small one, a large one at some speed.
// Where other bodies lie on the mechanism less: a contact sees its light parts only, and throws off
// what they carry when they snap back.
double JointSystem::correction_of(double error) const {
  double size = std::fabs(error);
  double share = size <= most_correction_ ? 1.0 : most_correction_ / size;
  return loaded_ ? loaded_share * share : share;
}

void JointSystem::prepare(const KernelContext& context, const std::vector<uint8_t>& touched) {
  loaded_ = false;
  for (int body : bodies_) loaded_ = loaded_ || touched[body] != 0;
  h_ = context.parameters->h;
  most_correction_ = context.parameters->push_speed * h_;
  for (Node& node : nodes_) {
    const Joint& joint = context.joints[node.joint];
    const Body &a = context.bodies[node.body_a], &b = context.bodies[node.body_b];
    node.mass_a = context.masses[node.body_a].mass;
    node.inertia_a = context.masses[node.body_a].inertia;
    node.mass_b = context.masses[node.body_b].mass;
    node.inertia_b = context.masses[node.body_b].inertia;
    for (int i = 0; i < most; ++i) {
      node.give[i] = compliance * (node.angular[i] ? node.inertia_a + node.inertia_b
                                                   : node.mass_a + node.mass_b);
    }
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
    const SineCosine& owner = joint.kind == JointKind::axial_friction ? qb : qa;
    node.axis[0] = owner.cosine * joint.axis.x - owner.sine * joint.axis.y;
    node.axis[1] = owner.sine * joint.axis.x + owner.cosine * joint.axis.y;
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i].present) set_axial(joint, i, h_, node.axial[i]);
    }
  }
}

void JointSystem::set_axial(const Joint& joint, int row, double h, Axial& axial) {
  bool distance = joint.kind == JointKind::distance;
  // A wheel's motor turns it, its limits are along the line.
  bool limits = has_hard_limits(joint) && !(joint.kind == JointKind::wheel && row == 1);
  axial.motor = has_motor(joint) && !(joint.kind == JointKind::wheel && row == 2);
  axial.position = joint.motor == MotorKind::position;
  axial.target = joint.motor_target;
  axial.maximum = static_cast<double>(joint.motor_maximum) * h;
  axial.lower_at = distance ? joint.min_length : joint.lower;
  axial.upper_at = distance ? joint.max_length : joint.upper;
  axial.lower = limits && (distance ? axial.lower_at > 0 : axial.lower_at > -infinity);
  axial.upper = limits && axial.upper_at < infinity;
  axial.equal = axial.lower && axial.upper && axial.lower_at >= axial.upper_at;
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
  double angle = node.angle + (static_cast<double>(b.delta_angle) - a.delta_angle);
  auto set = [&node](int row, double ux, double uy, double arm_a, double arm_b, double error) {
    const double j[6] = {-ux, -uy, -arm_a, ux, uy, arm_b};
    std::copy(j, j + 6, node.jacobian[row]);
    node.error[row] = node.axial[row].coordinate = error;
  };
  // A row along u: on A it acts at B's anchor, since A's line turns with A.
  auto along = [&](int row, double ux, double uy) {
    set(row, ux, uy, (ax + dx) * uy - (ay + dy) * ux, bx * uy - by * ux, dx * ux + dy * uy);
  };
  switch (node.kind) {
    case JointKind::distance: {
      double length = std::sqrt(dx * dx + dy * dy);
      double ux = length > 1e-12 ? dx / length : 0.0, uy = length > 1e-12 ? dy / length : 0.0;
      set(0, ux, uy, ax * uy - ay * ux, bx * uy - by * ux, length - node.length);
      node.axial[0].coordinate = length;
      break;
    }
    case JointKind::prismatic:
    case JointKind::wheel: {
      double ux = a.c * node.axis[0] - a.s * node.axis[1];
      double uy = a.s * node.axis[0] + a.c * node.axis[1];
      along(0, -uy, ux);
      set(1, 0, 0, 1, 1, angle);
      along(2, ux, uy);
      break;
    }
    case JointKind::rotary_motor:
      set(0, 0, 0, 1, 1, angle);
      break;
    case JointKind::axial_friction: {
      double ux = b.c * node.axis[0] - b.s * node.axis[1];
      double uy = b.s * node.axis[0] + b.c * node.axis[1];
      set(0, ux, uy, 0, bx * uy - by * ux, 0);
      break;
    }
    default:  // revolute, weld
      set(0, 1, 0, -ay, -by, dx);
      set(1, 0, 1, ax, bx, dy);
      set(2, 0, 0, 1, 1, angle);
      break;
  }
  for (int i = 0; i < node.rows; ++i) {
    const double* j = node.jacobian[i];
    node.scale[i] = body_product(j, j, node.mass_a, node.inertia_a) +
                    body_product(j + 3, j + 3, node.mass_b, node.inertia_b);
  }
}

void JointSystem::locate(const KernelContext& context) {
  for (Node& node : nodes_) locate(node, context);
  factored_ = false;
}

// A generalised inverse of a symmetric pivot: rows that depend on earlier ones get none.
void JointSystem::invert(Node& node, const Block& pivot) const {
  const int n = node.rows;
  node.inverse = Block{};
  double l[most][most] = {}, pivots[most] = {}, d[most] = {};  // d: inverse pivots
  for (int i = 0; i < n; ++i) {
    // A limit or motor that does not act is as good as absent.
    if (node.axial[i].present && !node.axial[i].on) continue;
    for (int k = 0; k < i; ++k) {
      double sum = pivot.v[i][k];
      for (int m = 0; m < k; ++m) sum -= l[i][m] * pivots[m] * l[k][m];
      l[i][k] = sum * d[k];
    }
    double rest = pivot.v[i][i];
    for (int k = 0; k < i; ++k) rest -= l[i][k] * l[i][k] * pivots[k];
    bool regular = rest > dependent * node.scale[i];
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
    // Rows without a pivot stay out on both sides.
    for (int i = 0; i < n; ++i) node.inverse.v[i][column] = d[i] > 0 && d[column] > 0 ? x[i] : 0;
  }
}

void JointSystem::factor() {
  const int count = static_cast<int>(nodes_.size());
  factored_ = true;
  for (AxialRow at : axial_) axial_of(at).factored = axial_of(at).on;
  for (int p = 0; p < count; ++p) {
    const Node& node = nodes_[p];
    Block& block = diagonals_[p];
    for (int i = 0; i < node.rows; ++i) {
      for (int k = 0; k <= i; ++k) {
        const double *ji = node.jacobian[i], *jk = node.jacobian[k];
        double value = body_product(ji, jk, node.mass_a, node.inertia_a) +
                       body_product(ji + 3, jk + 3, node.mass_b, node.inertia_b);
        block.v[i][k] = block.v[k][i] = value + (i == k ? node.give[i] : 0);
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
    invert(node, diagonals_[p]);
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

double JointSystem::speed_along(const KernelContext& context, const Node& node, int row) const {
  const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
  const double* j = node.jacobian[row];
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

void JointSystem::find_impulses(const KernelContext& context, bool relaxing) {
  auto pull = [&](double error) { return relaxing ? 0.0 : correction_of(error) * error / h_; };
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      const Axial& axial = node.axial[i];
      double bias = 0, gap = 0;
      switch (axial.mode) {
        case Axial::drive:
          bias = axial.position ? pull(axial.coordinate - axial.target) : -axial.target;
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
          bias = pull(node.error[i]);
          break;
      }
      bool acts = !axial.present || axial.on;
      node.x[i] = acts ? -(speed_along(context, node, i) + bias) : 0;
    }
  }
  substitute();
}

// From right sides to impulses: forward, by the pivots, and back.
void JointSystem::substitute() {
  const int count = static_cast<int>(nodes_.size());
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
}

// The impulses found, onto the bodies.
void JointSystem::apply_impulses(const KernelContext& context) {
  for (const Node& node : nodes_) {
    double j[6] = {};
    for (int i = 0; i < node.rows; ++i) {
      for (int k = 0; k < 6; ++k) j[k] += node.x[i] * node.jacobian[i][k];
    }
    push(context.states, node.body_a, node.moves_a, node.mass_a, node.inertia_a, j);
    push(context.states, node.body_b, node.moves_b, node.mass_b, node.inertia_b, j + 3);
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
  push(context.states, node.body_a, node.moves_a, node.mass_a, node.inertia_a, j);
  push(context.states, node.body_b, node.moves_b, node.mass_b, node.inertia_b, j + 3);
  axial.applied = axial.given;
}

// Which way a motor wants to go.
double JointSystem::lead_of(const Axial& axial) {
  if (!axial.motor) return 0;
  return axial.position ? axial.target - axial.coordinate : axial.target;
}

// A first guess: limits that will be passed in this substep push, unless a motor leads away.
void JointSystem::start_modes(const KernelContext& context) {
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    double next = axial.coordinate + h_ * speed_along(context, nodes_[at.node], at.row);
    double lead = lead_of(axial);
    axial.mode = axial.motor ? Axial::drive : Axial::free;
    if (axial.lower && next <= axial.lower_at && lead <= 0) axial.mode = Axial::push_lower;
    if (axial.upper && next >= axial.upper_at && lead >= 0) axial.mode = Axial::push_upper;
    if (axial.equal) axial.mode = Axial::hold;
    axial.on = axial.mode != Axial::free;
    axial.given = axial.applied = axial.sum = 0;
    axial.released = false;
  }
}

// Whether an acting row has to change its part, given the impulse found for it.
bool JointSystem::release(const KernelContext& context, AxialRow at, bool relaxing) {
  Axial& axial = axial_of(at);
  if (!axial.on || axial.mode == Axial::hold) return false;
  double whole = axial.sum + nodes_[at.node].x[at.row];
  if (axial.mode == Axial::drive) {
    if (whole >= -axial.maximum && whole <= axial.maximum) return false;
    axial.given = (whole > 0 ? axial.maximum : -axial.maximum) - axial.sum;
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
  axial.released = true;
  if (axial.motor && away && !relaxing) {
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

// Whether a limit that does not act would be passed with the velocities as they are now. One that
// has been let go stays so for this solution.
bool JointSystem::take_up(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  if ((axial.mode != Axial::free && axial.mode != Axial::drive) || axial.released) return false;
  double speed = speed_along(context, nodes_[at.node], at.row);
  double next = axial.coordinate + h_ * speed, tolerance = 1e-9 + 1e-6 * h_;
  bool low = axial.lower && next < axial.lower_at - tolerance && speed < 0;
  bool high = axial.upper && next > axial.upper_at + tolerance && speed > 0;
  if (!low && !high) return false;
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
    if (revision < revisions) {
      for (AxialRow at : axial_) again = release(context, at, relaxing) || again;
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

void JointSystem::solve(const KernelContext& context) {
  start_modes(context);
  solve_active_set(context, false);
}

void JointSystem::relax(const KernelContext& context) {
  for (AxialRow at : axial_) axial_of(at).released = false;
  solve_active_set(context, true);
}

void JointSystem::store(const KernelContext& context) const {
  for (const Node& node : nodes_) {
    Joint& joint = context.joints[node.joint];
    joint.total_x += static_cast<float>(node.total[0]);
    joint.total_y += static_cast<float>(node.total[1]);
    joint.total_angular += static_cast<float>(node.total[2]);
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i].present && node.axial[i].motor) {
        joint.motor_total += static_cast<float>(node.axial[i].sum);
      }
    }
  }
}

}  // namespace rigid
