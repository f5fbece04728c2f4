// SPDX-License-Identifier: MIT
// Number types and containers of the direct solver of joints (direct_joints.h), for one world or
// for W worlds side by side.
#ifndef RIGID_ENGINE_MECHANISMS_DIRECT_WORLDS_H
#define RIGID_ENGINE_MECHANISMS_DIRECT_WORLDS_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/data/body.h"
#include "engine/joints/joint.h"
#include "engine/joints/numbers.h"
#include "simd/wide.h"

namespace rigid {

// The modes of a row, by rising impulse; `idle` is that of a row without a motor.
enum class RowMode : uint8_t { idle, push_upper, least, drive, most, push_lower, hold };

// The modes of W rows.
template <int W>
struct WideModes {
  using mask = typename wide<W>::mask;
  wide<W> code;
  WideModes() = default;
  RIGID_INLINE WideModes(RowMode mode) : code(static_cast<double>(mode)) {}
  RIGID_INLINE explicit WideModes(wide<W> given) : code(given) {}
  friend RIGID_INLINE mask operator==(WideModes a, WideModes b) { return a.code == b.code; }
  friend RIGID_INLINE WideModes select(mask which, WideModes a, WideModes b) {
    return WideModes(select(which, a.code, b.code));
  }
  friend RIGID_INLINE RowMode lane_at(WideModes a, int lane) {
    return static_cast<RowMode>(static_cast<int>(a.code.lane(lane)));
  }
};

template <int W>
struct DirectWorlds {
  using Number = wide<W>;
  using Mask = typename wide<W>::mask;
  using Vector = WideVec2<W>;
  using Place = PlaceOf<Vector, Number>;
  using Modes = WideModes<W>;
  // In single precision.
  struct Mass {
    Number mass, inertia;
  };
  struct State {
    Number vx, vy, omega, delta_angle, dx, dy, c, s;
  };
};
template <>
struct DirectWorlds<1> {
  using Number = double;
  using Mask = bool;
  using Vector = Double2;
  using Place = JointPlace;
  using Modes = RowMode;
  using Mass = InverseMass;
  using State = BodyState;
};

// A list in memory that is reserved but never constructed.
template <class Item, int most>
class FixedList {
 public:
  void clear() { count_ = 0; }
  void resize(std::size_t count) { count_ = static_cast<int>(count); }
  Item& push_back() { return items_[count_++]; }
  std::size_t size() const { return static_cast<std::size_t>(count_); }
  bool empty() const { return count_ == 0; }
  Item& operator[](std::size_t i) { return items_[i]; }
  const Item& operator[](std::size_t i) const { return items_[i]; }
  Item* begin() { return items_; }
  Item* end() { return items_ + count_; }
  const Item* begin() const { return items_; }
  const Item* end() const { return items_ + count_; }

 private:
  Item items_[most];
  int count_;
};
template <bool fixed, class Item, int most>
using DirectList = std::conditional_t<fixed, FixedList<Item, most>, std::vector<Item>>;

}  // namespace rigid

#endif
