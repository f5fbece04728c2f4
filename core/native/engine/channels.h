// What can be recorded of a run. The order is the code that Python passes in.
#ifndef RIGID_ENGINE_CHANNELS_H
#define RIGID_ENGINE_CHANNELS_H

namespace rigid {

enum class Channel : int {
  body_x,
  body_y,
  body_angle,
  body_vx,
  body_vy,
  body_speed,
  body_omega,
  body_kinetic_energy,
  body_contacts,
  body_asleep,
  body_point_x,
  body_point_y,
  body_point_vx,
  body_point_vy,
  body_point_speed,
  joint_force,
  joint_torque,
  joint_angle,
  joint_length,
  joint_translation,
  joint_broken,
  world_time,
  world_energy,
  world_momentum,
  world_momentum_x,
  world_momentum_y,
  world_angular_momentum,
  world_contacts,
  world_bodies,
  body_mass,
  body_force,
  body_push_pull,
  joint_speed,
  joint_motor_force,
};

constexpr const char* channel_names[] = {
    "body_x",
    "body_y",
    "body_angle",
    "body_vx",
    "body_vy",
    "body_speed",
    "body_omega",
    "body_kinetic_energy",
    "body_contacts",
    "body_asleep",
    "body_point_x",
    "body_point_y",
    "body_point_vx",
    "body_point_vy",
    "body_point_speed",
    "joint_force",
    "joint_torque",
    "joint_angle",
    "joint_length",
    "joint_translation",
    "joint_broken",
    "world_time",
    "world_energy",
    "world_momentum",
    "world_momentum_x",
    "world_momentum_y",
    "world_angular_momentum",
    "world_contacts",
    "world_bodies",
    "body_mass",
    "body_force",
    "body_push_pull",
    "joint_speed",
    "joint_motor_force",
};
constexpr int channel_total = static_cast<int>(sizeof channel_names / sizeof channel_names[0]);

}  // namespace rigid

#endif
