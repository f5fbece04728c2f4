// SPDX-License-Identifier: MIT
// Places, readings and effective masses of joints of any type.
#include "engine/joints/joint.h"

#include <algorithm>
#include <cmath>

#include "engine/data/rows.h"
#include "engine/joints/types.h"
#include "simd/wide.h"

namespace rigid {

namespace {

using WidePlace = PlaceOf<WideVec2<4>, wide<4>>;
using WideRows = RowsOf<WideVec2<4>, wide<4>>;

template <class Type>
constexpr JointType describe() {
  return {Type::traits,
          requires(const WidePlace& place, WideRows& rows) { Type::find_rows(place, rows); },
          [](const Joint& joint, const JointPlace& place, JointRows& rows) {
            if constexpr (requires { Type::find_rows(joint, place, rows); }) {
              Type::find_rows(joint, place, rows);
            } else {
              Type::find_rows(place, rows);
            }
          },
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

}  // namespace

const JointType& type_of(JointKind kind) { return find_type(kind, JointTypes{}); }

JointPlace joint_place(const Joint& joint, const Body& a, const Body& b) {
  return joint_place(joint, a, b, sine_cosine(a.angle), sine_cosine(b.angle));
}

JointPlace joint_place(const Joint& joint, const Body& a, const Body& b, const SineCosine& qa,
                       const SineCosine& qb) {
  JointPlace place;
  place.anchor_a = turned(qa, joint.local_a);
  place.anchor_b = turned(qb, joint.local_b);
  place.axis = turned(type_of(joint).axis_of_b ? qb : qa, joint.axis);
  place.between = {b.center_x - a.center_x + place.anchor_b.x - place.anchor_a.x,
                   b.center_y - a.center_y + place.anchor_b.y - place.anchor_a.y};
  place.angle = b.angle - a.angle - joint.reference_angle;
  place.angle_a = a.angle;
  place.angle_b = b.angle;
  place.rope_a = {a.center_x + place.anchor_a.x - joint.wheel_a.x,
                  a.center_y + place.anchor_a.y - joint.wheel_a.y};
  place.rope_b = {b.center_x + place.anchor_b.x - joint.wheel_b.x,
                  b.center_y + place.anchor_b.y - joint.wheel_b.y};
  return place;
}

JointPlace moved_place(const JointType& type, const JointPlace& start, Double2 offset,
                       const BodyState& a, const BodyState& b) {
  const auto common = place_after<Double2, double>(type.axis_of_b, start, offset, a, b);
  return {common,
          start.angle_a + a.delta_angle,
          start.angle_b + b.delta_angle,
          {start.rope_a.x + a.dx + (common.anchor_a.x - start.anchor_a.x),
           start.rope_a.y + a.dy + (common.anchor_a.y - start.anchor_a.y)},
          {start.rope_b.x + b.dx + (common.anchor_b.x - start.anchor_b.x),
           start.rope_b.y + b.dy + (common.anchor_b.y - start.anchor_b.y)}};
}

JointStateRow joint_reading(const Joint& joint, const Body& a, const Body& b, const BodyState& sa,
                            const BodyState& sb) {
  JointPlace place = joint_place(joint, a, b);
  const Double2 ra = place.anchor_a, rb = place.anchor_b;
  // The difference of the anchors' places, rounded like the channels.
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
  if (type_of(joint).over_wheels) {
    JointRows rows;
    type_of(joint).find_rows(joint, place, rows);
    const double* j = rows.jacobian[0];
    row.length = rows.coordinate[0];
    row.speed = j[0] * sa.vx + j[1] * sa.vy + j[2] * sa.omega + j[3] * sb.vx + j[4] * sb.vy +
                j[5] * sb.omega;
  }
  row.broken = is_broken(joint);
  return row;
}

Double2 impulse_on(const Joint& joint, bool on_b, const Body& a, const Body& b) {
  const Double2 total = {joint.total_x, joint.total_y};
  if (on_b) return total;
  if (!type_of(joint).over_wheels) return {-total.x, -total.y};
  const JointPlace place = joint_place(joint, a, b);
  const double length_a = std::sqrt(dot(place.rope_a, place.rope_a));
  const double length_b = std::sqrt(dot(place.rope_b, place.rope_b));
  if (!(length_a > 0 && length_b > 0)) return {0, 0};
  const double pull = dot(total, place.rope_b) / (length_b * joint.ratio);
  return (pull / length_a) * place.rope_a;
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
  type.find_rows(joint, joint_place(joint, a, b), rows);
  // The held rows are eliminated from J M^-1 J^T one after another; the remainder is 1 / mass.
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
  // A remainder as small as rounding counts as immovable.
  return k[held][held] > 1e-12 * whole ? 1 / k[held][held] : 0;
}

}  // namespace rigid
