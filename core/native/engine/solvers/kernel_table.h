// SPDX-License-Identifier: MIT
// The table of kernels for one width, included by each file that compiles them for an instruction
// set.
#ifndef RIGID_ENGINE_SOLVERS_KERNEL_TABLE_H
#define RIGID_ENGINE_SOLVERS_KERNEL_TABLE_H

#include "engine/collision/impact_kernels.h"
#include "engine/collision/polygon_kernels.h"
#include "engine/contacts/contact_kernels.h"
#include "engine/joints/pin.h"
#include "engine/joints/types.h"
#include "engine/mechanisms/resident_lanes.h"
#include "engine/solvers/impulse_kernels.h"

namespace rigid {

template <int W, class Type>
JointKernels make_joint_kernels() {
  using Block = typename Type::template Block<W>;
  return {sizeof(Block),         prepare_joints<W, Type>,     warm_start_joints<W, Type>,
          keep_shares<W, Block>, solve_joints<W, Type, true>, solve_joints<W, Type, false>,
          store_joints<W, Type>, view_joint<W, Block>};
}

// By JointKind, then pins.
template <int W, class... Types>
void set_joint_kernels(JointKernels* kernels, JointTypeList<Types...>) {
  ((*kernels++ = make_joint_kernels<W, Types>()), ...);
  *kernels = {
      sizeof(PinBlock<W>), prepare_pins<W>,      warm_start_pins<W>, keep_shares<W, PinBlock<W>>,
      solve_pins<W, true>, solve_pins<W, false>, store_pins<W>,      view_joint<W, PinBlock<W>>};
}

template <int W, class Block>
ContactKernels make_contact_kernels(Kernel prepare, FollowTrack follow) {
  return {sizeof(Block),
          prepare,
          warm_start_contacts<W, Block>,
          store_contacts<W, Block>,
          follow,
          read_push<W, Block>,
          find_sums<W, Block>,
          find_impacts<W, Block>,
          find_pressed<W, Block>,
          solve_crowds<W, Block>,
          view_contact<W, Block>};
}

template <int W>
Kernels make_kernels() {
  Kernels kernels{W,
                  make_contact_kernels<W, ContactBlock<W>>(prepare_contacts<W>,
                                                           follow_track<W, ContactBlock<W>>),
                  make_contact_kernels<W, ImpulseBlock<W>>(prepare_impulse_contacts<W>,
                                                           follow_impulse_track<W>),
                  solve_contacts<W, true>,
                  solve_contacts<W, false>,
                  forget_blows<W>,
                  set_blows_aside<W>,
                  add_blows<W>,
                  solve_impulse_contacts<W, ImpulseStage::bounce>,
                  solve_impulse_contacts<W, ImpulseStage::rest>,
                  solve_impulse_contacts<W, ImpulseStage::push>,
                  {}};
  set_joint_kernels<W>(kernels.joints, JointTypes{});
  kernels.step_residents = step_residents<W>;
  kernels.lane_memory = sizeof(LaneMemory<W>);
  if constexpr (W > 1) {
    kernels.solve_side_by_side = solve_side_by_side<W>;
    kernels.collide_boxes = collide_polygons<W, 4>;
    kernels.collide_octagons = collide_polygons<W, 8>;
  }
  return kernels;
}

}  // namespace rigid

#endif
