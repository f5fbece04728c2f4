// SPDX-License-Identifier: MIT
// The attached joints, the drags and the forms of bodies of a script's state.
#ifndef RIGID_SCRIPT_READING_SAVE_JOINTS_H
#define RIGID_SCRIPT_READING_SAVE_JOINTS_H

#include "engine/data/archive.h"
#include "script/state.h"

namespace rigid::script {

void put_joints(StateWriter& archive, State& state);
void put_joints(StateReader& archive, State& state);
// The forms and roots of bodies that were born, if there are some, at the end of all.
void put_forms(StateWriter& archive, State& state);
void put_forms(StateReader& archive, State& state);

}  // namespace rigid::script

#endif
