// One step: pairs, contacts, the solver, motion, and what follows from it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>
#include <numeric>

#include "engine/channels.h"
#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

namespace {

class Stopwatch {
 public:
  // Milliseconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return ms;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Whether a body has moved so far that its way must be looked at.
RIGID_INLINE bool has_gone_far(const BodyStep& step, const BodyState& state) {
  return std::fabs(state.dx - step.moved_x) + std::fabs(state.dy - step.moved_y) +
             std::fabs(state.delta_angle - step.turned) * step.reach >
         step.leeway;
}

}  // namespace

void World::set_parameters() {
  const WorldDefinition& d = definition_;
  StepParameters& p = parameters_;
  bool soft = d.solver == SolverKind::soft_step;
  float per_second = static_cast<float>(1.0 / d.time_per_second);
  float unit = static_cast<float>(d.length_unit);
  p.h = static_cast<float>(soft ? d.dt / d.substeps : d.dt);
  p.inverse_h = p.servo_rate = 1.0f / p.h;
  p.dt = static_cast<float>(d.dt);
  p.seconds = static_cast<float>(d.time_per_second);
  p.gravity_x = static_cast<float>(d.gravity_x);
  p.gravity_y = static_cast<float>(d.gravity_y);
  auto soft_contact = [&](float correction) {
    return Softness{correction * p.inverse_h, constants::contact_mass_scale,
                    1.0f - constants::contact_mass_scale};
  };
  p.contact = soft_contact(constants::contact_correction);
  p.static_contact = soft_contact(2.0f * constants::contact_correction);
  p.joint = {constants::joint_correction * p.inverse_h, constants::joint_mass_scale,
             1.0f - constants::joint_mass_scale};
  p.push_speed = constants::contact_push_speed * unit * per_second;
  p.turn_speed = constants::contact_push_speed * per_second;
  p.slop = constants::linear_slop * unit;
  p.resting_depth = constants::resting_depth * unit;
  p.speculative = constants::speculative_distance * unit;
  separations_.set_near(p.speculative);
  p.restitution_threshold = constants::restitution_threshold * unit * per_second;
  p.same_impact = constants::same_impact * unit;
  p.tension = constants::most_tension * static_cast<float>(d.dt) / (p.h * p.h);
  p.warm_start = soft || d.warm_start;
  p.explicit_springs = soft;
  p.impulse_solver = p.bounces_first = p.accumulates = p.needs_overlap = p.pushes_apart = !soft;
  p.contact_margin = soft ? p.speculative : p.slop;
  p.joint_give = soft ? constants::joint_give : constants::joint_give_of_steps;
  p.clamp = d.clamp;
  p.correction_rate = p.allowed_penetration = p.gravity_friction = 0;
  if (!soft) {
    float rate = d.position_correction ? static_cast<float>(d.correction_rate) : 0.0f;
    p.correction_rate = rate * p.inverse_h;
    p.allowed_penetration = static_cast<float>(d.allowed_penetration);
    p.joint = {rate * p.inverse_h, 1.0f, 0.0f};
    if (d.gravity_friction) {
      p.gravity_friction =
          static_cast<float>(std::sqrt(d.gravity_x * d.gravity_x + d.gravity_y * d.gravity_y)) *
          p.h;
    }
  }
}

KernelContext World::kernel_context() {
  return {states_.data(), step_masses_.data(), bodies_.data(), contacts_.data(),
          joints_.data(), &parameters_,        nullptr,        0,
          &stages_,       masses_.data()};
}

// Cuts one arena into the blocks of each colour.
void World::make_spans() {
  struct Piece {
    std::span<const int> ids;
    int color;
    std::size_t wide_size, single_size;
    std::vector<ColorSpan>* spans;
  };
  std::vector<Piece> pieces;
  // What mechanisms solve at once is not the lanes' affair.
  lane_joints_.clear();
  lane_joints_.reserve(joints_.size());
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
    if (graph.empty()) return;
    // The overflow goes first, so that the colours of the ground have the last word.
    for (int i = 0; i <= Graph::color_count; ++i) {
      int color = i == 0 ? Graph::overflow : i - 1;
      const std::vector<int>& all = graph.ids(color);
      const std::span<const int> ids = joints && !systems_.empty() ? left_to_lanes(all) : all;
      if (!ids.empty()) pieces.push_back({ids, color, wide, single, &spans});
    }
  };
  for (int kind = 0; kind < joint_graph_count; ++kind) {
    add(joint_graphs_[kind], true, kernels_->joints[kind].block_size,
        single_->joints[kind].block_size, joint_spans_[kind]);
  }
  const bool soft = definition_.solver == SolverKind::soft_step;
  auto size_of = [soft](const Kernels& kernels) {
    return soft ? kernels.contact_block_size : kernels.impulse.block_size;
  };
  add(contact_graph_, false, size_of(*kernels_), size_of(*single_), contact_spans_);

