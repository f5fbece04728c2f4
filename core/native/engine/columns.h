// The columns of the arrays that build a world; their meaning stands in _native.pyi.
#ifndef RIGID_ENGINE_COLUMNS_H
#define RIGID_ENGINE_COLUMNS_H

namespace rigid {

constexpr const char* body_columns[] = {
    "x",
    "y",
    "angle",
    "vx",
    "vy",
    "omega",
    "mass",
    "inertia",
    "center_x",
    "center_y",
    "linear_damping",
    "angular_damping",
    "gravity_scale",
    "kind",
    "fixed_rotation",
    "bullet",
    "sleep",
    "awake",
    "collide",
};
constexpr int body_column_count = static_cast<int>(sizeof body_columns / sizeof body_columns[0]);

constexpr const char* shape_columns[] = {
    "body",     "kind",        "first_point",        "point_count",   "radius", "density",
    "friction", "restitution", "rolling_resistance", "tangent_speed", "sensor", "category",
};
constexpr int shape_column_count = static_cast<int>(sizeof shape_columns / sizeof shape_columns[0]);

constexpr const char* joint_columns[] = {
    "kind",
    "body_a",
    "body_b",
    "anchor_ax",
    "anchor_ay",
    "anchor_bx",
    "anchor_by",
    "axis_x",
    "axis_y",
    "reference_angle",
    "collide",
    "break_force",
    "break_torque",
    "spring_kind",
    "spring_1",
    "spring_2",
    "has_limits",
    "lower",
    "upper",
    "motor_kind",
    "motor_target",
    "motor_max",
    "motor_spring_kind",
    "motor_spring_1",
    "motor_spring_2",
    "length",
    "min_length",
    "max_length",
    "limit_spring_kind",
    "limit_spring_1",
    "limit_spring_2",
    "target_x",
    "target_y",
    "break_push_pull",
};
constexpr int joint_column_count = static_cast<int>(sizeof joint_columns / sizeof joint_columns[0]);

constexpr const char* force_columns[] = {
    "kind", "body", "at_x", "at_y", "x", "y", "torque", "start", "until",
};
constexpr int force_column_count = static_cast<int>(sizeof force_columns / sizeof force_columns[0]);

constexpr const char* event_kinds[] = {
    "left_bounds", "joint_broken", "contact_begin", "contact_end", "sensor_begin",
    "sensor_end",  "not_finite",   "runaway",       "crowded",
};

}  // namespace rigid

#endif
