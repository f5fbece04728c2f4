#include "engine/joints/joint.h"

#include <algorithm>
#include <cmath>

#include "engine/joints/types.h"
#include "engine/rows.h"
#include "engine/solvers/wide.h"

namespace rigid {

namespace {

using WidePlace = PlaceOf<WideVec2<4>, wide<4>>;
using WideRows = RowsOf<WideVec2<4>, wide<4>>;

template <class Type>
constexpr JointType describe() {
  return {Type::traits,
          requires(const WidePlace& place, WideRows& rows) { Type::find_rows(place, rows); },
          [](const JointPlace& place, JointRows& rows) { Type::find_rows(place, rows); },
          Type::read,
          Type::range,
          Type::has_limits,
          Type::is_rigid,
          Type::swings};
}

template <class... Types>
const JointType& find_type(JointKind kind, JointTypeList<Types...>) {
  static constexpr JointType all[] = {describe<Types>()...};
  return all[static_cast<int>(kind)];
}

// An axis or anchor of a body, in the world.
Double2 turned(const SineCosine& q, Vec2 v) {
  return {q.cosine * v.x - q.sine * v.y, q.sine * v.x + q.cosine * v.y};
}

}  // namespace

const JointType& type_of(JointKind kind) { return find_type(kind, JointTypes{}); }

JointPlace joint_place(const Joint& joint, const Body& a, const Body& b) {
  const SineCosine qa = sine_cosine(a.angle), qb = sine_cosine(b.angle);
  JointPlace place;
  place.anchor_a = turned(qa, joint.local_a);
  place.anchor_b = turned(qb, joint.local_b);
  place.axis = turned(type_of(joint).axis_of_b ? qb : qa, joint.axis);
  place.between = {b.center_x - a.center_x + place.anchor_b.x - place.anchor_a.x,
                   b.center_y - a.center_y + place.anchor_b.y - place.anchor_a.y};
  place.angle = b.angle - a.angle - joint.reference_angle;
  return place;
}

JointStateRow joint_reading(const Joint& joint, const Body& a, const Body& b, const BodyState& sa,
                            const BodyState& sb) {
  JointPlace place = joint_place(joint, a, b);
  const Double2 ra = place.anchor_a, rb = place.anchor_b;
  // As the difference of the anchors' places, which channels round.
  place.between = {b.center_x + rb.x - a.center_x - ra.x, b.center_y + rb.y - a.center_y - ra.y};
  const Double2 arm = ra + place.between;
  JointMotion motion;
  motion.velocity = {(sb.vx - sb.omega * rb.y) - (sa.vx - sa.omega * arm.y),
                     (sb.vy + sb.omega * rb.x) - (sa.vy + sa.omega * arm.x)};
  motion.turn = static_cast<double>(sb.omega) - sa.omega;
  const JointReading reading = type_of(joint).read(joint, place, motion);
  JointStateRow row;
  row.angle = place.angle;
  row.length = std::sqrt(dot(place.between, place.between));
  row.translation = reading.translation;
  row.speed = reading.speed;
  row.broken = joint.broken || !joint.alive;
  return row;
}

Double2 force_point(const Joint& joint, bool on_b, const Body& a, const Body& b) {
  const bool at_b = on_b || type_of(joint).reaches_to_b;
  const Body& owner = at_b ? b : a;
  const Vec2 anchor = at_b ? joint.local_b : joint.local_a;
  const SineCosine q = sine_cosine(owner.angle);
  return {owner.center_x + q.cosine * anchor.x - q.sine * anchor.y,
          owner.center_y + q.sine * anchor.x + q.cosine * anchor.y};
}

double spring_mass(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                   InverseMass mass_b) {
  const JointType& type = type_of(joint);
  JointRows rows{};
  type.find_rows(joint_place(joint, a, b), rows);
  // The held rows are eliminated from J M^-1 J^T one after another; what is left is 1 / mass.
  const int held = std::clamp(type.held_rows, 0, most_rows - 1), last = type.coordinate_row;
  const int order[most_rows] = {held > 0 ? 0 : last, held > 1 ? 1 : last, last};
  double k[most_rows][most_rows] = {};
  for (int i = 0; i <= held; ++i) {
    for (int j = 0; j <= held; ++j) {
      k[i][j] = row_product(rows.jacobian[order[i]], rows.jacobian[order[j]], mass_a, mass_b);
    }
  }
  const double whole = k[held][held];
  for (int pivot = 0; pivot < held; ++pivot) {
    if (!(k[pivot][pivot] > 0)) continue;
    for (int i = pivot + 1; i <= held; ++i) {
      double share = k[i][pivot] / k[pivot][pivot];
      for (int j = pivot + 1; j <= held; ++j) k[i][j] -= share * k[pivot][j];
    }
  }
  // What is left of rounding holds fast.
  return k[held][held] > 1e-12 * whole ? 1 / k[held][held] : 0;
}

}  // namespace rigid
