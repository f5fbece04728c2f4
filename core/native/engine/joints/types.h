// SPDX-License-Identifier: MIT
// The types of joints, in the order of JointKind (data/joint_types.def lists them).
#ifndef RIGID_ENGINE_JOINTS_TYPES_H
#define RIGID_ENGINE_JOINTS_TYPES_H

#include "engine/data/joint_types.def"

namespace rigid {

template <class... Types>
struct JointTypeList {};

// `None` goes before the first comma.
template <class None, class... Types>
using JointTypesAfter = JointTypeList<Types...>;

using JointTypes = JointTypesAfter<void
#define RIGID_JOINT_TYPE(name, Type) , Type
#include "engine/data/joint_types.def"
                                   >;

}  // namespace rigid

#endif