  constexpr std::size_t alignment = 64;
  std::size_t size = alignment;
  auto blocks_of = [&](const Piece& piece) {
    int count = static_cast<int>(piece.ids.size());
    int width = piece.color == Graph::overflow ? 1 : kernels_->width;
    return (count + width - 1) / width;
  };
  for (const Piece& piece : pieces) {
    bool single = piece.color == Graph::overflow;
    std::size_t bytes = blocks_of(piece) * (single ? piece.single_size : piece.wide_size);
    size += (bytes + alignment - 1) / alignment * alignment;
  }
  std::byte* memory = memory_.reserve(size);
  auto address = reinterpret_cast<std::uintptr_t>(memory);
  std::byte* at = memory + (alignment - address % alignment) % alignment;
  for (const Piece& piece : pieces) {
    bool single = piece.color == Graph::overflow;
    const int blocks = blocks_of(piece), count = static_cast<int>(piece.ids.size());
    piece.spans->push_back({{at, piece.ids.data(), count, blocks}, single});
    std::size_t bytes = blocks * (single ? piece.single_size : piece.wide_size);
    at += (bytes + alignment - 1) / alignment * alignment;
  }
  for (std::size_t i = 0, span = 0; i < pieces.size(); ++i) {
    if (pieces[i].spans == &contact_spans_) {
      span_of_color_[pieces[i].color] = static_cast<int>(span++);
    }
  }
  has_restitution_ = false;
  for (const ColorSpan& span : contact_spans_) {
    for (int i = 0; i < span.span.count && !has_restitution_; ++i) {
      has_restitution_ = contacts_[span.span.ids[i]].restitution > 0.0f;
    }
  }
}

// Contacts see some bodies as their mechanisms hold them (world_lending.cpp).
KernelContext World::contact_context() {
  KernelContext context = kernel_context();
  if (!lent_.empty()) context.masses = contact_masses_.data();
  return context;
}

void World::run_contacts(Kernel wide, Kernel single, Share share) {
  const KernelContext context = contact_context();
  note_lent(share);
  for (const ColorSpan& color : contact_spans_) {
    if (color.single) {
      pool_.spend(color.span.block_count, constraint_piece);
      single(context, color.span, 0, color.span.block_count);
      continue;
    }
    pool_.run(color.span.block_count, constraint_grain(),
              [&](int begin, int end) { wide(context, color.span, begin, end); });
  }
  if (share == Share::none) return;
  collect_pushes(share);
  settle_lent();
}

void World::run_joints(Kernel JointKernels::* stage) {
  KernelContext context = kernel_context();
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

// Finds the mechanisms among the active joints and decides which are solved at once.
void World::make_systems() {
  if (!systems_dirty_) return;
  systems_dirty_ = false;
  systems_.clear();
  system_of_.assign(bodies_.size(), -1);
  drivers_.clear();
  driver_of_.assign(bodies_.size(), -1);
  more_sweeps_ = false;
  iterative_.clear();
  for (Joint& joint : joints_) joint.direct = joint.apart = false;
  // Mechanisms hang together by the bodies that move. Slow springs alone stay with the lanes.
  std::vector<int> parents(bodies_.size());
  std::iota(parents.begin(), parents.end(), 0);
  auto root = [&](int i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
  };
  auto mover = [&](const Joint& joint) {
    return can_move(masses_[joint.body_a]) ? joint.body_a : joint.body_b;
  };
  std::vector<int> members;
  for (int i = 0; i < joint_count(); ++i) {
    const Joint& joint = joints_[i];
    if (joint.color < 0 || !(has_rigid_rows(joint) || has_soft_rows(joint))) continue;
    members.push_back(i);
    if (!can_move(masses_[joint.body_a]) || !can_move(masses_[joint.body_b])) continue;
    int a = root(joint.body_a), b = root(joint.body_b);
    if (a != b) parents[std::max(a, b)] = std::min(a, b);
  }
  std::vector<uint8_t> rigid(bodies_.size(), 0);
  std::vector<double> rates(bodies_.size(), 0);  // of the fastest springs
  const std::vector<double> own_rates = find_spring_rates(members);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Joint& joint = joints_[members[i]];
    const int body = root(mover(joint));
    rigid[body] |= has_rigid_rows(joint) ? 1 : 0;
    rates[body] = std::max(rates[body], own_rates[i]);
  }
  std::vector<int> number(bodies_.size(), -1);
  std::vector<std::vector<int>> mechanisms;
  for (int i : members) {
    int body = root(mover(joints_[i]));
    if (number[body] < 0) {
      number[body] = static_cast<int>(mechanisms.size());
      mechanisms.emplace_back();
    }
    mechanisms[number[body]].push_back(i);
  }
  KernelContext context = kernel_context();
  const bool always = definition_.joints == JointSolver::direct;
  const bool never = definition_.joints == JointSolver::iterative;
  long budget = always ? constants::direct_joint_limit : constants::direct_joint_budget;
  if (never) budget = 0;
  long spare = constants::direct_joint_budget;
  for (const std::vector<int>& mechanism : mechanisms) {
    const int body = root(mover(joints_[mechanism.front()]));
    if (!rigid[body] && rates[body] <= slowest_implicit && !always) continue;
    const bool fits = static_cast<long>(mechanism.size()) <= budget;
    if (fits && add_system(mechanism, context, budget)) continue;
    add_driver(mechanism, context, spare);
    add_iterative(mechanism, rates[body]);
  }
}

