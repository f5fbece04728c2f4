// SPDX-License-Identifier: MIT
// The list of joint types, in the order of JointKind, with their files.
#ifndef RIGID_ENGINE_JOINTS_TYPES_H
#define RIGID_ENGINE_JOINTS_TYPES_H

#include "engine/joints/axial_friction.h"
#include "engine/joints/distance.h"
#include "engine/joints/gear.h"
#include "engine/joints/mouse.h"
#include "engine/joints/prismatic.h"
#include "engine/joints/pulley.h"
#include "engine/joints/rack.h"
#include "engine/joints/revolute.h"
#include "engine/joints/rotary_motor.h"
#include "engine/joints/weld.h"
#include "engine/joints/wheel.h"

namespace rigid {

template <class... Types>
struct JointTypeList {};

using JointTypes = JointTypeList<Revolute, Distance, Weld, Prismatic, Wheel, Gear, Rack, Pulley,
                                 Mouse, RotaryMotor, AxialFriction>;

}  // namespace rigid

#endif
