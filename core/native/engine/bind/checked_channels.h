// SPDX-License-Identifier: MIT
// Checked channels and interrupts, shared by stepping and sampling.
#ifndef RIGID_ENGINE_BIND_CHECKED_CHANNELS_H
#define RIGID_ENGINE_BIND_CHECKED_CHANNELS_H

#include <optional>

#include "engine/bind/python_world.h"
#include "engine/building/checked_channels.h"
#include "engine/channels.h"

namespace rigid {

using OutTable = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Pairs of a channel's place in the table and an owner's index.
inline std::span<const int32_t> check_channels(const World& world, const IntTable& table) {
  require_aligned(table);
  if (table.shape(1) != 2) throw std::invalid_argument("channels must have 2 columns");
  const std::span<const int32_t> codes(table.data(), table.size());
  check_channel_codes(world, codes);
  return codes;
}

// Steps without the GIL. With `short_work` it keeps the GIL, since releasing and acquiring it would
// be a noticeable part of a few microseconds. Python's signal handlers run from time to time, in
// the main thread only; an exception of one of them interrupts the steps.
template <class Self, class Stepping>
int interruptible(Self& self, Stepping&& stepping, bool short_work = false) {
  InterruptPoller poller([] {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
  std::optional<nb::gil_scoped_release> release;
  if (!short_work) release.emplace();
  try {
    return stepping(&poller);
  } catch (...) {
    self.torn = poller.in_step();
    throw;
  }
}

}  // namespace rigid

#endif
