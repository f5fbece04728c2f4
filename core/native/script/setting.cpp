// SPDX-License-Identifier: MIT
// Settings of bodies, motors, actuators, gravity and pools.
#include "script/setting.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/building/read_rows.h"
#include "engine/joints/joint.h"

namespace rigid::script {

namespace {

constexpr double largest = 1e15;  // beyond it the engine takes no number

bool is_taken(double value) { return std::fabs(value) <= largest; }

BodyChange change_of(Target target, double value, int axis) {
  const auto number = static_cast<float>(value);
  switch (target) {
    case Target::awake:
      return {.awake = value != 0.0};
    case Target::gravity_scale:
      return {.gravity_scale = number};
    case Target::linear_damping:
      return {.linear_damping = number};
    case Target::angular_damping:
      return {.angular_damping = number};
    case Target::friction:
      return {.friction = number};
    case Target::restitution:
      return {.restitution = number};
    case Target::rolling_resistance:
      return {.rolling_resistance = number};
    case Target::tangent_speed:
      return {.tangent_speed = axis == 1 ? -number : number};
    case Target::category:
      return {.category = static_cast<int>(value)};
    case Target::type:
      return {.kind = static_cast<BodyKind>(static_cast<int>(value))};
    default:
      return {.collides = value != 0.0};
  }
}

// Whether a body can have a type: half-spaces stay, and lines move only with a mass that was given.
bool can_be(BodyKind kind, const World& world, int slot) {
  const Body& body = world.parts().bodies[slot];
  const bool heavy =
      !std::isnan(body.given_mass) && (body.fixed_rotation || !std::isnan(body.given_inertia));
  bool lines = true, endless = false;
  for (int i : world.parts().shapes.of_body[slot]) {
    const ShapeKind its = world.parts().shapes[i].kind;
    endless = endless || its == ShapeKind::half_space;
    lines = lines && (its == ShapeKind::segment || its == ShapeKind::chain_segment);
  }
  return kind == BodyKind::fixed || (!endless && (kind != BodyKind::dynamic || !lines || heavy));
}

bool set_body(const Scene& scene, const Place& place, int slot, const Numbers& value) {
  const Bodies& bodies = scene.world.parts().bodies;
  const BodyState state = bodies.states[slot];
  const int64_t id = bodies.slots.id(slot);
  const auto x = static_cast<float>(value[0]), y = static_cast<float>(value[1]);
  switch (place.target) {
    case Target::position:
      scene.world.set_pose(slot, value[0], value[1], bodies.angle[slot]);
      return tell(scene, Change::moved, id);
    case Target::angle:
      scene.world.set_pose(slot, bodies.x[slot], bodies.y[slot], value[0]);
      return tell(scene, Change::moved, id);
    case Target::velocity:
    case Target::angular_velocity:
      if (bodies[slot].kind == BodyKind::fixed) return false;
      if (place.target == Target::velocity) scene.world.set_velocity(slot, x, y, state.omega);
      if (place.target != Target::velocity) scene.world.set_velocity(slot, state.vx, state.vy, x);
      return tell(scene, Change::moved, id);
    case Target::visible:
      scene.state.visible[id] = value[0] != 0.0 ? 1 : 0;
      scene.state.looks.emplace_back(id, value[0] != 0.0 ? 1 : 0);
      return true;
    case Target::type:
      if (value[0] < 0.0 || value[0] > 2.0 || scene.host() != nullptr) return false;
      if (!can_be(static_cast<BodyKind>(static_cast<int>(value[0])), scene.world, slot))
        return false;
      scene.state.looks.emplace_back(id, -1);
      break;
    case Target::category:
      if (value[0] < 0.0 || value[0] > 63.0) return false;
      break;
    case Target::linear_damping:
    case Target::angular_damping:
    case Target::friction:
    case Target::restitution:
    case Target::rolling_resistance:
      if (!(value[0] >= 0.0)) return false;
      break;
    default:
      break;
  }
  const bool turned = place.target == Target::tangent_speed && place.axis == 1;
  const std::array<double, 3> numbers{turned ? -value[0] : value[0]};
  if (place.target != Target::awake &&
      !tell(scene, Change::body, slot, static_cast<int>(place.target), numbers)) {
    return false;
  }
  scene.world.set_body(slot, change_of(place.target, value[0], place.axis));
  return true;
}

// Sets all bodies of a material, which are those with a tag.
bool set_material(const Scene& scene, Place place, const Numbers& value) {
  const int which = static_cast<int>(place.target) - static_cast<int>(Target::material_friction);
  place.target = static_cast<Target>(static_cast<int>(Target::friction) + which);
  const Bodies& bodies = scene.world.parts().bodies;
  const int count = std::min(bodies.count(), static_cast<int>(scene.state.tags.size()));
  for (int slot = 1; slot < count; ++slot) {
    const bool is_its = bodies.alive[slot] && scene.state.tags[slot].has(place.owner);
    if (is_its && !set_body(scene, place, slot, value)) return false;
  }
  return true;
}

// ------------------------------------------------------------ motors and actuators

// A motor or a spring, of the scene or of a copy: as it begins and as it is, and the slot of its
// joint, or -1.
template <class Plan, class Now>
struct Driven {
  const Plan& plan;
  Now& now;
  int joint;
};

template <class Plan, class Now>
Driven<Plan, Now> driven(const Scene& scene, int owner, std::vector<Plan> Program::* plans,
                         std::vector<Now> State::* all,
                         [[maybe_unused]] std::vector<Plan> Original::* own_plans,
                         [[maybe_unused]] std::vector<Now> Copy::* own) {
#ifndef RIGID_SMALL
  if (owner < 0) {
    const Program& program = scene.program;
    const Original& original = program.originals[program.spawns[scene.copy->spawn].original];
    const Plan& plan = (original.*own_plans)[first_own - owner];
    Now& now = (scene.copy->*own)[first_own - owner];
    return {plan, now, joint_of(scene, first_own - plan.joint)};
  }
#endif
  const Plan& plan = (scene.program.*plans)[owner];
  return {plan, (scene.state.*all)[owner], plan.joint};
}

Driven<Motor, MotorState> motor_of(const Scene& scene, int owner) {
  return driven(scene, owner, &Program::motors, &State::motors, &Original::motors, &Copy::motors);
}
Driven<JointSpring, SpringState> spring_of(const Scene& scene, int owner) {
  return driven(scene, owner, &Program::springs, &State::springs, &Original::springs,
                &Copy::springs);
}

bool set_motor(const Scene& scene, const Place& place, double value) {
  const auto& [motor, now, joint] = motor_of(scene, place.owner);
  MotorState next = now;
  if (place.target == Target::motor_enabled) next.enabled = value != 0.0;
  if (place.target == Target::motor_target) next.target = value;
  if (place.target == Target::motor_strength) next.strength = value;
  if (!(next.strength >= 0.0)) return false;
  double goal = next.target;
  if (motor.relative) {
    if (!(goal >= 0.0 && goal <= 1.0)) return false;
    goal = motor.lower + goal * (motor.upper - motor.lower);
  }
  if (!is_taken(goal)) return false;
  const double most = next.enabled ? next.strength : 0.0;
  const JointChange::Motor change{static_cast<float>(goal), static_cast<float>(most)};
  scene.world.set_joint(joint, {.motor = change});
  tell(scene, Change::motor, joint, 0, {goal, most});
  next.changed = true;
  now = next;
  return true;
}

// Of springs and lengths, as `set_spring` and `set_lengths` of core/world/naming/handles.py.
bool set_spring(const Scene& scene, const Place& place, double value) {
  const auto& [spring, now, joint] = spring_of(scene, place.owner);
  SpringState next = now;
  const bool is_length = place.target == Target::min_length || place.target == Target::max_length;
  if (place.target == Target::spring_first) next.first = value;
  if (place.target == Target::spring_second) next.second = value;
  if (place.target == Target::min_length) next.shortest = value;
  if (place.target == Target::max_length) next.longest = value;
  if (is_length) {
    if (!(value >= 0.0)) return false;
    const JointChange::Limits limits{static_cast<float>(std::min(next.shortest, next.longest)),
                                     static_cast<float>(next.longest)};
    scene.world.set_joint(joint, {.limits = limits});
    tell(scene, Change::limits, joint, 0, {std::min(next.shortest, next.longest), next.longest});
    next.lengths_changed = true;
  } else {
    const double first = std::isnan(next.first) ? 0.0 : next.first;
    const double second = std::isnan(next.second) ? 0.0 : next.second;
    const bool damps = !spring.by_frequency && second > 0.0;
    if (!((first > 0.0 || (damps && first == 0.0)) && second >= 0.0)) return false;
    scene.world.set_joint(joint, {.spring = read_spring(spring.kind, first, second, "spring ")});
    tell(scene, Change::spring, joint, 0, {static_cast<double>(spring.kind), first, second});
    next.changed = true;
  }
  now = next;
  return true;
}

bool set_mouse(const Scene& scene, int owner, const Numbers& to) {
  const int joint = scene.program.mice[owner].joint;
  scene.world.set_joint(joint, {.target = Double2{to[0], to[1]}});
  scene.state.mice[owner] = {to, true};
  return tell(scene, Change::target, joint, 0, {to[0], to[1]});
}

// The values on which the engine's numbers of a joint depend.
struct Drive {
  double acts, speed, max_torque, friction, max_force;
};

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Drive driven_by(const ActuatorState& state, bool acts) {
  return {acts ? 1.0 : 0.0, state[Quantity::speed], state[Quantity::max_torque],
          state[Quantity::friction], state[Quantity::max_force]};
}

// Applies an actuator as it is set to its bodies from a place on.
void drive(const Scene& scene, const ActuatorState& now, std::size_t first, bool acts) {
  const Actuator& actuator = *now.plan;
  const Bodies& bodies = scene.world.parts().bodies;
  for (std::size_t i = first; i < now.parts.size(); ++i) {
    const auto [place, body] = now.parts[i];
    if (!actuator.by_joint) {
      const double x = now[Quantity::force_x], y = now[Quantity::force_y];
      push(scene, place, {x, y, now[Quantity::torque]}, now.enabled);
      continue;
    }
    if (!bodies.alive[body]) continue;
    double most = now[Quantity::max_force];
    if (actuator.turns) {
      most = now[Quantity::max_torque];
    } else if (!std::isnan(now[Quantity::friction])) {
      const double mass = bodies.mass[body];
      most = now[Quantity::friction] * mass * scene.program.actuator_gravity;
    }
    const double speed = std::isnan(now[Quantity::speed]) ? 0.0 : now[Quantity::speed];
    const JointChange::Motor change{static_cast<float>(speed),
                                    static_cast<float>(acts ? most : 0.0)};
    scene.world.set_joint(place, {.motor = change});
    tell(scene, Change::motor, place, 0, {speed, acts ? most : 0.0});
  }
}

void apply_actuator(const Scene& scene, int index, const Drive& before, bool acts) {
  const ActuatorState& now = scene.state.actuators[index];
  const Drive after = driven_by(now, acts);
  if (now.plan->by_joint && before.acts == after.acts && same(before.speed, after.speed) &&
      same(before.max_torque, after.max_torque) && same(before.friction, after.friction) &&
      same(before.max_force, after.max_force)) {
    return;
  }
  drive(scene, now, 0, acts);
}

bool set_actuator(const Scene& scene, const Place& place, const Numbers& value) {
  ActuatorState& now = scene.state.actuators[place.owner];
  const Actuator& actuator = *now.plan;
  const int64_t step = scene.step;
  const bool in_time = actuator.acts_at(step);
  const bool is_strength = place.target == Target::actuator_max_torque ||
                           place.target == Target::actuator_friction ||
                           place.target == Target::actuator_max_force;
  if (is_strength && !(value[0] >= 0.0)) return false;
  const bool drives =
      place.target == Target::actuator_speed || place.target == Target::actuator_max_torque;
  if (actuator.by_joint ? place.target == Target::actuator_torque : drives) return false;
  const Drive before = driven_by(now, in_time && now.enabled);
  switch (place.target) {
    case Target::actuator_enabled:
      now.enabled = value[0] != 0.0;
      break;
    case Target::actuator_force:
      now[Quantity::force_x] = value[0];
      now[Quantity::force_y] = value[1];
      break;
    case Target::actuator_torque:
      now[Quantity::torque] = value[0];
      break;
    case Target::actuator_speed:
      now[Quantity::speed] = value[0];
      break;
    case Target::actuator_max_torque:
      now[Quantity::max_torque] = value[0];
      break;
    case Target::actuator_friction:
      now[Quantity::friction] = value[0];
      now[Quantity::max_force] = std::numeric_limits<double>::infinity();
      break;
    default:
      now[Quantity::max_force] = value[0];
      now[Quantity::friction] = no_number;
  }
  now.set_at = step;
  apply_actuator(scene, place.owner, before, in_time && now.enabled);
  return true;
}

// ------------------------------------------------------------ the world

bool set_pool(const Scene& scene, const Place& place, double value) {
  Pool pool = scene.world.parts().definition.pools[place.owner];
  if (place.target != Target::pool_level && !(value >= 0.0)) return false;
  switch (place.target) {
    case Target::pool_density:
      pool.density = value;
      break;
    case Target::pool_damping:
      pool.damping = value;
      break;
    case Target::pool_drag:
      pool.drag = value;
      break;
    default:  // beyond the other side the pool is empty
      if (place.axis == 0) pool.left = std::min(value, pool.right);
      if (place.axis == 1) pool.bottom = std::min(value, pool.top);
      if (place.axis == 2) pool.right = std::max(value, pool.left);
      if (place.axis == 3) pool.top = std::max(value, pool.bottom);
  }
  scene.world.set_world({.pool = {{place.owner, pool}}});
  return true;
}

double pool_number(const Pool& pool, const Place& place) {
  const double sides[] = {pool.left, pool.bottom, pool.right, pool.top};
  if (place.target == Target::pool_density) return pool.density;
  if (place.target == Target::pool_damping) return pool.damping;
  return place.target == Target::pool_drag ? pool.drag : sides[std::max(0, place.axis)];
}

bool is_point(Target target) {
  return target == Target::position || target == Target::velocity ||
         target == Target::actuator_force || target == Target::gravity ||
         target == Target::mouse_target;
}

// The present value; not a number where there is none to add to.
Numbers current(const Scene& scene, const Place& place, int owner) {
  const WorldParts& parts = scene.world.parts();
  if (is_of_pool(place.target)) return {pool_number(parts.definition.pools[owner], place), 0.0};
  switch (place.target) {
    case Target::position:
      return {parts.bodies.x[owner], parts.bodies.y[owner]};
    case Target::angle:
      return {parts.bodies.angle[owner], 0.0};
    case Target::velocity:
      return {parts.bodies.states[owner].vx, parts.bodies.states[owner].vy};
    case Target::angular_velocity:
      return {parts.bodies.states[owner].omega, 0.0};
    case Target::motor_target:
      return {motor_of(scene, owner).now.target, 0.0};
    case Target::motor_strength:
      return {motor_of(scene, owner).now.strength, 0.0};
    case Target::spring_first:
    case Target::spring_second: {
      const SpringState& now = spring_of(scene, owner).now;
      const double number = place.target == Target::spring_first ? now.first : now.second;
      return {std::isnan(number) ? 0.0 : number, 0.0};
    }
    case Target::min_length:
      return {spring_of(scene, owner).now.shortest, 0.0};
    case Target::max_length:
      return {spring_of(scene, owner).now.longest, 0.0};
    case Target::actuator_force:
      return {scene.state.actuators[owner][Quantity::force_x],
              scene.state.actuators[owner][Quantity::force_y]};
    case Target::actuator_torque:
      return {scene.state.actuators[owner][Quantity::torque], 0.0};
    case Target::actuator_speed:
      return {scene.state.actuators[owner][Quantity::speed], 0.0};
    case Target::actuator_max_torque:
      return {scene.state.actuators[owner][Quantity::max_torque], 0.0};
    case Target::actuator_friction:
      return {scene.state.actuators[owner][Quantity::friction], 0.0};
    case Target::actuator_max_force:
      return {scene.state.actuators[owner][Quantity::max_force], 0.0};
    case Target::mouse_target:
      return scene.state.mice[owner].target;
    case Target::gravity:
      return {parts.definition.gravity_x, parts.definition.gravity_y};
    default:
      return {no_number, no_number};
  }
}

}  // namespace

void push(const Scene& scene, int place, const std::array<double, 3>& force, bool acts) {
  if (scene.host() != nullptr) {
    tell(scene, Change::force, place, acts ? 1 : 0, force);
    return;
  }
  const auto [x, y, torque] = force;
  scene.world.set_force(place, static_cast<float>(x), static_cast<float>(y),
                        static_cast<float>(torque), acts);
}

void start_actuator(const Scene& scene, int index, std::size_t first) {
  const ActuatorState& now = scene.state.actuators[index];
  drive(scene, now, first, now.enabled && now.plan->acts_at(scene.step));
}

void switch_actuators(const Scene& scene, int64_t step) {
  for (std::size_t i = 0; i < scene.state.actuators.size(); ++i) {
    const Actuator& actuator = *scene.state.actuators[i].plan;
    if (!actuator.by_joint || !actuator.switches_at(step)) continue;
    ActuatorState& now = scene.state.actuators[i];
    const bool acted = actuator.acts_at(step - 1), acts = actuator.acts_at(step);
    now.set_at = step;
    apply_actuator(scene, static_cast<int>(i), driven_by(now, acted && now.enabled),
                   acts && now.enabled);
  }
}

int joint_of(const Scene& scene, int owner) {
#ifndef RIGID_SMALL
  if (owner < 0) {
    const auto own = static_cast<std::size_t>(first_own - owner);
    const bool has = scene.copy != nullptr && own < scene.copy->joints.size();
    return has ? scene.world.parts().joints.find(scene.copy->joints[own]) : -1;
  }
#endif
  return owner;
}

bool is_there(const Scene& scene, const Place& place, int owner) {
  const WorldParts& parts = scene.world.parts();
  if (is_of_body(place.target)) return parts.bodies.alive[owner] != 0;
  const bool is_of_joint = is_of_motor(place.target) || is_of_spring(place.target);
  if (is_of_joint || place.target == Target::limits) {
    const int joint = is_of_motor(place.target)    ? motor_of(scene, owner).joint
                      : is_of_spring(place.target) ? spring_of(scene, owner).joint
                                                   : joint_of(scene, owner);
    return joint >= 0 && !is_broken(parts.joints[joint]);
  }
  if (place.target == Target::mouse_target) {
    return !is_broken(parts.joints[scene.program.mice[owner].joint]);
  }
  return !is_of_actuator(place.target) || !scene.state.actuators[owner].gone;
}

bool set(const Scene& scene, const Place& place, int owner, const Numbers& value) {
  if (!is_there(scene, place, owner)) return true;
  Numbers given = value;
  if (is_point(place.target) && place.axis != none) {
    given = current(scene, place, owner);
    given[place.axis] = value[0];
  }
  const bool is_unlimited =
      place.target == Target::motor_strength || place.target == Target::limits ||
      place.target == Target::actuator_max_torque || place.target == Target::actuator_max_force ||
      place.target == Target::max_length;
  if (!is_unlimited && !(is_taken(given[0]) && is_taken(given[1]))) return false;
  if (is_of_body(place.target)) return set_body(scene, place, owner, given);
  if (is_of_material(place.target)) return set_material(scene, place, given);
  if (is_of_motor(place.target)) return set_motor(scene, place, given[0]);
  if (is_of_spring(place.target)) return set_spring(scene, place, given[0]);
  if (is_of_actuator(place.target)) return set_actuator(scene, place, given);
  if (is_of_pool(place.target)) return set_pool(scene, place, given[0]);
  if (place.target == Target::mouse_target) return set_mouse(scene, owner, given);
  if (place.target == Target::gravity) {
    scene.world.set_world({.gravity = Double2{given[0], given[1]}});
    return tell(scene, Change::gravity, 0, 0, {given[0], given[1]});
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (!(given[0] <= given[1]) || given[0] == infinity || given[1] == -infinity) return false;
  const JointChange::Limits limits{static_cast<float>(given[0]), static_cast<float>(given[1])};
  const int joint = joint_of(scene, owner);
  scene.world.set_joint(joint, {.limits = limits});
  return tell(scene, Change::limits, joint, 0, {given[0], given[1]});
}

bool add(const Scene& scene, const Place& place, int owner, const Numbers& value) {
  if (!is_there(scene, place, owner)) return true;
  const Numbers old = current(scene, place, owner);
  if (std::isnan(old[0])) return false;
  if (!is_taken(value[0]) || !is_taken(value[1])) return false;
  if (!is_point(place.target)) return set(scene, place, owner, {old[0] + value[0], 0.0});
  if (place.axis == none) return set(scene, place, owner, {old[0] + value[0], old[1] + value[1]});
  return set(scene, place, owner, {old[place.axis] + value[0], 0.0});
}

}  // namespace rigid::script