// How fast the springs of these joints, with those beside them, could swing their bodies: (h w)^2.
std::vector<double> World::find_spring_rates(const std::vector<int>& members) const {
  const double h = parameters_.h;
  std::vector<double> sums(bodies_.size(), 0);
  for (int i : members) {
    const Joint& joint = joints_[i];
    const int a = joint.body_a, b = joint.body_b;
    const SpringRates own =
        spring_rates(joint, bodies_[a], bodies_[b], masses_[a], masses_[b], parameters_);
    sums[a] += own.a;
    sums[b] += own.b;
  }
  std::vector<double> rates;
  for (int i : members) {
    const Joint& joint = joints_[i];
    const bool soft = has_soft_rows(joint);
    rates.push_back(soft ? h * h * (sums[joint.body_a] + sums[joint.body_b]) : 0);
  }
  return rates;
}

bool World::add_system(const std::vector<int>& mechanism, const KernelContext& context,
                       long& budget) {
  JointSystem system(mechanism, context, budget);
  if (system.cost() == 0) return false;
  budget -= system.cost();
  for (int i : mechanism) {
    Joint& joint = joints_[i];
    joint.direct = true;
    for (int body : {joint.body_a, joint.body_b}) {
      if (can_move(masses_[body])) system_of_[body] = static_cast<int>(systems_.size());
    }
  }
  systems_.push_back(std::move(system));
  return true;
}

// Thrusters, fields and impulses whose time it is. They wake what they push.
void World::apply_forces() {
  const double now = time();
  for (ForceSource& f : forces_) {
    if (!f.enabled || !alive_[f.body] || bodies_[f.body].kind != BodyKind::dynamic) continue;
    if (!f.acts(now, definition_.dt)) continue;
    bool once = f.kind == ForceKind::impulse;
    const Body& body = bodies_[f.body];
    // A force is that of the step's middle, which makes what a turning thruster gives second order.
    double turn = once ? 0.0 : 0.5 * definition_.dt * states_[f.body].omega;
    SineCosine q = sine_cosine(body.angle + turn);
    double px = body.center_x, py = body.center_y;
    if (!f.at_center) {
      double ax = f.at_x - body.local_center.x, ay = f.at_y - body.local_center.y;
      px += q.cosine * ax - q.sine * ay;
      py += q.sine * ax + q.cosine * ay;
    }
    if (once) {
      apply_impulse(f.body, {f.x, f.y}, px, py);
      apply_angular_impulse(f.body, f.torque);
      f.enabled = false;
      continue;
    }
    Vec2 force = {f.x, f.y};
    if (f.kind == ForceKind::thruster) {
      force = rotate({static_cast<float>(q.cosine), static_cast<float>(q.sine)}, force);
    }
    apply_force(f.body, force, px, py);
    apply_torque(f.body, f.torque);
  }
}

