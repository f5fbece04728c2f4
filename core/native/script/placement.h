// SPDX-License-Identifier: MIT
// The place of a copy: how points, directions and angles of its prototype become the world's, with
// the formulas of core/scene/blocks/placement.py.
#ifndef RIGID_SCRIPT_PLACEMENT_H
#define RIGID_SCRIPT_PLACEMENT_H

#include "script/program.h"
#include "script/turning.h"
#include "script/values.h"

namespace rigid::script {

struct Placement {
  Numbers at, pivot;
  double angle, scale;
  uint8_t mirror;  // along x: 1, along y: 2
  Turn turn;

  Numbers mirrored(const Numbers& way) const;
  Numbers local(const Numbers& point) const;
  Numbers direction(const Numbers& way) const;
  Numbers point(const Numbers& point) const;
  Numbers inverse(const Numbers& point) const;
  double turned(double value) const { return mirror == 0 ? value : 0.0 - value; }
  // A value of a setting in the world.
  Numbers setting(const Place& place, const Numbers& value) const;
  // A change of it.
  Numbers change(const Place& place, const Numbers& value) const;
};

}  // namespace rigid::script

#endif
