// SPDX-License-Identifier: MIT
// All tuned numbers of the engine, each with its unit and its reason. The sizes of pieces of work,
// which change no result, are in the files of the work.
//
// Lengths are metres and times seconds; the world multiplies them by its length unit and by its
// time units per second, so a scene in pixels and milliseconds behaves alike.
#ifndef RIGID_ENGINE_DATA_CONSTANTS_H
#define RIGID_ENGINE_DATA_CONSTANTS_H

#include <cstddef>

namespace rigid::constants {

// The smallest length (m) that matters: tolerances are multiples of it.
constexpr float linear_slop = 0.005f;
// Points closer than this (m) become contact points before they touch; smaller makes stacks jitter.
constexpr float speculative_distance = 4.0f * linear_slop;
// Rounding error of the distance of a pair, as a share of its size: corners, centres and angles are
// floats, each with an error of 6e-8 of it, and a distance combines about ten of them.
constexpr float blur_of_looks = 2e-6f;
// A manifold of two points holds until its bodies have moved relative to one another by this share
// of the slop. Its points follow the motion, with an error of the square of it over their size
// (less than a float's rounding); its normal does not, with an error of the motion over the size.
constexpr float held_motion = 0.01f;
// Margin (m) of a bounding box, so that a resting or slow body causes no updates of the tree.
constexpr float aabb_margin = 0.1f;
// Depth (m) at which a resting contact stops pushing out.
constexpr float resting_depth = 0.0001f;
// The share of its overlap that a contact removes in a substep (twice that against a body that
// cannot move), and the share that it keeps of its impulse: a very stiff, overdamped spring. At 240
// substeps a second this is 45 Hz with a damping ratio of 4.3 (63 Hz and 2.6). Measured on stacks,
// pyramids and mass ratios: with less, stacks of 15 lean and 1:100 sinks in; with more, pyramids of
// 60 begin to shiver.
constexpr float contact_correction = 0.12f;
constexpr float contact_mass_scale = 0.92f;
// Largest speed of the removal of overlap, and of errors of directly solved joints, m/s (and
// rad/s).
constexpr float contact_push_speed = 3.0f;
// The share of its largest force that a servo motor plans for braking; the rest is for its load.
// With all of it, a motor with little reserve oscillates about its target.
constexpr float braking_share = 0.5f;
// The share of its error that a rigid joint removes in a substep, and the share that it keeps of
// its impulse. Measured on a chain of 100 links under 100 times their weight and on a pendulum
// thrown to 143 degrees: larger values are more exact, and from about 0.95 long chains begin to
// swing on their own.
constexpr float joint_correction = 0.5f;
constexpr float joint_mass_scale = 0.85f;
// The give of a rigid row, as a share of the inverse masses (or inertias) that its bodies would
// have with the mass of the mechanism's heaviest body: a chain yields to its load as if it
// consisted of loads. At 240 substeps a second a pin between two bodies is a spring of 1200 Hz: 100
// links under 100 times their weight stretch by a ten thousandth, yet a straight rope bridge, which
// nothing rigid could hold, pulls with a finite force; and dependent rows share their load. With a
// tenth of this give, such bridges threw off their load.
constexpr double joint_give = 1e-3;
// The same in sequential_impulse, whose steps are longer: a spring of about the same stiffness.
constexpr double joint_give_of_steps = 1e-4;
// Products of blocks (joint_system.h) that a step may spend on direct solutions of mechanisms:
// chains and trees of about 700 joints, 0.4 ms. Smaller mechanisms are selected first, and those of
// one size only together.
constexpr long direct_joint_budget = 3000;
// The same if the scene requires direct solutions.
constexpr long direct_joint_limit = 1000000;
// Additional passes in a substep over joints solved one by one, if they include stiff springs, long
// levers or racks.
constexpr int more_sweeps = 3;
// Springs are stiff in this sense from this rate (h w)^2. Measured on random chains, trees and
// loops.
constexpr double stiff_rate = 8;
// Levers are long in this sense from this r^2 m / I: a rod held at its ends has 3, a box held at
// its corners too. Of 8000 random mechanisms of rigid joints none below 25 gained energy by the
// velocities that remove errors.
constexpr double long_lever = 25;
// Long levers matter only in mechanisms of at most this many joints.
constexpr std::size_t few_joints = 12;
// Pins are calm in this sense up to this r^2 m / I, if no body is more than this many times as
// heavy as a neighbour: of 4000 random mechanisms of such pins none gained energy. Grids of them
// need no energy account in each substep.
constexpr double short_lever = 4;
constexpr float unlike_masses = 10;
// Passes over joints whose errors are removed by moving their bodies.
constexpr int apart_sweeps = 2;
// The largest (h w)^2 of the swing of a body between taut joints in a substep: explicit steps are
// stable below 4, and neighbours may double it.
constexpr float most_tension = 1.0f;
// The number of repetitions of a step whose joints pulled harder than expected.
constexpr int most_repeats = 2;
// Contacts use the effective mass of a body of a mechanism if a body this many times as heavy
// touches it; the largest number of such bodies.
constexpr float heavy_touch = 3.0f;
constexpr int most_loaded = 100;
// The least share of its inverse mass that a damped body keeps, so that floats can represent it.
constexpr float least_mobility = 1e-6f;
// Continuous collision, in shares of a shape's thickness (centroid to surface): the motion in a
// step beyond which its path is checked, and the depth in a wall beyond which it is clamped.
// Together they are below 1, so that its centroid stays outside.
constexpr float sweep_margin = 0.25f;
constexpr float allowed_depth = 0.5f;
// The corners of a smooth chain are rounded (geometry/track.h): an arc begins this long (s) before
// the corner, and at least this many substeps; and it keeps this near (m) to a concave corner, and
// this near to a convex one.
constexpr float track_time = 0.05f;
constexpr float track_substeps = 2.0f;
constexpr float track_above = 0.5f * speculative_distance;
constexpr float track_below = 0.5f * linear_slop;
// Passes in a substep over bodies with several tracks, or with tracks and joints.
constexpr int track_sweeps = 3;
// The share of its energy that a body may have lost to a chain track and regain.
constexpr double track_spare = 0.01;
// A corner of a chain that protrudes by more than this (m) between two corners of a shape is held
// off its face.
constexpr double track_bulge = 1e-5;
// A chain that comes this near (m) to itself crosses itself.
constexpr double crossing_gap = 1e-4;
// Shapes that move less than this (m) in a step rest on a chain and need no track.
constexpr float track_motion = 0.1f * linear_slop;
// Slower impacts (m/s) do not bounce, so that bodies come to rest.
constexpr float restitution_threshold = 0.25f;
// In `sequential_impulse` the iterations of an impact that adds energy to several bodies are
// repeated until the gain, as a share of the energy, changes by less than this, and at most this
// many times.
constexpr double bounce_gain = 1e-4;
constexpr int bounce_rounds = 20;
// Impacts nearer to each other than this distance (m) are simultaneous: those of symmetric scenes
// differ only by rounding; larger differences are real.
constexpr float same_impact = 0.000003f;
// Sweeps of impacts in one substep (collision/impacts.cpp): `impact_sweeps` at most, or as many as
// take `impact_looks` tests of contacts. After `impact_sweeps_always` they end with the budget of
// hits, which later sweeps of few impacts do not use. A light ball between a wall and a ball a
// million times as heavy hits them 3000 times before the heavy ball turns round.
constexpr int impact_sweeps_always = 4, impact_sweeps = 40;
constexpr int few_impacts = 16, impact_budget = 1000;
constexpr int impact_looks = 400000;
// In `sequential_impulse` impacts slower than this (m/s) are left to its iterations.
constexpr float slow_impact = 0.01f;
// Where nothing pulls bodies to their rest, impacts slower than this (m/s) do not bounce.
constexpr float weightless_impact = 1e-4f;
// In `sequential_impulse` a jointed body bounces freely if its joints remove at most this share of
// the squared change of velocity.
constexpr double free_blow = 1e-3;
// The largest number of touching points on a body that was hit whose approach is removed together;
// and the largest number of contacts of a world for this search, which would take too long among
// more.
constexpr int most_pressed = 32;
constexpr int most_settled = 128;
// Contacts of one impact problem of balls (collision/impact_problems.h): a rack of fifteen has 30.
// Normals and friction affect each other less in each round; at most this many rounds, until the
// error of every normal velocity is below this share of the largest target velocity.
constexpr int most_in_problem = 64;
constexpr int most_impact_problem_rounds = 40;
constexpr double impact_problem_tolerance = 1e-11;
// The approach speed of an impact without bounce, as a share of the threshold of restitution: a
// slower body already rests there.
constexpr float arrival_share = 0.01f;
// A body slower than this (m/s, rad/s) in each step for sleep_time seconds may sleep.
constexpr float sleep_linear_speed = 0.05f;
constexpr float sleep_angular_speed = 0.05f;
constexpr float sleep_time = 0.5f;
// Checks of a body in this time. It is calm if its mean velocity between checks was below the speed
// that its weight causes in sleep_drift_time (s), and below sleep_drift (m/s), in calm_looks
// consecutive checks: a body that reverses its motion then accelerates by less than a thousandth of
// its weight. Weightless bodies may drift at weightless_drift (m/s).
constexpr int sleep_looks = 5, calm_looks = 2;
constexpr float sleep_drift = 5e-4f;
constexpr double sleep_drift_time = 5e-5;
constexpr float weightless_drift = 1e-6f;
// The share of all these speeds for a body held by joints, which can swing back or creep to its
// place. A waiting body may not become faster by more than this: then it has begun to slide or to
// fall.
constexpr float sleep_share = 0.1f;
// A body rests firmly if both points of a contact bear less friction than this share of the limit:
// it neither slides nor tips over, and trembles at most.
constexpr float firm_share = 0.98f;
// The rotation of a body held by joints counts by the motion of its farthest point, taken to be at
// least this far (m) away.
constexpr float sleep_lever = 1.0f;
// Steps between two searches for islands that may sleep.
constexpr int sleep_interval = 4;
// Beyond this distance (m) or speed (m/s, rad/s) floats cannot represent a step's motion.
constexpr double runaway_distance = 1e7;
constexpr double runaway_speed = 1e7;

// Directly solved mechanisms (joint_system.h).
// A pivot smaller than this share of its row's own inverse mass is rounding.
constexpr double dependent_pivot = 1e-9;
// The remaining share of a correction if the mechanism has contacts.
constexpr double touched_correction = 0.2;
// The number of revisions of the modes in one solution, and of consecutive ones that do not reduce
// the number of rows to change; after that rows with too large an impulse are only released.
constexpr int most_revisions = 100, most_vain_revisions = 6;
// A drag smaller than this share of a row's mass is ignored.
constexpr double least_drag = 1e-9;
// A motor below this share of its maximum has reserve.
constexpr double spare_share = 0.999;
// The share of their give that held rows keep: a wall does not yield, and redundant rows still
// share their load.
constexpr double stiff_give = 1e-6;
// An excess of impulse counts if it gives a row this share of the fastest correction.
constexpr double seen_overload = 0.01;
// A row is at its limit if its distance is at most this share of a correction in a substep.
constexpr double seen_gap = 0.01;

// Effective masses (effective_masses.h).
// A response below this share of a body's own counts as none.
constexpr float held_fast = 1e-6f;
// A motor that leaves less than this share of a response has removed it.
constexpr double taken_by_motor = 1e-3;
// Contact-joint problems (contact_joint_problems.h): the least ratio of effective mass to body mass
// at a contact; the largest number of contacts and of passes; passes end when none changes a
// velocity by more than this share of the targets.
constexpr float heavy_problem = 3.0f;
constexpr int most_contact_joint_contacts = 32, most_contact_joint_passes = 200;
constexpr double contact_joint_tolerance = 1e-7;
// The cost of friction, as a share of its response. Stiff joints keep the opposing grip of feet
// from their landing: this small slip soon releases it.
constexpr double contact_joint_creep = 1e-2;

// The allowed gain of energy of a mechanism (energy_account.h).
// A gain up to this share of its motion is allowed for a while, ...
constexpr double most_gain = 0.01;
// ... and of a loss, this share may be regained. The reference decays by this share per substep.
constexpr double most_regain = 0.01;
constexpr double gain_memory = 1.0 / 256;
// Joints that are solved one by one yield to a weight by this share of the slop, and spring back.
constexpr double joint_depth = 0.1;

// An island may regain energy that it has lost (islands/conservation.h), up to this share of its
// motion, plus its weight times the height (m) by which contacts and joints yield and spring back.
constexpr double island_regain = 1;
constexpr double give_depth = 0.01;
// The height (m) that may be gained from the removal of overlaps.
constexpr double lift_depth = 1e-4;
// The largest acceleration of a body in smooth motion, in multiples of that by its weight: larger
// changes of velocity are blows.
constexpr double smooth_pulls = 4;
// The share of its motion that may remain as an excess.
constexpr double unpaid_share = 1e-3;
// An island with this many times the energy before has no sensible motion to scale.
constexpr double most_growth = 1e6;
// The largest number of scalings of a motion.
constexpr int brakings = 8;
// Sweeps over the joints of an island whose excess cannot be removed by braking.
constexpr int projection_sweeps = 12;
// The number of halvings of the path of bodies whose springs would store energy without work; after
// the last one they stay.
constexpr int way_halvings = 6;
// The largest motion of jointed bodies in a step, as a multiple of the motion that their energy
// explains.
constexpr double most_hurried = 2;
// Bodies slower than this (m/s) have no energy that counts.
constexpr float lively_speed = 0.01f;
// A momentum that differs from its target by a smaller share is only rounded.
constexpr double momentum_tolerance = 2.5e-7;
// Likewise for both momenta of jointed bodies: anchors that are apart take a little of the angular
// one in every step, and always to one side, and links round what they pass on.
constexpr double spin_tolerance = 5e-8;

// Corners on chains (collision/track_corners.cpp).
// A corner is the touching place if the chain's direction there is at least this far (sine) between
// those of the two adjacent faces.
constexpr float least_corner_margin = 1e-4f;
// A face rests on a chain if their directions differ by no more than this (cosine).
constexpr float flush_face = 0.99f;
// Corners next to such a corner get tracks too, unless they point away by more than this.
constexpr float most_turned_corner = -0.3f;
// Chains that bend by less than this (tangent of half the angle) are flat.
constexpr double least_bend = 1e-5;

// Impacts of one instant (impact_group.h).
// The largest number of rows that are solved directly; more are left to the passes.
constexpr int most_direct_impacts = 32;
// Visits of rows in one group, in addition to the few passes that any group gets.
constexpr int most_impact_visits = 4000, least_impact_passes = 8;
// Passes end when none changes a velocity by more than this share of the largest target velocity.
constexpr double impact_tolerance = 1e-8;
// The cost of an impulse, as a share of its row's response: among impulses with equal velocities
// the smallest ones have the least cost, and they are symmetric if the blow is.
constexpr double impact_regularization = 1e-9;

// The search for a time of impact (encounter.h).
constexpr int most_advances = 1000;

// Continuous collision: how often a body is pushed out of walls, and lifted out of them, in one
// sweep; and the rounds in which bullets are stopped.
constexpr int most_pushes = 3, most_lifts = 2;
constexpr int most_bullet_rounds = 3;
// If a body turns by more than this (radian) in a step, its swept box covers its whole circle.
constexpr float widest_turn = 0.25f;

// Worlds of a batch that left the lanes within this many steps, or could not stay there, are tested
// again after as many (batch/resident_group.h).
constexpr int steps_between_stays = 16;
// A world that is stepped alone enters a lane for at least this many steps, or after so many steps
// of calls between which it was not changed, and takes up to this many in one go.
constexpr int shortest_stay = 8, calm_steps = 2, steps_at_once = 64;

}  // namespace rigid::constants

#endif