// What forces and damping do in one substep. Damping acts on what constraints give as well:
//   M (1 + h c) v' = M v + h F + J^T impulse,
// so that the solver takes bodies for heavier by 1 + h c. What rests is not damped: a joint or a
// contact bears all of its weight. Impacts are instants, and see the bodies undamped.
void World::prepare_bodies() {
  const StepParameters& p = parameters_;
  if (has_bullets_) way_starts_.assign(bodies_.size(), WayStart{});
  for_bodies([&](int i) {
    const Body& body = bodies_[i];
    BodyStep& step = body_steps_[i];
    if (body.kind != BodyKind::dynamic) {
      step = BodyStep{};
      step.linear_factor = step.angular_factor = 1.0f;
      step.leeway = std::numeric_limits<float>::infinity();
      return;
    }
    const InverseMass inverse = heavy_masses_[i];
    // 1 but where World::stiffen made the body heavier: it weighs what it did.
    float weight = inverse.mass > 0.0f ? inverse.mass / masses_[i].mass : 0.0f;
    float gravity = weight * body.gravity_scale;
    step.ax = p.h * (p.gravity_x * gravity + inverse.mass * body.force.x);
    step.ay = p.h * (p.gravity_y * gravity + inverse.mass * body.force.y);
    step.alpha = p.h * inverse.inertia * body.torque;
    step.linear_factor = 1.0f / (1.0f + p.h * body.linear_damping);
    step.angular_factor = 1.0f / (1.0f + p.h * body.angular_damping);
    step_masses_[i] = {inverse.mass * std::max(step.linear_factor, constants::least_mobility),
                       inverse.inertia * std::max(step.angular_factor, constants::least_mobility)};
    step.leeway = approached(i) ? -1.0f : body.leeway;
    step.reach = body.reach;
    step.moved_x = step.moved_y = step.turned = step.looked_at = 0.0f;
    step.led = false;
  });
}

// Kinematic bodies have steps that change nothing (prepare_bodies), and need not be told apart.
void World::integrate_velocities(float h) {
  for_bodies([&](int i) {
    BodyState& state = states_[i];
    BodyStep& step = body_steps_[i];
    float vx = state.vx, vy = state.vy;
    state.vx = (vx + step.ax) * step.linear_factor;
    state.vy = (vy + step.ay) * step.linear_factor;
    state.omega = (state.omega + step.alpha) * step.angular_factor;
    step.after_x = state.vx;
    step.after_y = state.vy;
    step.correction_x = 0.5f * h * (vx - state.vx);
    step.correction_y = 0.5f * h * (vy - state.vy);
  });
}

// A body that no constraint has touched since its forces acted flies freely: the mean of the
// velocities before and after is its exact motion under constant acceleration. For all others the
// velocity after the solver is what the constraints were solved for. What is led along a chain is
// pushed for the end of its true way: so the forces' share is that of RATTLE (world_tracks.cpp).
void World::integrate_positions(float h, float time) {
  for_bodies([&](int i) {
    BodyState& state = states_[i];
    state.dx += h * state.vx;
    state.dy += h * state.vy;
    const BodyStep& step = body_steps_[i];
    if (step.led || (state.vx == step.after_x && state.vy == step.after_y)) {
      state.dx += step.correction_x;
      state.dy += step.correction_y;
    }
    state.delta_angle += h * state.omega;
    const Rotation q = small_rotation(state.delta_angle);
    state.c = q.c;
    state.s = q.s;
    if (has_gone_far(step, state)) hold_back(i, time);
  });
}

// Where the bodies are at the step's start.
void World::prepare_systems() {
  if (systems_.empty() && drivers_.empty() && iterative_.empty()) return;
  std::vector<uint8_t> touched(bodies_.size(), 0);
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.color >= 0) touched[contact.body_a] = touched[contact.body_b] = 1;
  }
  for_systems([&touched](JointSystem& system, const KernelContext& context) {
    system.prepare(context, touched);
    system.locate(context);
  });
  for (JointSystem& driver : drivers_) {
    driver.prepare(kernel_context(), touched);
    driver.locate(kernel_context());
  }
  for (IterativeMechanism& mechanism : iterative_) {
    mechanism.energy.prepare(kernel_context(), touched);
  }
}

