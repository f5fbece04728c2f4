// SPDX-License-Identifier: MIT
#include "script/grounding.h"

#include <cstddef>
#include <tuple>

#include "script/placement.h"
#include "script/turning.h"

namespace rigid::script {

void ground(const Original& original, const Numbers& pivot, std::span<const Pose> poses,
            std::span<const Motion> motions, std::vector<JointRow>& joints, const Exact& exact) {
  const std::size_t count = original.joints.size(), parts = original.parts.size();
  for (std::size_t copy = 0; copy < poses.size(); ++copy) {
    const Pose& pose = poses[copy];
    const Turn turn = pose.angle == 0.0 ? Turn{1.0, 0.0} : turn_of(pose.angle, exact);
    const Placement place{{pose.x, pose.y}, pivot,           pose.angle,
                          original.scale,   original.mirror, turn};
    for (const Grounded& each : original.grounded) {
      const JointRow& own = original.joints[each.joint];
      JointRow& row = joints[copy * count + each.joint];
      const auto angle = [&](int part) { return std::get<2>(motions[copy * parts + part]); };
      const Numbers anchor = place.point(each.anchor);
      if (each.first) {
        row.body_a = 0;
        std::tie(row.anchor_ax, row.anchor_ay) = std::pair(anchor[0], anchor[1]);
        std::tie(row.target_x, row.target_y) = std::pair(anchor[0], anchor[1]);
        row.reference_angle = angle(own.body_b) - 0.0;
      } else if (each.second) {
        row.body_b = 0;
        std::tie(row.anchor_bx, row.anchor_by) = std::pair(anchor[0], anchor[1]);
        row.reference_angle = 0.0 - angle(own.body_a);
      }
      if (each.has_axis) {
        const Numbers axis = place.direction(each.axis);
        std::tie(row.axis_x, row.axis_y) = std::pair(axis[0], axis[1]);
      }
      if (each.has_wheels) {
        const Numbers a = place.point(each.wheels[0]), b = place.point(each.wheels[1]);
        std::tie(row.wheel_ax, row.wheel_ay, row.wheel_bx, row.wheel_by) =
            std::tuple(a[0], a[1], b[0], b[1]);
      }
    }
  }
}

}  // namespace rigid::script
