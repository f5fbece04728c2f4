// SPDX-License-Identifier: MIT
#include "script/placement.h"

namespace rigid::script {

// The sum leaves no zero with a sign.
Numbers Placement::mirrored(const Numbers& way) const {
  if (mirror == 0) return way;
  if (mirror == 1) return {-way[0] + 0.0, way[1]};
  return {way[0], -way[1] + 0.0};
}

Numbers Placement::local(const Numbers& point) const {
  const auto [x, y] = mirrored(point);
  return {x * scale, y * scale};
}

Numbers Placement::direction(const Numbers& way) const {
  const auto [x, y] = mirrored(way);
  if (angle == 0.0 || (x == 0.0 && y == 0.0)) return {x, y};
  return {turn.cosine * x - turn.sine * y, turn.sine * x + turn.cosine * y};
}

Numbers Placement::point(const Numbers& point) const {
  const auto [x, y] = direction({(point[0] - pivot[0]) * scale, (point[1] - pivot[1]) * scale});
  return {at[0] + x, at[1] + y};
}

Numbers Placement::inverse(const Numbers& point) const {
  Numbers local{point[0] - at[0], point[1] - at[1]};
  if (angle != 0.0) {
    const auto [x, y] = local;
    local = {turn.cosine * x + turn.sine * y, turn.cosine * y - turn.sine * x};
  }
  const auto [x, y] = mirrored(local);
  return {x / scale + pivot[0], y / scale + pivot[1]};
}

Numbers Placement::setting(const Place& place, const Numbers& value) const {
  switch (place.target) {
    case Target::position:
      return point(value);
    case Target::velocity:
    case Target::actuator_force:
      return direction(value);
    case Target::angle:
      return {angle + turned(value[0]), 0.0};
    case Target::angular_velocity:
    case Target::tangent_speed:
    case Target::actuator_torque:
    case Target::actuator_speed:
      return {turned(value[0]), 0.0};
    case Target::motor_target:
    case Target::limits:
    case Target::min_length:
    case Target::max_length: {
      const auto [first, second] = value;
      if (place.axis == none) return value;
      if (place.axis == 0) return {first * scale, second * scale};
      if (place.axis == 2) return {1.0 - first, 0.0};
      const bool has_two = place.target == Target::limits;
      return has_two ? Numbers{0.0 - second, 0.0 - first} : Numbers{0.0 - first, 0.0};
    }
    default:
      return value;
  }
}

Numbers Placement::change(const Place& place, const Numbers& value) const {
  const Numbers to = setting(place, value), from = setting(place, {0.0, 0.0});
  return {to[0] - from[0], to[1] - from[1]};
}

}  // namespace rigid::script