void World::soft_step() {
  const float h = parameters_.h;
  open_step_accounts();
  for (int substep = 0; substep < definition_.substeps; ++substep) {
    parameters_.servo_rate =
        parameters_.inverse_h / static_cast<float>(definition_.substeps - substep);
    run_impacts();
    for_systems(&JointSystem::begin);
    open_accounts();
    integrate_velocities(h);
    note_forces();
    warm_start_joints();
    run_contacts(kernels_->warm_start, single_->warm_start, Share::all);
    run_joints(&JointKernels::solve);
    for (int i = 0; more_sweeps_ && i < constants::more_sweeps; ++i) {
      run_joints(&JointKernels::solve);
    }
    for_systems(&JointSystem::solve);
    aim_tracks();
    run_contacts(kernels_->solve, single_->solve, Share::change);
    if (!lent_.empty()) for_systems(&JointSystem::iterate);
    settle_tracks();
    const float time = static_cast<float>(substep + 1) * h;
    integrate_positions(h, time);
    correct_apart();
    stop_bullets(time);
    run_joints(&JointKernels::relax);
    keep_energies();
    for (JointSystem& driver : drivers_) driver.locate(kernel_context());
    // The next substep begins where the bodies are now, with the same factors.
    for_systems([](JointSystem& system, const KernelContext& context) {
      system.locate(context);
      system.relax(context);
      system.keep_energy(context);
    });
    follow_tracks();
    run_contacts(kernels_->relax, single_->relax, Share::change);
    if (!lent_.empty()) for_systems(&JointSystem::relax);
  }
  keep_step_energies();
  run_joints(&JointKernels::store);
  store_systems();
  run_contacts(kernels_->store, single_->store, Share::none);
}

// Carries the step's motion over to the double-precision state.
void World::finish_bodies() {
  for_bodies([&](int i) {
    Body& body = bodies_[i];
    BodyState& state = states_[i];
    body.center_x += state.dx;
    body.center_y += state.dy;
    body.angle += state.delta_angle;
    SineCosine sc = sine_cosine(body.angle);
    body.rotation = {static_cast<float>(sc.cosine), static_cast<float>(sc.sine)};
    double lx = body.local_center.x, ly = body.local_center.y;
    x_[i] = body.center_x - (sc.cosine * lx - sc.sine * ly);
    y_[i] = body.center_y - (sc.sine * lx + sc.cosine * ly);
    angle_[i] = body.angle;
    body.travel =
        std::fabs(state.dx) + std::fabs(state.dy) + std::fabs(state.delta_angle) * body.extent;
    separations_.move(i, body.travel);
    BodyStep& step = body_steps_[i];
    step.moved_x = state.dx;
    step.moved_y = state.dy;
    step.turned = state.delta_angle;
    state.dx = state.dy = state.delta_angle = state.s = 0.0f;
    state.c = 1.0f;
    body.force = {0, 0};
    body.torque = 0;
    if (body.kind == BodyKind::dynamic) count_rest(i);
  });
}

StepError World::error_of(EventKind kind, int body) const {
  const Body& its = bodies_[body];
  const BodyState& state = states_[body];
  return {kind, body, step_count_, its.center_x, its.center_y, state.vx, state.vy, state.omega};
}

// After finish_bodies: states are where they belong, so an error names the step's result.
bool World::check_errors() {
  const double unit = definition_.length_unit;
  const double far = constants::runaway_distance * unit;
  const double fast = constants::runaway_speed * unit / definition_.time_per_second;
  const double spin = constants::runaway_speed / definition_.time_per_second;
  bool stop = false;
  for (int i : awake_bodies_) {
    const BodyState& state = states_[i];
    const Body& body = bodies_[i];
    // The sum is finite when all parts are; a NaN fails every comparison.
    bool calm = std::fabs(body.center_x) <= far && std::fabs(body.center_y) <= far &&
                std::fabs(state.vx) <= fast && std::fabs(state.vy) <= fast &&
                std::fabs(state.omega) <= spin && std::fabs(body.angle) <= 1e15;
    if (calm) continue;
    bool finite = std::isfinite(body.center_x) && std::isfinite(body.center_y) &&
                  std::isfinite(body.angle) && std::isfinite(state.vx) && std::isfinite(state.vy) &&
                  std::isfinite(state.omega);
    EventKind kind = finite ? EventKind::runaway : EventKind::not_finite;
    tell(step_count_, kind, i);
    if (!definition_.freeze_on_error) {
      error_ = error_of(kind, i);
      has_error_ = stop = true;
      break;
    }
    errors_.push_back(error_of(kind, i));
    bodies_[i].frozen = true;
  }
  if (stop || !definition_.freeze_on_error) return !stop;
  for (int i = 1; i < body_count(); ++i) {
    if (bodies_[i].frozen && alive_[i]) remove_body(i);
  }
  return true;
}

