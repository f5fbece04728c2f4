// SPDX-License-Identifier: MIT
// Joints of copies with the world, with the formulas of core/scene/blocks/placing/placer.py.
#ifndef RIGID_SCRIPT_COPIES_GROUNDING_H
#define RIGID_SCRIPT_COPIES_GROUNDING_H

#include <span>
#include <vector>

#include "engine/building/read_rows.h"
#include "script/runner.h"

namespace rigid::script {

// Puts the ends of joints with the world where they are in copies in these poses, whose bodies have
// these motions.
void ground(const Original& original, const Numbers& pivot, std::span<const Pose> poses,
            std::span<const Motion> motions, std::vector<JointRow>& joints, const Exact& exact);

}  // namespace rigid::script

#endif
