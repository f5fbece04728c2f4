// SPDX-License-Identifier: MIT
// The interface between the world and the wide solver: plain functions over blocks of constraints.
//
// The arithmetic lives in contact_kernels.h, impulse_kernels.h and the files of joints, as
// templates over the number of lanes. It is compiled once for every instruction set
// (kernels_base.cpp, kernels_avx2.cpp, kernels_avx512.cpp); each leaves one table of functions, and
// the world picks a table at run time.
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
  float seconds;  // scene time units in a second
  float gravity_x, gravity_y;
  Softness contact, static_contact, joint;
  float
      servo_rate;  // 1 / the time that is left of the step: motors to a position arrive at its end
  float push_speed, turn_speed;  // most that a correction may do, lengths and radians
  float slop, resting_depth, speculative, restitution_threshold, same_impact;
  float slowest_impact;  // whose time is searched for (collision/impacts.h)
  // sequential_impulse only
  float correction_rate, allowed_penetration;  // rate is per time: correction_rate / dt
  float gravity_friction;  // |gravity| dt where friction is limited by it, else 0
  // Beyond this a joint's impulse in a step, times its arm, is too much for a body's inertia
  // (mechanisms/geometric_stiffness.h).
  float tension;
  float contact_margin;  // nearer points become contact points
  double joint_give;     // of joints solved at once, see joint_system_rows.cpp
  ImpulseClamp clamp;    // sequential_impulse only
  bool warm_start;
  bool explicit_springs;   // where substeps are short beside their swing
  bool pulls_in_substeps;  // attraction is evaluated in each substep
  bool whole_batches;      // heaps that touch nothing else may be solved for the step by themselves
  bool bounces_first;      // bounces come before all else, at the step's start and without damping
  bool accumulates;        // the accumulated impulses are the step's sums
  bool needs_overlap;      // contacts act where shapes overlap, and not ahead of time
  bool pushes_apart;       // overlap is pushed apart after the step, by no velocity of it
  bool operator==(const StepParameters&) const = default;
};

// The default spring of a mouse.
RIGID_INLINE Spring mouse_spring(const StepParameters& p) { return {1, 5.0f / p.seconds, 0.7f}; }

// Which parts of a step there is a need for, as preparing contacts finds out: whether any contact
// has restitution, and in sequential_impulse which stages there are.
struct ImpulseStages {
  std::atomic<bool> restitution{false}, bounce{false}, push{false};
  ImpulseStages() = default;
  ImpulseStages(const ImpulseStages&) {}  // they are found again
};

// How B falls as seen from A.
inline Vec2 relative_gravity(const StepParameters& p, const Body& a, const Body& b) {
  const float scale_a = a.kind == BodyKind::dynamic ? a.gravity_scale : 0.0f;
  const float scale_b = b.kind == BodyKind::dynamic ? b.gravity_scale : 0.0f;
  return {(scale_b - scale_a) * p.gravity_x, (scale_b - scale_a) * p.gravity_y};
}

struct KernelContext {
  BodyState* states;
  const InverseMass* masses;
  const Body* bodies;
  Contact* contacts;
  Joint* joints;
  const StepParameters* parameters;
  // Of impacts only: the number of the sweep, from 1, and for each body that of the last sweep
  // in which something hit it.
  const uint8_t* impact_marks = nullptr;
  uint8_t impact_sweep = 0;
  float least_rebound = 0;  // what would leave more slowly is no impact
  ImpulseStages* stages = nullptr;
  bool has_damping = false;  // any of the bodies
  // Without what a step makes of them, damping or taut joints (bodies/motion.h): those that
  // the frequencies of springs speak of.
  const InverseMass* own_masses = nullptr;
};

// A contact whose bodies meet within this substep, fast enough to bounce, or that lie on one
// another.
struct Impact {
  int contact, body_a, body_b;
  int place;       // of Impacts::impact_places_
  float when[2];   // the instants of its points, from the substep's start on; < 0: not that one
  float gap[2];    // between its points
  float approach;  // the speed of the faster one
  float margin;    // what is nearer in time than this is the same instant
  float* total_normal[2];  // the sums of what its points bear
  int to_tangent;          // from each of them to that along the tangent
};

// The constraints of one colour: no two of them move the same body.
struct Span {
  void* blocks;
  const int* ids;  // contacts or joints
  int count;       // of ids
  int block_count;
};

// Where a contact with a smooth chain has got to within the step (collision/chain_tracks.h).
struct TrackPlace {
  Vec2 normal;          // from A to B, world axes
  Vec2 from_a, from_b;  // from the centres of mass to the contact
  float gap;            // how far apart they are
  float aim;            // the velocity along the normal that keeps to the chain
  bool bounces;         // sequential_impulse: it hits the chain in this step
};

// The impulses of a contact's points on its bodies, in world axes about their centres of mass: an
// impulse on B, its opposite on A.
struct ContactPush {
  double x, y, turn_a, turn_b;
};

// Where the first point of a contact keeps its impulses: those of now, and its sums.
struct ContactSums {
  float *normal, *tangent, *total_normal, *total_tangent;
};

using Kernel = void (*)(const KernelContext&, const Span&, int begin, int end);
// Takes the contact `at` of a span where its track leads.
using FollowTrack = void (*)(const KernelContext&, const Span&, int at, const TrackPlace&);
// The impulses of contact `at` of a span so far: the accumulated ones, or those of impacts
// (`blows`).
using ReadPush = ContactPush (*)(const Span&, int at, bool blows);
// The sums of a point of the contact `at` of a span.
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
};

// Contact kernels that every solver has.
struct ContactKernels {
  size_t block_size;
  Kernel prepare, warm_start, store;
  FollowTrack follow;
  ReadPush read;
  FindSums sums;
  // Bounces: writes down which contacts hit, and returns how many. There must be room for all.
  FindImpacts find_impacts;
  // The same for contacts whose bodies lie on one another, or may within this substep.
  FindImpacts find_pressed;
};

struct Kernels {
  int width;
  ContactKernels soft, impulse;  // contact_kernels.h, impulse_kernels.h
  Kernel solve, relax;           // soft_step
  // sequential_impulse
  Kernel forget_blows, set_blows_aside, add_blows, bounce, rest, push;
  JointKernels joints[joint_graph_count];  // by JointKind, then pins
  // Substeps of as many worlds as the table is wide, none for one lane; whole steps; and the memory
  // for them.
  SolveSideBySide solve_side_by_side = nullptr;
  StepResidents step_residents = nullptr;
  std::size_t lane_memory = 0;
  // Manifolds of pairs of polygons (collision/polygon_kernels.h); none for one lane.
  void (*collide_boxes)(PolygonPairs<4>&) = nullptr;
  void (*collide_octagons)(PolygonPairs<8>&) = nullptr;
  void collide(PolygonPairs<4>& pairs) const { collide_boxes(pairs); }
  void collide(PolygonPairs<8>& pairs) const { collide_octagons(pairs); }
};

// The table for a width, or null where the processor or the build has none.
const Kernels* find_kernels(int width);

}  // namespace rigid

#endif
