// SPDX-License-Identifier: MIT
// Every tuned number of the engine, with its unit and its reason. Into how many pieces work is cut,
// which changes no result, stands beside the work.
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
// Error of the distance of a pair, as a share of its size: corners, centres and angles are floats,
// each with an error of 6e-8 of it, and a distance combines about ten of them.
constexpr float blur_of_looks = 2e-6f;
// How far (m) a bounding box is grown, so that a resting or slow body leaves the tree alone.
constexpr float aabb_margin = 0.1f;
// Depth (m) at which a resting contact stops pushing out.
constexpr float resting_depth = 0.0001f;
// The share of its overlap that a contact removes in a substep (twice that against what cannot
// move), and the share that it keeps of its impulse: a very stiff, overdamped spring. At 240
// substeps a second this is 45 Hz with a damping ratio of 4.3 (63 Hz and 6.3). Measured on stacks,
// pyramids and mass ratios: with less, stacks of 15 lean and 1:100 sinks in; with more, pyramids of
// 60 begin to shiver.
constexpr float contact_correction = 0.12f;
constexpr float contact_mass_scale = 0.92f;
// Fastest removal of overlap, and of the errors of joints solved at once, m/s (and rad/s).
constexpr float contact_push_speed = 3.0f;
// The share of its largest force that a motor which goes to a position trusts in for braking; the
// rest is for what it carries. All of it, and a motor with little to spare swings about its goal.
constexpr float braking_share = 0.5f;
// The share of its error that a rigid joint removes in a substep, and that of its impulse. Measured
// on a chain of 100 links under 100 times their weight and on a pendulum thrown to 143 degrees:
// larger values are more exact, and from about 0.95 long chains begin to swing on their own.
constexpr float joint_correction = 0.5f;
constexpr float joint_mass_scale = 0.85f;
// The give of a rigid row, as a share of the inverse masses (or inertias) of its bodies, had they
// that of the mechanism's heaviest: a chain yields to its load as if it was made of loads. At 240
// substeps a second a pin between two bodies is a spring of 1200 Hz: 100 links under 100 times
// their weight stretch by a ten thousandth, yet a straight rope bridge, which nothing rigid could
// hold, pulls with a finite force; and rows that say the same share their load. Ten times less made
// such bridges throw off what lay on them.
constexpr double joint_give = 1e-3;
// The same in sequential_impulse, whose steps are longer: a spring of about the same stiffness.
constexpr double joint_give_of_steps = 1e-4;
// Products of blocks (joint_system.h) that a step may spend on solving mechanisms at once: chains
// and trees of about 700 joints, 0.4 ms. Mechanisms are taken in the order of their joints.
constexpr long direct_joint_budget = 3000;
// The same where the scene asks for it.
constexpr long direct_joint_limit = 1000000;
// More passes in a substep over joints solved one by one, where there are stiff springs, long
// levers or racks among them.
constexpr int more_sweeps = 3;
// Springs are stiff in this sense from a rate (h w)^2 on. Measured on random chains, trees and
// loops.
constexpr double stiff_rate = 8;
// Levers are long in this sense from r^2 m / I on: that of a rod held at its ends is 3, of a box at
// its corners as well. Of 8000 random mechanisms of rigid joints none below 25 gained energy by the
// velocities that take out errors.
constexpr double long_lever = 25;
// Where it matters: of mechanisms of so many joints at most.
constexpr std::size_t few_joints = 12;
// Pins are calm in this sense up to this r^2 m / I, where no body is so many times as heavy as one
// beside it: of 4000 random mechanisms of such pins none gained energy. Grids of them are spared
// the account of what they gain.
constexpr double short_lever = 4;
constexpr float unlike_masses = 10;
// Passes over joints whose errors are removed by moving their bodies.
constexpr int apart_sweeps = 2;
// How far a substep may reach into the swing of a body between taut joints, (h w)^2: explicit
// steps are stable below 4, and neighbours may double it.
constexpr float most_tension = 1.0f;
// Times that a step is taken again because its joints pulled harder than expected.
constexpr int most_rehearsals = 2;
// A body of a mechanism that something so many times as heavy touches is shown to contacts as its
// joints hold it, and so many of them at most.
constexpr float heavy_touch = 3.0f;
constexpr int most_loaded = 100;
// The share of its inverse mass that a damped body keeps at least, so that floats have room for it.
constexpr float least_mobility = 1e-6f;
// Continuous collision, in shares of a shape's thickness (centroid to surface): the motion in a
// step beyond which its path is checked, and the depth in a wall beyond which it is clamped.
// Together they are below 1, so that its centroid stays outside.
constexpr float sweep_margin = 0.25f;
constexpr float allowed_depth = 0.5f;
// The corners of a smooth chain are rounded (geometry/track.h): an arc begins so long (s) before
// the corner, and so many substeps at least; and it keeps so near (m) to a concave one, and so near
// to a convex one.
constexpr float track_time = 0.05f;
constexpr float track_substeps = 2.0f;
constexpr float track_above = 0.5f * speculative_distance;
constexpr float track_below = 0.5f * linear_slop;
// Passes in a substep over what is led along chains in several places or held by joints besides.
constexpr int track_sweeps = 3;
// The share of its energy that something led along a chain may have lost to it and get back.
constexpr double track_spare = 0.01;
// A corner of a chain that stands out by more (m) between two corners of a shape has to be held off
// its face.
constexpr double track_bulge = 1e-5;
// A chain that comes as near (m) to itself crosses itself.
constexpr double crossing_gap = 1e-4;
// Shapes that move less far (m) than this in a step rest on a chain and need no track.
constexpr float track_motion = 0.1f * linear_slop;
// Slower impacts (m/s) do not bounce, so that things come to rest.
constexpr float restitution_threshold = 0.25f;
// In `sequential_impulse` the iterations of an impact that gives several bodies energy are done
// again until that is the same share of it within this, and so often at most.
constexpr double bounce_gain = 1e-4;
constexpr int bounce_rounds = 20;
// Impacts that are nearer to each other than this distance (m) are one: symmetric scenes
// are so but for rounding, and what comes later by more comes later.
constexpr float same_impact = 0.000003f;
// Sweeps of impacts in one substep (collision/impacts.cpp): `impact_sweeps` at most, or as many as
// take `impact_looks` looks at contacts. After `impact_sweeps_always` they end with the budget of
// hits, from which later sweeps of few impacts take nothing. A light ball between a wall and a ball
// a million times as heavy hits them 3000 times before the heavy ball turns round.
constexpr int impact_sweeps_always = 4, impact_sweeps = 40;
constexpr int few_impacts = 16, impact_budget = 1000;
constexpr int impact_looks = 400000;
// In `sequential_impulse` what approaches more slowly (m/s) than this is left to its iterations.
constexpr float slow_impact = 0.01f;
// There a body that joints hold bounces by itself if they take no more than this of what it gets,
// as a share of its square.
constexpr double free_blow = 1e-3;
// Most points that lie together on a body that was hit, and are relieved at once; and most contacts
// of a world in which that is done: among more of them the search would take too long.
constexpr int most_pressed = 32;
constexpr int most_settled = 128;
// Contacts of one problem of balls that are solved at once (collision/impact_problems.h): a rack of
// fifteen has 30. Normals and friction disturb each other less in each turn; so many turns at most,
// and done when no velocity along a normal is wrong by more than this share of the largest one
// wanted.
constexpr int most_in_problem = 64;
constexpr int most_impact_problem_rounds = 40;
constexpr double impact_problem_tolerance = 1e-11;
// The share of the speed below which nothing bounces that what arrives without a bounce hits with:
// slower, and it lies there already.
constexpr float arrival_share = 0.01f;
// A body slower than this (m/s, rad/s) in each step for sleep_time seconds may sleep.
constexpr float sleep_linear_speed = 0.05f;
constexpr float sleep_angular_speed = 0.05f;
constexpr float sleep_time = 0.5f;
// Checks of a body in this time. It is calm if its mean velocity between checks was below what its
// weight gives it in sleep_drift_time (s), and below sleep_drift (m/s), in calm_looks consecutive
// checks: a body that turns back then accelerates by less than a thousandth of its weight.
// Weightless bodies may drift at weightless_drift (m/s).
constexpr int sleep_looks = 5, calm_looks = 2;
constexpr float sleep_drift = 5e-4f;
constexpr double sleep_drift_time = 5e-5;
constexpr float weightless_drift = 1e-6f;
// The share of all these speeds that counts for a body held by joints, which can turn back or creep
// to where it belongs. By no more than this may any body become faster while it waits for its
// sleep: it has begun to slide or to fall.
constexpr float sleep_share = 0.1f;
// A body stands firmly if both points of a contact bear less friction than this share of the limit:
// it neither slides nor tips over, and trembles at most.
constexpr float firm_share = 0.98f;
// The turn of a body held by joints counts by what it moves its farthest point, but as if that was
// at least so far (m) away.
constexpr float sleep_lever = 1.0f;
// Steps between two searches for islands that may sleep.
constexpr int sleep_interval = 4;
// Farther (m) or faster (m/s, rad/s) than this a float has no room for a step's motion.
constexpr double runaway_distance = 1e7;
constexpr double runaway_speed = 1e7;

