// SPDX-License-Identifier: MIT
// The packing of constraints into blocks, and the runs of stages over them.
#include "engine/lanes/constraint_lanes.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "engine/lanes/processor.h"
#include "engine/parallel/lock.h"
#include "sorting.h"

namespace rigid {

namespace {

// The widest table that this processor runs fast, unless a width is given.
const Kernels* choose_kernels(int lanes) {
  if (lanes > 0) return find_kernels(lanes);
  for (int width : {16, 8, 4}) {
    if (width == 16 && !processor().fast_avx512) continue;
    if (const Kernels* kernels = find_kernels(width)) return kernels;
  }
  return find_kernels(1);
}

}  // namespace

ConstraintLanes::ConstraintLanes(int width, ContactKernels Kernels::* kernels,
                                 const StepParameters& parameters, Bodies& bodies,
                                 Contacts& contacts, Joints& joints, ThreadPool& pool)
    : kernels_(choose_kernels(width)),
      single_(find_kernels(1)),
      contact_kernels_(kernels),
      parameters_(parameters),
      bodies_(bodies),
      contacts_(contacts),
      joints_(joints),
      pool_(pool) {}

KernelContext ConstraintLanes::context() { return context(bodies_.step_inverse_masses.data()); }

KernelContext ConstraintLanes::context(const InverseMass* inverse_masses) {
  KernelContext context{bodies_.states.data(),  inverse_masses, bodies_.all.data(),
                        contacts_.all().data(), joints_.data(), &parameters_};
  context.stages = &stages_;
  context.own_inverse_masses = bodies_.inverse_masses.data();
  context.has_damping = bodies_.has_damping;
  return context;
}

std::vector<ConstraintLanes::Piece> ConstraintLanes::collect_pieces(bool some_direct) {
  std::vector<Piece> pieces;
  lane_joints_.clear();
  // True in most small worlds: then none of their colours need be searched.
  const bool all_direct =
      some_direct && std::all_of(joints_.begin(), joints_.end(), [](const Joint& joint) {
        return joint.direct || joint.color < 0;
      });
  lane_joints_.reserve(joints_.count());
  auto left_to_lanes = [&](const std::vector<int>& ids) {
    const std::size_t first = lane_joints_.size();
    for (int id : ids) {
      if (!joints_[id].direct) lane_joints_.push_back(id);
    }
    return std::span<const int>(lane_joints_).subspan(first);
  };
  auto add = [&](const Graph& graph, bool joints, std::size_t wide, std::size_t single,
                 std::vector<ColorSpan>& spans) {
    spans.clear();
    if ((joints && all_direct) || graph.empty()) return;
    // The overflow is first, so that the colours of the ground are solved last.
    for (int i = 0; i <= Graph::color_count; ++i) {
      int color = i == 0 ? Graph::overflow : i - 1;
      const std::vector<int>& all = graph.ids(color);
      if (all.empty()) continue;
      const std::span<const int> ids = joints && some_direct ? left_to_lanes(all) : all;
      if (!ids.empty()) pieces.push_back({ids, color, wide, single, &spans});
    }
  };
  // Without joints, now and before, there is nothing to clear either.
  for (int kind = 0; kind < joint_graph_count && (has_joints_ || !all_direct); ++kind) {
    add(joints_.graph(kind), true, kernels_->joints[kind].block_size,
        single_->joints[kind].block_size, joint_spans_[kind]);
  }
  has_joints_ = !pieces.empty();
  add(contacts_.graph(), false, (kernels_->*contact_kernels_).block_size,
      (single_->*contact_kernels_).block_size, contact_spans_);

  return pieces;
}

void ConstraintLanes::lay_out(const std::vector<Piece>& pieces) {
  std::size_t size = 0;
  auto blocks_of = [&](const Piece& piece) {
    int count = static_cast<int>(piece.ids.size());
    int width = piece.color == Graph::overflow ? 1 : kernels_->width;
    return (count + width - 1) / width;
  };
  for (const Piece& piece : pieces) {
    bool single = piece.color == Graph::overflow;
    std::size_t bytes = blocks_of(piece) * (single ? piece.single_size : piece.wide_size);
    size += Scratch::aligned(bytes);
  }
  std::byte* at = memory_.reserve(size);
  for (const Piece& piece : pieces) {
    bool single = piece.color == Graph::overflow;
    const int blocks = blocks_of(piece), count = static_cast<int>(piece.ids.size());
    piece.spans->push_back({{at, piece.ids.data(), count, blocks}, single});
    std::size_t bytes = blocks * (single ? piece.single_size : piece.wide_size);
    at += Scratch::aligned(bytes);
  }
  for (std::size_t i = 0, span = 0; i < pieces.size(); ++i) {
    if (pieces[i].spans == &contact_spans_) {
      span_of_color_[pieces[i].color] = static_cast<int>(span++);
    }
  }
}

void ConstraintLanes::make_spans(bool some_direct) { lay_out(collect_pieces(some_direct)); }

int ConstraintLanes::contact_count() const {
  int count = 0;
  for (const ColorSpan& color : contact_spans_) count += color.span.count;
  return count;
}

void ConstraintLanes::run_contacts(const KernelContext& context, Kernel wide, Kernel single) {
  for (const ColorSpan& color : contact_spans_) {
    if (color.single) {
      pool_.charge(color.span.block_count, constraint_piece);
      single(context, color.span, 0, color.span.block_count);
      continue;
    }
    pool_.run(color.span.block_count, constraint_grain(),
              [&](int begin, int end) { wide(context, color.span, begin, end); });
  }
}

void ConstraintLanes::run_joint_lanes(Kernel JointKernels::* stage) {
  const KernelContext context = this->context();
  for (int kind = 0; kind < joint_graph_count; ++kind) {
    Kernel wide = kernels_->joints[kind].*stage, single = single_->joints[kind].*stage;
    for (const ColorSpan& color : joint_spans_[kind]) {
      if (color.single) {
        single(context, color.span, 0, color.span.block_count);
        continue;
      }
      pool_.run(color.span.block_count, constraint_grain(),
                [&](int begin, int end) { wide(context, color.span, begin, end); });
    }
  }
}

void ConstraintLanes::follow(const KernelContext& context, const Contact& contact,
                             const TrackPlace& place) const {
  const ColorSpan& color = span_of(contact);
  kernels_of(color).follow(context, color.span, contact.slot, place);
}

ContactPush ConstraintLanes::push_of(const Contact& contact, bool blows) const {
  const ColorSpan& color = span_of(contact);
  return kernels_of(color).read(color.span, contact.slot, blows);
}

ContactSums ConstraintLanes::sums_of(const Contact& contact, int point) const {
  const ColorSpan& color = span_of(contact);
  return kernels_of(color).sums(color.span, contact.slot, point);
}

void ConstraintLanes::find_impacts(const KernelContext& context,
                                   FindImpacts ContactKernels::* kernel,
                                   std::vector<Impact>& impacts) {
  impacts.clear();
  for (const ColorSpan& color : contact_spans_) {
    const Kernels* kernels = color.single ? single_ : kernels_;
    const int width = kernels->width, count = color.span.block_count;
    if (found_impacts_.size() < static_cast<std::size_t>(count) * width) {
      found_impacts_.resize(static_cast<std::size_t>(count) * width);
    }
    std::vector<std::pair<int, int>> pieces;
    Mutex mutex;
    auto find = [&](int begin, int end) {
      Impact* to = found_impacts_.data() + static_cast<std::size_t>(begin) * width;
      int found = (kernels->*contact_kernels_.*kernel)(context, color.span, begin, end, to);
      if (found == 0) return;
      const Lock lock(mutex);
      pieces.emplace_back(begin * width, found);
    };
    if (color.single) {
      pool_.charge(count, constraint_piece);
      find(0, count);
    } else {
      pool_.run(count, constraint_grain(), [&](int begin, int end) { find(begin, end); });
    }
    rigid::sort(pieces.begin(), pieces.end());
    for (auto [first, found] : pieces) {
      auto from = found_impacts_.begin() + first;
      impacts.insert(impacts.end(), from, from + found);
    }
  }
}

}  // namespace rigid
