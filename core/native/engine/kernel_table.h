// The table of one width. Included by each file that compiles the kernels for an instruction set.
#ifndef RIGID_ENGINE_KERNEL_TABLE_H
#define RIGID_ENGINE_KERNEL_TABLE_H

#include "engine/contact_kernels.h"
#include "engine/joint_kernels.h"

namespace rigid {

template <int W, JointKind Kind>
JointKernels make_joint_kernels() {
  return {sizeof(JointBlock<W>),       prepare_joints<W, Kind>,      warm_start_joints<W, Kind>,
          solve_joints<W, Kind, true>, solve_joints<W, Kind, false>, store_joints<W, Kind>};
}

template <int W>
Kernels make_kernels() {
  return {W,
          sizeof(ContactBlock<W>),
          prepare_contacts<W>,
          warm_start_contacts<W>,
          solve_contacts<W, true>,
          solve_contacts<W, false>,
          store_contacts<W, false>,
          impact_contacts<W>,
          prepare_impulse_contacts<W>,
          solve_impulse_contacts<W>,
          store_contacts<W, true>,
          {make_joint_kernels<W, JointKind::revolute>(),
           make_joint_kernels<W, JointKind::distance>(), make_joint_kernels<W, JointKind::weld>()}};
}

}  // namespace rigid

#endif
