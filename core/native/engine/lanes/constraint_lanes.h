// SPDX-License-Identifier: MIT
// The constraints of a step, packed into blocks of lanes by colour, and the stages that run over
// them.
#ifndef RIGID_ENGINE_LANES_CONSTRAINT_LANES_H
#define RIGID_ENGINE_LANES_CONSTRAINT_LANES_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/joints/joints.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

// Memory for a step's constraints, not kept from one step to the next.
class Scratch {
 public:
  static constexpr std::size_t alignment = 64;
  static std::size_t aligned(std::size_t size) {
    return (size + alignment - 1) / alignment * alignment;
  }
  // Returns at least `size` aligned bytes; earlier contents are lost.
  std::byte* reserve(std::size_t size) {
    if (size + alignment > size_) {
      size_ = size + alignment + size / 2;
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_);
    }
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.get());
    return bytes_.get() + (aligned(address) - address);
  }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

class ConstraintLanes {
 public:
  // `contacts`: the contact kernels chosen by the solver.
  ConstraintLanes(int width, ContactKernels Kernels::* contacts, const StepParameters& parameters,
                  Bodies& bodies, Contacts& contacts_of_world, Joints& joints, ThreadPool& pool);
  ConstraintLanes(const ConstraintLanes&) = delete;

  // Divides one arena into the blocks of each colour. With `some_direct`, directly solved joints
  // are left out of the lanes.
  void make_spans(bool some_direct);
  int width() const { return kernels_->width; }
  SolveSideBySide solve_side_by_side() const { return kernels_->solve_side_by_side; }
  std::size_t lane_memory() const { return kernels_->lane_memory; }
  const Kernels& kernels() const { return *kernels_; }
  // The kernels for constraints that are solved one by one.
  const Kernels& single_kernels() const { return *single_; }
  ContactKernels Kernels::* contact_kernels() const { return contact_kernels_; }
  bool has_joints() const { return has_joints_; }
  // The kernels' view of the world; contacts may see bodies with other masses.
  KernelContext context();
  KernelContext context(const InverseMass* inverse_masses);
  ImpulseStages& stages() { return stages_; }
  int contact_count() const;

  void run_contacts(const KernelContext& context, Kernel wide, Kernel single);
  void run_contacts(const KernelContext& context, Kernel Kernels::* stage) {
    run_contacts(context, kernels_->*stage, single_->*stage);
  }
  void run_contacts(const KernelContext& context, Kernel ContactKernels::* stage) {
    run_contacts(context, kernels_->*contact_kernels_.*stage, single_->*contact_kernels_.*stage);
  }
  void run_joints(Kernel JointKernels::* stage) {
    if (has_joints_) run_joint_lanes(stage);
  }
  // Moves a contact along its track.
  void follow(const KernelContext& context, const Contact& contact, const TrackPlace& place) const;
  // The impulses of a contact so far: the accumulated ones, or those of impacts.
  ContactPush push_of(const Contact& contact, bool blows) const;
  ContactSums sums_of(const Contact& contact, int point = 0) const;
  // Calls task(id, view(point)) for all contacts, or task(id, view) for all
  // joints in lanes, in the order in which they are solved.
  template <class Task>
  void view_contacts(const KernelContext& context, Task&& task) const {
    for (const ColorSpan& color : contact_spans_) {
      const ViewContact view = kernels_of(color).view;
      for (int at = 0; at < color.span.count; ++at) {
        const int id = color.span.ids[at];
        task(id, [&](int point) { return view(context, color.span, at, point); });
      }
    }
  }
  template <class Task>
  void view_joints(Task&& task) const {
    for (int kind = 0; kind < joint_graph_count; ++kind) {
      for (const ColorSpan& color : joint_spans_[kind]) {
        const ViewJoint view = (color.single ? single_ : kernels_)->joints[kind].view;
        for (int at = 0; at < color.span.count; ++at) {
          task(color.span.ids[at], view(color.span, at));
        }
      }
    }
  }
  // In the order of the contacts' places, which depends on no thread and no width.
  void find_impacts(const KernelContext& context, FindImpacts ContactKernels::* kernel,
                    std::vector<Impact>& impacts);

 private:
  struct ColorSpan {
    Span span;
    bool single;
  };
  struct Piece {
    std::span<const int> ids;
    int color;
    std::size_t wide_size, single_size;
    std::vector<ColorSpan>* spans;
  };
  // The number of constraints in one piece of work, and of blocks of them.
  static constexpr int constraint_piece = 256;
  int constraint_grain() const { return std::max(1, constraint_piece / kernels_->width); }
  void run_joint_lanes(Kernel JointKernels::* stage);
  std::vector<Piece> collect_pieces(bool some_direct);
  void lay_out(const std::vector<Piece>& pieces);
  const ColorSpan& span_of(const Contact& contact) const {
    return contact_spans_[span_of_color_[contact.color]];
  }
  const ContactKernels& kernels_of(const ColorSpan& color) const {
    return (color.single ? single_ : kernels_)->*contact_kernels_;
  }

  const Kernels* kernels_;
  const Kernels* single_;
  ContactKernels Kernels::* contact_kernels_;
  const StepParameters& parameters_;
  Bodies& bodies_;
  Contacts& contacts_;
  Joints& joints_;
  ThreadPool& pool_;
  ImpulseStages stages_;
  std::vector<ColorSpan> contact_spans_;
  std::vector<int> lane_joints_;  // by graph and colour: joints that no system solves
  int span_of_color_[Graph::color_count + 1];
  std::vector<ColorSpan> joint_spans_[joint_graph_count];
  std::vector<Impact> found_impacts_;
  Scratch memory_;
  bool has_joints_ = false;
};

}  // namespace rigid

#endif
