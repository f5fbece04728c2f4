// SPDX-License-Identifier: MIT
// The kernels of one lane, for the overflow colour: those of four lanes, each time with a block in
// which one lane is taken. Lanes are independent, so that the bits are those of kernels of one
// lane, and the file is a tenth smaller without them.
#include <cstddef>
#include <utility>

#include "engine/data/kernels.h"

namespace rigid {

const Kernels& kernels_of_four_lanes();

namespace {

// A constraint of a span whose blocks have one each.
Span one_of(const Span& span, std::size_t block_size, int at) {
  return {static_cast<char*>(span.blocks) + block_size * static_cast<std::size_t>(at),
          span.ids + at, 1, 1};
}

// Runs a kernel over the blocks of a span, one by one.
template <class Table>
void run_each(const Table& table, Kernel kernel, const KernelContext& context, const Span& span,
              int begin, int end) {
  for (int at = begin; at < end; ++at) {
    kernel(context, one_of(span, table.block_size, at), 0, 1);
  }
}

// ------------------------------------------------------------ contacts

template <ContactKernels Kernels::* solver>
struct SingleContacts {
  static const ContactKernels& four() { return kernels_of_four_lanes().*solver; }
  template <Kernel ContactKernels::* stage>
  static void run(const KernelContext& context, const Span& span, int begin, int end) {
    run_each(four(), four().*stage, context, span, begin, end);
  }
  template <FindImpacts ContactKernels::* kernel>
  static int find(const KernelContext& context, const Span& span, int begin, int end, Impact* to) {
    int found = 0;
    for (int at = begin; at < end; ++at) {
      found += (four().*kernel)(context, one_of(span, four().block_size, at), 0, 1, to + found);
    }
    return found;
  }
  static void follow(const KernelContext& context, const Span& span, int at,
                     const TrackPlace& place) {
    four().follow(context, one_of(span, four().block_size, at), 0, place);
  }
  static ContactPush read(const Span& span, int at, bool blows) {
    return four().read(one_of(span, four().block_size, at), 0, blows);
  }
  static ContactSums sums(const Span& span, int at, int point) {
    return four().sums(one_of(span, four().block_size, at), 0, point);
  }
  static ContactView view(const KernelContext& context, const Span& span, int at, int point) {
    return four().view(context, one_of(span, four().block_size, at), 0, point);
  }
  static ContactKernels make() {
    return {four().block_size,
            run<&ContactKernels::prepare>,
            run<&ContactKernels::warm_start>,
            run<&ContactKernels::store>,
            follow,
            read,
            sums,
            find<&ContactKernels::find_impacts>,
            find<&ContactKernels::find_pressed>,
            run<&ContactKernels::solve_crowds>,
            view};
  }
};

template <Kernel Kernels::* stage, ContactKernels Kernels::* solver>
void run_contacts(const KernelContext& context, const Span& span, int begin, int end) {
  const Kernels& four = kernels_of_four_lanes();
  run_each(four.*solver, four.*stage, context, span, begin, end);
}

// ------------------------------------------------------------ joints

template <int kind>
struct SingleJoints {
  static const JointKernels& four() { return kernels_of_four_lanes().joints[kind]; }
  template <Kernel JointKernels::* stage>
  static void run(const KernelContext& context, const Span& span, int begin, int end) {
    run_each(four(), four().*stage, context, span, begin, end);
  }
  static JointView view(const Span& span, int at) {
    return four().view(one_of(span, four().block_size, at), 0);
  }
  static JointKernels make() {
    return {four().block_size,
            run<&JointKernels::prepare>,
            run<&JointKernels::warm_start>,
            run<&JointKernels::keep_shares>,
            run<&JointKernels::solve>,
            run<&JointKernels::relax>,
            run<&JointKernels::store>,
            view};
  }
};

template <int... kinds>
void set_joints(JointKernels* to, std::integer_sequence<int, kinds...>) {
  ((to[kinds] = SingleJoints<kinds>::make()), ...);
}

Kernels make_kernels_of_one_lane() {
  constexpr auto soft = &Kernels::soft, impulse = &Kernels::impulse;
  Kernels one{1,
              SingleContacts<soft>::make(),
              SingleContacts<impulse>::make(),
              run_contacts<&Kernels::solve, soft>,
              run_contacts<&Kernels::relax, soft>,
              run_contacts<&Kernels::forget_blows, impulse>,
              run_contacts<&Kernels::set_blows_aside, impulse>,
              run_contacts<&Kernels::add_blows, impulse>,
              run_contacts<&Kernels::bounce, impulse>,
              run_contacts<&Kernels::rest, impulse>,
              run_contacts<&Kernels::push, impulse>,
              {}};
  set_joints(one.joints, std::make_integer_sequence<int, joint_graph_count>());
  return one;
}

}  // namespace

const Kernels* kernels_of_one_lane() {
  static const Kernels one = make_kernels_of_one_lane();
  return &one;
}

}  // namespace rigid
