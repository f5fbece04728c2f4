// SPDX-License-Identifier: MIT
// The interface between the world and the wide solver: plain functions over blocks of constraints.
//
// The arithmetic is in contact_kernels.h, impulse_kernels.h and the files of joints, as templates
// over the number of lanes. It is compiled once for every instruction set (kernels_base.cpp,
// kernels_avx2.cpp, kernels_avx512.cpp); each compilation provides one table of functions, and the
// world selects a table at run time.
#ifndef RIGID_ENGINE_DATA_KERNELS_H
#define RIGID_ENGINE_DATA_KERNELS_H

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/data/body.h"
#include "engine/data/contact.h"
#include "engine/data/joint_data.h"
#include "engine/data/settings.h"

namespace rigid {

// A spring solved implicitly, as a constraint with give (Catto, "Soft Constraints", GDC 2011):
// impulse = -mass * mass_scale * (velocity + bias_rate * position) - impulse_scale * accumulated.
struct Softness {
  float bias_rate, mass_scale, impulse_scale;
  bool operator==(const Softness&) const = default;
};

// Parameters of a step, shared by all constraints. Lengths and times in scene units.
struct StepParameters {
  float h, inverse_h;  // substep
  float dt;
  float seconds;  // scene time units per second
  float gravity_x, gravity_y;
  Softness contact, static_contact, joint;
  float servo_rate;  // 1 / the remaining time of the step: servo motors arrive at its end
  float push_speed, turn_speed;  // bounds of a correction, lengths and radians
  float slop, resting_depth, speculative, restitution_threshold, same_impact;
  float slowest_impact;  // for the search of impact times (collision/impacts.h)
  // sequential_impulse only
  float correction_rate, allowed_penetration;  // rate is per time: correction_rate / dt
  // The impulse that bounds friction at each point if the normal impulse does not, else 0:
  // |gravity| dt; or dt, where the contacts' friction has the force as a factor (weighs_friction).
  float gravity_friction;
  bool weighs_friction;
  // The largest product of a joint's impulse in a step and its arm, relative to a body's inertia
  // (mechanisms/geometric_stiffness.h).
  float tension;
  float contact_margin;  // nearer points become contact points
  double joint_give;     // of directly solved joints, see joint_system_rows.cpp
  ImpulseClamp clamp;    // sequential_impulse only
  bool warm_start;
  bool explicit_springs;   // for substeps that are short compared with their period
  bool pulls_in_substeps;  // attraction is evaluated in each substep
  bool whole_batches;      // islands may be solved for a whole step one after another
  bool bounces_first;      // bounces are solved first, at the step's start and without damping
  bool accumulates;        // the accumulated impulses are the step's sums
  bool needs_overlap;      // contacts act only between overlapping shapes, not ahead of time
  bool pushes_apart;       // overlap is corrected after the step, without changing its velocities
  bool operator==(const StepParameters&) const = default;
};

// The default spring of a mouse.
RIGID_INLINE Spring mouse_spring(const StepParameters& p) { return {1, 5.0f / p.seconds, 0.7f}; }

// The stages that a step needs, found while contacts are prepared: whether any contact has
// restitution, and in sequential_impulse the stages to run.
struct ImpulseStages {
  std::atomic<bool> restitution{false}, bounce{false}, push{false};
  ImpulseStages() = default;
  ImpulseStages(const ImpulseStages&) {}  // found anew for each world
};

// The gravity of B relative to A.
inline Vec2 relative_gravity(const StepParameters& p, const Body& a, const Body& b) {
  const float scale_a = a.kind == BodyKind::dynamic ? a.gravity_scale : 0.0f;
  const float scale_b = b.kind == BodyKind::dynamic ? b.gravity_scale : 0.0f;
  return {(scale_b - scale_a) * p.gravity_x, (scale_b - scale_a) * p.gravity_y};
}

struct KernelContext {
  BodyState* states;
  const InverseMass* inverse_masses;
  const Body* bodies;
  Contact* contacts;
  Joint* joints;
  const StepParameters* parameters;
  // For impacts only: the number of the sweep, from 1, and for each body the number of the last
  // sweep in which something hit it.
  const uint8_t* impact_marks = nullptr;
  uint8_t impact_sweep = 0;
  float least_rebound = 0;           // the least speed after an impact; slower ones are ignored
  const uint8_t* crowded = nullptr;  // for each body, 1 if it is in a crowd
  ImpulseStages* stages = nullptr;
  bool has_damping = false;  // of any body
  // Without changes for a step by damping or taut joints (bodies/motion.h): the masses to which the
  // frequencies of springs refer.
  const InverseMass* own_inverse_masses = nullptr;
};

// A contact whose bodies meet within this substep, fast enough to bounce, or that rest on one
// another.
struct Impact {
  int contact, body_a, body_b;
  int place;       // in Impacts::impact_places_
  float when[2];   // the instants of its points, since the substep's start; < 0: that point has no
                   // impact
  float gap[2];    // between its points
  float approach;  // the speed of its faster point
  float margin;    // instants nearer than this are the same
  float* total_normal[2];  // the sums of its points
  int to_tangent;          // the offset from each of them to the tangent's sum
};

// The constraints of one colour: no two of them move the same body.
struct Span {
  void* blocks;
  const int* ids;  // contacts or joints
  int count;       // of ids
  int block_count;
};

// The present place of a contact with a smooth chain within the step (collision/chain_tracks.h).
struct TrackPlace {
  Vec2 normal;          // from A to B, world axes
  Vec2 from_a, from_b;  // from the centres of mass to the contact
  float gap;            // distance between the surfaces
  float aim;            // target velocity along the normal
  bool bounces;         // sequential_impulse: it hits the chain in this step
};

// The impulses of a contact's points on its bodies, in world axes about their centres of mass: an
// impulse on B, its opposite on A.
struct ContactPush {
  double x, y, turn_a, turn_b;
};

// Pointers to the impulses of the first point of a contact: the present ones, and its sums.
struct ContactSums {
  float *normal, *tangent, *total_normal, *total_tangent;
};

// One point of a contact in the present state of its block, for observers (solvers/
// step_observer.h). Vectors in world axes; the anchors are from the centres of mass.
struct ContactView {
  Vec2 normal, anchor_a, anchor_b;
  InverseMass mass_a, mass_b;
  float separation, normal_speed, tangent_speed;  // present ones; B against A
  float normal_mass, tangent_mass;                // effective
  float friction, restitution;
  // The pass that removes overlap: impulse = -normal_mass * mass_scale * (normal_speed + bias)
  // - impulse_scale * normal_impulse.
  float bias, mass_scale, impulse_scale;
  float normal_impulse, tangent_impulse, total_normal, total_tangent, rolling_impulse;
  bool fixed, tracked;  // one body cannot move; it follows a chain
};

// The same of a joint's block. A row with gains has impulse = -mass * (velocity * (speed - wanted)
// + position * (coordinate - target)) - (1 - velocity) * (its impulse so far).
struct DriveView {
  bool on = false;
  float velocity = 1, position = 0, speed = 0, target = 0;
  float lowest = 0, highest = 0, impulse = 0;
};
struct JointView {
  float correction = 0, yielding = 0;    // of rigid rows (RowSoftness)
  float held[3] = {0, 0, 0};             // the impulses of the rows that are held together
  float gains[2][2] = {{1, 0}, {1, 0}};  // of a weld or a mouse: velocity and position of x and y,
                                         // and of the angle
  float most = 0;                        // of a mouse
  DriveView spring, motor;
  bool rigid_on = false, lower_on = false, upper_on = false, limit_soft = false;
  float rigid_target = 0, lower = 0, upper = 0, limit_velocity = 1, limit_position = 0;
  float rigid_impulse = 0, lower_impulse = 0, upper_impulse = 0, across = 0;
  float total[4] = {0, 0, 0, 0};  // x, y, turn, motor: of the step so far
};

using Kernel = void (*)(const KernelContext&, const Span&, int begin, int end);
// Views a point of the contact `at` of a span, or the joint `at`.
using ViewContact = ContactView (*)(const KernelContext&, const Span&, int at, int point);
using ViewJoint = JointView (*)(const Span&, int at);
// Moves the contact `at` of a span along its track.
using FollowTrack = void (*)(const KernelContext&, const Span&, int at, const TrackPlace&);
// Reads the impulses of contact `at` of a span so far: the accumulated ones, or those of impacts
// (`blows`).
using ReadPush = ContactPush (*)(const Span&, int at, bool blows);
// Finds the sums of a point of the contact `at` of a span.
using FindSums = ContactSums (*)(const Span&, int at, int point);

struct LaneTask;    // mechanisms/lane_task.h
struct BatchState;  // mechanisms/batch_state.h
template <int corners>
struct PolygonPairs;  // collision/polygon_pairs.h
using SolveSideBySide = void (*)(LaneTask& task);
using StepResidents = int (*)(const LaneTask& task, BatchState& home, int steps);

using FindImpacts = int (*)(const KernelContext&, const Span&, int begin, int end, Impact* found);

struct JointKernels {
  size_t block_size;
  Kernel prepare, warm_start, keep_shares, solve, relax, store;
  ViewJoint view;
};

// Contact kernels of every solver.
struct ContactKernels {
  size_t block_size;
  Kernel prepare, warm_start, store;
  FollowTrack follow;
  ReadPush read;
  FindSums sums;
  // Bounces: writes the contacts that hit, and returns how many. The list must have room for all.
  FindImpacts find_impacts;
  // The same for contacts whose bodies rest on one another, or may within this substep.
  FindImpacts find_pressed;
  Kernel solve_crowds;
  ViewContact view;
};

struct Kernels {
  int width;
  ContactKernels soft, impulse;  // contact_kernels.h, impulse_kernels.h
  Kernel solve, relax;           // soft_step
  // sequential_impulse
  Kernel forget_blows, set_blows_aside, add_blows, bounce, rest, push;
  JointKernels joints[joint_graph_count];  // by JointKind, then pins
  // Substeps of as many worlds as the table is wide, and whole steps; none for one lane.
  SolveSideBySide solve_side_by_side = nullptr;
  StepResidents step_residents = nullptr;
  std::size_t lane_memory = 0;
  // Manifolds of pairs of polygons (collision/polygon_kernels.h); none for one lane.
  void (*collide_boxes)(PolygonPairs<4>&) = nullptr;
  void (*collide_octagons)(PolygonPairs<8>&) = nullptr;
  void collide(PolygonPairs<4>& pairs) const { collide_boxes(pairs); }
  void collide(PolygonPairs<8>& pairs) const { collide_octagons(pairs); }
};

// The table for a width, or null if the processor or the build does not support it.
const Kernels* find_kernels(int width);

}  // namespace rigid

#endif