void World::update_proxies() {
  const float dt = static_cast<float>(definition_.dt);
  for (int i : awake_bodies_) {
    Body& body = bodies_[i];
    const BodyState& state = states_[i];
    expect_way(i);
    float turn = std::fabs(state.omega) * dt;
    float next = (std::fabs(state.vx) + std::fabs(state.vy)) * dt + turn * body.extent;
    for (int index : body_shapes_[i]) {
      WorldShape& shape = shapes_[index];
      if (shape.proxy < 0) continue;
      // What touches nobody is only looked for by queries, which bring its box up to date.
      if ((matrix_[shape.category] & categories_in_use_) == 0) {
        shape.slack = -1.0f;
        stale_ = true;
        continue;
      }
      // Most shapes of a resting pile need not even be looked at.
      shape.slack -= body.travel;
      if (shape.slack > next && turn <= widest_turn) continue;
      refresh_proxy(index);
    }
  }
}

void World::refresh_queries() {
  finish();
  if (!stale_) return;
  stale_ = false;
  for (int i = 0; i < shape_count(); ++i) {
    if (shapes_[i].proxy >= 0 && shapes_[i].slack < 0.0f) refresh_proxy(i);
  }
}

void World::apply_bounds() {
  if (!definition_.has_bounds) return;
  const double* b = definition_.bounds;
  std::vector<int> left;
  for (int i : awake_bodies_) {
    if (!movable(i)) continue;
    const Body& body = bodies_[i];
    if (body.center_x < b[0] || body.center_y < b[1] || body.center_x > b[2] ||
        body.center_y > b[3]) {
      left.push_back(i);
    }
  }
  for (int i : left) {
    tell(step_count_, EventKind::left_bounds, i);
    remove_body(i);
  }
}

void World::prepare_step() {
  prepare_bodies();
  run_joints(&JointKernels::prepare);
  prepare_systems();
  lend();
  stages_.bounce = stages_.push = false;
  if (definition_.solver == SolverKind::soft_step) {
    run_contacts(kernels_->prepare, single_->prepare, Share::none);
  } else {
    run_contacts(kernels_->impulse.prepare, single_->impulse.prepare, Share::none);
  }
  start_tracks();
}

void World::solve_step() {
  const bool soft = definition_.solver == SolverKind::soft_step;
  if (!systems_.empty()) before_.assign(states_.data(), states_.data() + states_.size());
  keep_impulses();
  soft ? soft_step() : sequential_impulse();
  // A jerk that light bodies could not stand, or a load that a motor could not: once more, with
  // what is known now.
  for (int again = 0; again < constants::most_rehearsals; ++again) {
    const bool surprised = stiffen(), overloaded = find_overloads();
    if (!surprised && !overloaded) break;
    if (overloaded) restore_impulses();
    std::copy(before_.begin(), before_.end(), states_.data());
    for (JointSystem& system : systems_) system.rewind();
    for (IterativeMechanism& mechanism : iterative_) mechanism.energy.rewind();
    prepare_step();
    soft ? soft_step() : sequential_impulse();
  }
  for (JointSystem& system : systems_) system.forget_overload();
}

bool World::step_once() {
  if (has_error_) return false;
  Stopwatch watch;
  finish();
  set_parameters();
  apply_forces();
  apply_wakes();
  if (!update_pairs()) return false;
  timings_.pairs = watch.lap();
  update_contacts();
  apply_wakes();
  collect_awake();
  timings_.narrow = watch.lap();
  make_systems();
  make_spans();
  prepare_step();
  timings_.prepare = watch.lap();
  solve_step();
  timings_.solve = watch.lap();
  finish_tracks();
  finish_bodies();
  ++step_count_;
  report_touching();
  bool good = check_errors();
  if (good) {
    break_joints();
    apply_bounds();
    apply_wakes();
    collect_awake();
    update_proxies();
  }
  timings_.finish = watch.lap();
  if (good) put_to_sleep();
  timings_.sleep = watch.lap();
  return good;
}

int World::step(int steps, Watch* watch) {
  Shift shift(pool_, watch);
  int done = 0;
  for (; done < steps; ++done) {
    shift.before_step();
    if (!step_once()) break;
  }
  shift.done();
  return done;
}

int World::run(int steps, int every, std::span<const int32_t> codes, double* out, int rows,
               Watch* watch) {
  Shift shift(pool_, watch);
  int done = 0, row = 0;
  for (; done < steps; ++done) {
    shift.before_step();
    if (!step_once()) break;
    if (step_count_ % every != 0 || row >= rows) continue;
    sample(*this, codes, out + static_cast<std::size_t>(row) * (codes.size() / 2));
    ++row;
  }
  shift.done();
  return done;
}

}  // namespace rigid