// Mechanisms solved at once (joint_system.h).
// A pivot this small beside its row's own inverse mass is rounding.
constexpr double dependent_pivot = 1e-9;
// The remaining share of a correction if the mechanism touches something.
constexpr double loaded_correction = 0.2;
// Times that the modes are revised for one solution, and of these in a row without fewer rows that
// leave theirs; after that rows that give too much are only released.
constexpr int most_revisions = 100, most_vain_revisions = 6;
// A drag this small beside a row's mass is none.
constexpr double least_drag = 1e-9;
// A motor that gave a smaller share of all it has than this has some to spare.
constexpr double spare_share = 0.999;
// The share of their give that held rows keep: a wall does not yield, and redundant rows still
// share their load.
constexpr double stiff_give = 1e-6;
// An excess of impulse is seen when it gives a row such a share of the fastest correction.
constexpr double seen_overload = 0.01;
// A row is at its limit when it is no farther from it than this share of what a correction does in
// a substep.
constexpr double seen_gap = 0.01;

// Heavy loads (effective_masses.h).
// A response below this share of a body's own does not move it.
constexpr float held_fast = 1e-6f;
// A motor that leaves less than this share of a response has taken the rest.
constexpr double taken_by_motor = 1e-3;
// Mechanisms that stand on light parts (contact_joint_problems.h): shown so many times as heavy at
// a contact as its bodies there are, with so many contacts at most, which are solved in so many
// passes at most; done when none changes a velocity by more than this share of what is wanted.
constexpr float heavy_problem = 3.0f;
constexpr int most_contact_joint_contacts = 32, most_contact_joint_passes = 200;
constexpr double contact_joint_tolerance = 1e-7;
// The cost of friction, as a share of its response. Stiff joints bear the grip that feet have on
// each other since they landed: this little slip soon releases it.
constexpr double contact_joint_creep = 1e-2;

