// SPDX-License-Identifier: MIT
// The bodies and the actuators of copies as owners of settings.
#include "script/setting.h"

namespace rigid::script {

Place own_place(const Scene& scene, const Place& place) {
  const bool is_actuator = is_of_actuator(place.target);
  if (place.owner > first_own || !(is_actuator || is_of_body(place.target))) return place;
  Place found = place;
  found.owner = none;
  if (scene.copy == nullptr) return found;
  const auto part = static_cast<std::size_t>(first_own - place.owner);
  const Copy& copy = *scene.copy;
  if (is_actuator && part < copy.actuators.size()) found.owner = copy.actuators[part];
  if (!is_actuator && part < copy.bodies.size()) {
    found.owner = scene.world.parts().bodies.find(copy.bodies[part]);
  }
  return found;
}

}  // namespace rigid::script
