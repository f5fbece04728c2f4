// The table of one width. Included by each file that compiles the kernels for an instruction set.
#ifndef RIGID_ENGINE_KERNEL_TABLE_H
#define RIGID_ENGINE_KERNEL_TABLE_H

#include "engine/contacts/contact_kernels.h"
#include "engine/contacts/impact_kernels.h"
#include "engine/joints/joint_kernels.h"
#include "engine/joints/pin_kernels.h"
#include "engine/joints/slider_kernels.h"
#include "engine/solvers/impulse_kernels.h"

namespace rigid {

template <int W, JointKind Kind>
JointKernels make_joint_kernels() {
  if constexpr (Kind <= JointKind::weld) {
    return {sizeof(JointBlock<W>),       prepare_joints<W, Kind>,
            warm_start_joints<W, Kind>,  keep_shares<W, JointBlock<W>>,
            solve_joints<W, Kind, true>, solve_joints<W, Kind, false>,
            store_joints<W, Kind>};
  } else {
    return {sizeof(SliderBlock<W>),       prepare_sliders<W, Kind>,
            warm_start_sliders<W, Kind>,  keep_shares<W, SliderBlock<W>>,
            solve_sliders<W, Kind, true>, solve_sliders<W, Kind, false>,
            store_sliders<W, Kind>};
  }
}

template <int W>
Kernels make_kernels() {
  return {
      W,
      sizeof(ContactBlock<W>),
      prepare_contacts<W>,
      warm_start_contacts<W, ContactBlock<W>>,
      solve_contacts<W, true>,
      solve_contacts<W, false>,
      store_contacts<W, ContactBlock<W>>,
      find_impacts<W>,
      find_pressed<W>,
      follow_track<W, ContactBlock<W>>,
      read_push<W, ContactBlock<W>>,
      {sizeof(ImpulseBlock<W>), prepare_impulse_contacts<W>,
       warm_start_contacts<W, ImpulseBlock<W>>, solve_impulse_contacts<W, ImpulseStage::bounce>,
       solve_impulse_contacts<W, ImpulseStage::rest>, solve_impulse_contacts<W, ImpulseStage::push>,
       store_contacts<W, ImpulseBlock<W>>, follow_impulse_track<W>, read_push<W, ImpulseBlock<W>>},
      {make_joint_kernels<W, JointKind::revolute>(),
       make_joint_kernels<W, JointKind::distance>(),
       make_joint_kernels<W, JointKind::weld>(),
       make_joint_kernels<W, JointKind::prismatic>(),
       make_joint_kernels<W, JointKind::wheel>(),
       make_joint_kernels<W, JointKind::mouse>(),
       make_joint_kernels<W, JointKind::rotary_motor>(),
       make_joint_kernels<W, JointKind::axial_friction>(),
       {sizeof(PinBlock<W>), prepare_pins<W>, warm_start_pins<W>, keep_shares<W, PinBlock<W>>,
        solve_pins<W, true>, solve_pins<W, false>, store_pins<W>}}};
}

}  // namespace rigid

#endif