// Allowed gain of energy of a mechanism (energy_account.h).
// Of the motion that there was: as much may be gained for a while, ...
constexpr double most_gain = 0.01;
// ... and so much of a loss be regained. The motion is forgotten within so many substeps.
constexpr double most_regain = 0.01;
constexpr double gain_memory = 1.0 / 256;
// Joints that are solved one by one give way to a weight by this share of the slop, and spring
// back.
constexpr double joint_depth = 0.1;

// An island may regain energy that it has lost (islands/conservation.h), up to a share of its
// motion and its weight times the height (m) by which contacts and joints give way and spring back.
constexpr double island_regain = 1;
constexpr double give_depth = 0.01;
// The height (m) that may be gained, since overlaps are pushed apart.
constexpr double lift_depth = 1e-4;
// The share of its motion that may be left unpaid.
constexpr double unpaid_share = 1e-3;
// An island that has so many times the energy that there was has no motion to be scaled.
constexpr double most_growth = 1e6;
// Times that a motion is scaled at most.
constexpr int brakings = 8;
// Sweeps over the joints of an island whose excess braking cannot take.
constexpr int projection_sweeps = 12;
// Times that the path of bodies is halved whose springs would store energy that nothing gave them;
// the last time they stay.
constexpr int way_halvings = 6;
// The largest motion of jointed bodies in a step, as a multiple of the one that energy explains.
constexpr double most_hurried = 2;
// Slower (m/s) than this nothing has energy that counts.
constexpr float lively_speed = 0.01f;
// A momentum that differs from what it has to be by a smaller share is only rounded.
constexpr double momentum_tolerance = 2.5e-7;

// Corners on chains (collision/track_corners.cpp).
// A corner is the place that touches if the chain's direction there lies by so much (sine) between
// those of the two faces beside it.
constexpr float least_corner_margin = 1e-4f;
// A face lies on what it touches in a direction no farther (cosine) from its own.
constexpr float flush_face = 0.99f;
// Corners beside such a one are led too, unless they point away by more.
constexpr float most_turned_corner = -0.3f;
// Chains that bend by less than this (tangent of half the angle) are flat.
constexpr double least_bend = 1e-5;

// Impacts of one instant (impact_group.h).
// More rows than this are left to the passes alone.
constexpr int most_direct_impacts = 32;
// Visits of rows in one group, beyond the few passes that any group gets.
constexpr int most_impact_visits = 4000, least_impact_passes = 8;
// Done when a pass changes no velocity by more than this share of the largest one wanted.
constexpr double impact_tolerance = 1e-8;
// The cost of an impulse, as a share of what its row gives way: of the impulses that give the same
// velocities the least are the cheapest, and they are alike where the blow is.
constexpr double impact_regularization = 1e-9;

// The search for a time of impact (encounter.h).
constexpr int most_advances = 1000;

// Continuous collision: times that a body is pushed out of walls, and lifted out of them, in one
// sweep; and rounds in which bullets are stopped.
constexpr int most_pushes = 3, most_lifts = 2;
constexpr int most_bullet_rounds = 3;
// A box swept by a body that turns by more (radian) in a step is that of its whole swing.
constexpr float widest_turn = 0.25f;

// Worlds of a batch that had to leave the lanes within so many steps, or could not stay there, are
// asked again after as many (batch/resident_group.h).
constexpr int steps_between_stays = 16;
// A world that is stepped alone stays for as many at least, and does so many at once.
constexpr int shortest_stay = 8, steps_at_once = 64;

}  // namespace rigid::constants

#endif
