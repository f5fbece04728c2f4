// The world: bodies, shapes, contacts and joints, and what one step does to them.
//
//   world.cpp           building, masses
//   world_births.cpp    what comes and goes while it runs
//   world_contacts.cpp  broad and narrow phase
//   world_solve.cpp     one step: forces, soft_step, motion
//   world_impacts.cpp   bounces of soft_step
//   world_impulse.cpp   sequential_impulse
//   world_continuous.cpp  what is fast does not pass what is thin
//   world_crossings.cpp  which branch of a chain that crosses itself a body is on
//   world_tracks.cpp, world_track_corners.cpp  what slides or rolls along a chain
//   world_tension.cpp   light bodies between taut joints
//   world_lending.cpp   heavy loads on what mechanisms and motors hold
//   world_iterative.cpp mechanisms whose joints are solved one by one
//   world_breaks.cpp    joints that break, and how hard bars are pushed and pulled
//   world_sleep.cpp     islands, sleeping and waking
//   world_state.cpp     reading and setting state while running
//   world_queries.cpp   rays and overlaps
//   channels.cpp        what can be recorded
//   state/              saving, restoring and forking
//
// Order is everything here: pairs are found in parallel but made in the order of their shapes, and
// whatever changes the world runs on one thread in a fixed order. Same calls, same bits.
#ifndef RIGID_ENGINE_WORLD_H
#define RIGID_ENGINE_WORLD_H

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/broadphase/pair_set.h"
#include "engine/broadphase/tree.h"
#include "engine/contacts/encounter.h"
#include "engine/contacts/separations.h"
#include "engine/islands/graph.h"
#include "engine/mechanisms/iterative_energy.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/parallel/shared_array.h"
#include "engine/parallel/thread_pool.h"
#include "engine/rows.h"
#include "engine/slots.h"
#include "engine/solvers/kernels.h"
#include "engine/state.h"
#include "geometry/track.h"

namespace rigid {

struct ImpactRow;

enum class SolverKind { soft_step, sequential_impulse };
// How rigid joints are solved: mechanisms at once while they are cheap, always, or one by one.
enum class JointSolver { automatic, direct, iterative };
enum class Mixing { min, max, mean, product, geometric_mean };

struct WorldDefinition {
  double gravity_x = 0, gravity_y = -9.81, dt = 1.0 / 60;
  SolverKind solver = SolverKind::soft_step;
  int substeps = 4, iterations = 10;
  JointSolver joints = JointSolver::automatic;
  bool warm_start = true, position_correction = true;
  double correction_rate = 0.2, allowed_penetration = 0.01;
  bool gravity_friction = false;
  ImpulseClamp clamp = ImpulseClamp::accumulated;
  ExternalForce external_force = ExternalForce::between;
  double length_unit = 1, time_per_second = 1;
  bool sleep = true;
  Mixing friction_mixing = Mixing::geometric_mean, restitution_mixing = Mixing::max;
  bool has_bounds = false;
  double bounds[4] = {0, 0, 0, 0};
  bool freeze_on_error = false;
  int max_pairs = 1000000;
  int threads = 1, lanes = 0;
};

// What a body was like when a step found that it cannot go on.
struct StepError {
  EventKind kind;
  int body, step;
  double x, y, vx, vy, omega;
};

struct RayHit {
  int body, shape;
  float fraction;
  double x, y;
  Vec2 normal;
};

struct NewBody {
  Body body;
  double vx = 0, vy = 0, omega = 0;
  bool awake = true;
};

struct BodyPoint {
  int body = 0;
  double x = 0, y = 0;  // body coordinates
};

struct Timings {
  double pairs = 0, narrow = 0, prepare = 0, solve = 0, finish = 0, sleep = 0;
};

struct ForceSource {
  ForceKind kind = ForceKind::thruster;
  int body = 0;
  bool at_center = false, enabled = true, alive = true;
  double at_x = 0, at_y = 0;  // body coordinates
  float x = 0, y = 0, torque = 0;
  double start = 0, until = 0;  // scene time

  // Whether it acts in a step of `dt` that begins at `now`; an impulse acts once, from its start
  // on.
  bool acts(double now, double dt) const {
    const double close = 1e-9 * dt;
    return now >= start - close && (kind == ForceKind::impulse || now < until - close);
  }
};

// The two ends of a slender body, in body coordinates.
struct Bar {
  int body;
  double left_x, left_y, right_x, right_y;
};

// Memory for a step's constraints, which is not kept from one step to the next.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) {}
  // At least so many bytes; what was there is gone.
  std::byte* reserve(std::size_t size) {
    if (size > size_) {
      size_ = size + size / 2;
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_);
    }
    return bytes_.get();
  }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

class World {
 public:
  explicit World(const WorldDefinition& definition);

  // Building. Values are checked by the caller (bind/read_rows.cpp). Each returns a slot.
  int add_body(const NewBody& body, Place place = Place::end);
  int add_shape(const WorldShape& shape, const double* points, Place place = Place::end);
  int add_joint(const Joint& joint, Place place = Place::end);
  int add_point(const BodyPoint& point, Place place = Place::end);
  int add_force(const ForceSource& source, Place place = Place::end);
  void set_force(int index, float x, float y, float torque, bool enabled);
  void add_bar(const Bar& bar);
  void set_collision_matrix(std::vector<uint64_t> rows) { matrix_ = std::move(rows); }
  void ignore_pair(int a, int b);
  void finish();

  // Births and deaths. What a body has (shapes, joints, forces, points) goes with it, and their
  // slots with them.
  void remove_body(int body);
  void remove_joint(int joint);
  void remove_force(int force);
  // What is there now keeps its slots for good.
  void keep_slots();
  std::vector<int> next_bodies(int count) const { return body_slots_.next(count); }
  int64_t body_id(int slot) const { return body_slots_.id(slot); }
  int64_t joint_id(int slot) const { return joint_slots_.id(slot); }
  // The slot of an id, or -1 where what had it is gone.
  int find_body(int64_t id) const {
    const int slot = body_slots_.find(id);
    return slot >= 0 && alive_[slot] ? slot : -1;
  }
  int find_joint(int64_t id) const {
    const int slot = joint_slots_.find(id);
    return slot >= 0 && joints_[slot].alive ? slot : -1;
  }
  // How many bodies and joints have gone so far.
  int64_t removals() const { return removals_; }

  // What the watch throws between two steps leaves the world as the step before left it, to be
  // stepped on; thrown within a step it leaves the world unusable.
  int step(int steps, Watch* watch = nullptr);

  // All that decides the future, as bytes: the same for the same state. What restores them goes on
  // as the one that saved them would have, bit for bit, for any number of threads and lanes.
  std::vector<std::byte> save();
  // Throws std::invalid_argument for what a world of this definition has not saved; the world is
  // then as it was.
  void restore(std::span<const std::byte> bytes);
  // A second world in the same state.
  std::unique_ptr<World> fork();

  // Steps, and after each `every`-th samples the channels (see channels.h) into a row of `out`.
  int run(int steps, int every, std::span<const int32_t> codes, double* out, int rows,
          Watch* watch = nullptr);

  // State
  int body_count() const { return static_cast<int>(bodies_.size()); }
  int shape_count() const { return static_cast<int>(shapes_.size()); }
  int joint_count() const { return static_cast<int>(joints_.size()); }
  int force_count() const { return static_cast<int>(forces_.size()); }
  const std::vector<ForceSource>& forces() const { return forces_; }
  int point_count() const { return static_cast<int>(points_.size()); }
  const std::vector<BodyPoint>& points() const { return points_; }
  int step_count() const { return step_count_; }
  double time() const { return step_count_ * definition_.dt; }
  bool has_error() const { return has_error_; }
  const StepError& error() const { return error_; }
  // Of the bodies that were taken out for theirs, since the last call.
  std::vector<StepError> take_errors() { return std::exchange(errors_, {}); }
  const WorldDefinition& definition() const { return definition_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<WorldShape>& shapes() const { return shapes_; }
  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<Contact>& contact_list() const { return contacts_; }
  const SharedArray<double>& x() const { return x_; }
  const SharedArray<double>& y() const { return y_; }
  const SharedArray<double>& angle() const { return angle_; }
  const SharedArray<BodyState>& states() const { return states_; }
  const SharedArray<float>& mass() const { return mass_; }
  const SharedArray<float>& inertia() const { return inertia_; }
  const SharedArray<uint8_t>& awake() const { return awake_; }
  const SharedArray<uint8_t>& alive() const { return alive_; }

  void set_pose(int body, double x, double y, double angle);
  void set_velocity(int body, float vx, float vy, float omega);
  void apply_force(int body, Vec2 force, double px, double py);
  void apply_torque(int body, float torque);
  void apply_impulse(int body, Vec2 impulse, double px, double py);
  void apply_angular_impulse(int body, float impulse);
  void set_awake(int body, bool awake);
  void set_motor(int joint, float target, float maximum);
  void set_spring(int joint, const Spring& spring);
  void set_limits(int joint, float lower, float upper);
  void set_joint_target(int joint, double x, double y);
  JointStateRow joint_state(int joint) const;
  // Whether a joint bore what it says in the last step, at whose end it may have broken.
  bool acted(const Joint& joint) const {
    return joint.alive && (!joint.broken || joint.broken_at == step_count_);
  }
  std::vector<double> push_pulls() const;  // of all bars
  // The bar that a body is, or -1.
  int bar_of(int body) const {
    return body < static_cast<int>(bar_of_.size()) ? bar_of_[body] : -1;
  }
  std::vector<EventRow> take_events() { return std::exchange(events_, {}); }
  void enable_contact_events(bool enabled);
  void energy(double& kinetic, double& potential) const;
  uint64_t state_hash() const;
  std::vector<int> touching_contacts() const;  // in the order of their shapes
  int graph_colors() const { return contact_graph_.used_colors(); }
  int constraint_count() const { return contact_graph_.size(); }
  int awake_count() const { return static_cast<int>(awake_bodies_.size()); }
  int width() const { return kernels_->width; }
  const Timings& timings() const { return timings_; }

  // Queries. `mask` has a bit for each category. First what the steps have left out.
  void refresh_queries();
  bool ray_cast(double ox, double oy, double tx, double ty, uint64_t mask, RayHit& hit) const;
  std::vector<std::pair<int, int>> overlap_shape(const Shape& shape, double x, double y,
                                                 uint64_t mask) const;

 private:
  World(const World&) = default;

  // state/world_archive.cpp
  template <class Archive>
  void list(Archive& archive);
  template <class Archive>
  void list_definition(Archive& archive);
  template <class Archive>
  void list_systems(Archive& archive);
  void read(std::span<const std::byte> bytes);
  void check_bodies() const;
  void check_shapes() const;
  void check_contacts() const;
  void check_joints() const;

  // world.cpp
  void compute_mass(int body);
  Shape view(const WorldShape& shape) const;
  void create_proxy(int shape);
  void destroy_proxy(int shape);
  bool movable(int body) const { return bodies_[body].kind == BodyKind::dynamic; }
  uint64_t joined_key(int a, int b) const;
  void regroup_joint(int joint);

  // world_births.cpp
  void unlink_joint(int joint);
  void remove_shape(int shape);
  void remove_bar(int body);
  void remove_tracks(int body);
  void remove_links(int body);

  // world_contacts.cpp
  struct Found {
    int a, b;  // shapes, a < b
  };
  bool update_pairs();
  bool stop_crowded();
  StepError error_of(EventKind kind, int body) const;
  bool should_collide(const WorldShape& a, const WorldShape& b) const;
  int create_contact(int shape_a, int shape_b);
  void destroy_contact(int contact);
  void destroy_contacts_of(const std::vector<uint8_t>& bodies);
  void update_contacts();
  bool update_contact(int contact);  // true when a change must be dealt with
  bool stays_apart(int contact);
  void note_separation(int contact, float separation, float margin);
  void insert_constraint(int contact);
  void remove_constraint(int contact);
  Aabb shape_box(const WorldShape& shape) const;
  static constexpr float widest_turn = 0.25f;  // in a step, so that a swept box is that of a swing
  Aabb swept_box(const WorldShape& shape, const Aabb& now) const;
  Aabb way_box(const WorldShape& shape, const Motion& motion) const;
  void refresh_proxy(int shape);
  void refresh_proxies(int body);
  void expect_way(int body);
  void set_count(int contact, int count);
  void report_touching();
  void set_touching(Contact& contact, bool touching, int step);
  void tell_touching(bool sensors_only = false);

  // world_continuous.cpp
  Motion free_motion(int body) const;
  float brushing_depth(const Contact& contact) const;
  bool sweep(const Contact& contact, Vec2 between, struct Manifold& manifold, Vec2& gap) const;
  bool brushes(const Contact& contact, Vec2 between, const struct Manifold& manifold) const;
  enum Mark : uint8_t { wall_near = 1, wall_comes = 2 };
  void mark_walls(const Contact& contact, Vec2 between);
  void mark_near(int body, uint8_t mark = wall_near);
  bool approached(int body) const { return (near_walls_[body] & wall_comes) != 0; }
  void hold_back(int body, float time);
  void slow_down(int body, Vec2 shift, Vec2 arm);
  bool keeps_its_boxes(int body, const Motion& motion, float time) const;
  Traveller traveller(const WorldShape& shape, const Motion& motion) const;
  Motion wall_way(int body, float from, float to) const;
  void meet(const WorldShape& wall, const Motion& still, const WorldShape& shape,
            const Motion& motion, float least, Obstacle& first) const;
  Obstacle find_obstacle(int body, const Motion& motion, float from, float to, bool moving) const;
  void set_way_end(int body, const Motion& motion, float time);
  Motion last_way(int body) const;
  Obstacle find_target(int body, const Motion& motion);
  void stop_bullets(float time);

  // world_crossings.cpp
  struct Strand {
    int body, link;  // the chain's link where it is
    bool lent;       // that of a body to which it is jointed, for this step
    template <class Archive>
    void list(Archive& a);
  };
  const Strand* strand_of(std::span<const Strand> among, int body, int chain) const;
  void sort_strands();
  bool goes_through(int body, const WorldShape& line) const;
  void follow_strands();
  void lend_strands();
  void pass_crossings();
  void enter_crossings();
  void note_strands();

  // world_tracks.cpp
  struct ChainTrack {
    int contact;           // that stands for all with this line
    int shape, vertex;     // a circle, or a shape and the corner of it
    bool face;             // not the corner, but the face that begins there
    int chain;             // the chain's body
    int start_link, link;  // where the step began, and now
    Rounding rounding;
    bool alone;     // nothing else holds the body
    double energy;  // of its motion where the step began
    double spare;   // that the chain has taken from it
    double range;   // so far along the chain no other contact is needed in this step
    float normal_impulse, tangent_impulse, rolling_impulse;  // at the step's end
    TrackPlace place;
    template <class Archive>
    void list(Archive& a);
  };
  struct Sight;
  void link_chains(int body);
  bool is_smooth_chain(const Contact& contact) const;
  void form_tracks();
  int line_of(const Contact& contact) const;
  int rider_of(const Contact& contact) const {
    return contact.shape_a + contact.shape_b - line_of(contact);
  }
  void lead_along(std::vector<int> contacts, const std::vector<ChainTrack>& before);
  void take_over(const ChainTrack& track, const ChainTrack& old);
  std::vector<int> passed_links(const ChainTrack& track) const;
  void drop_others(const std::vector<int>& contacts, const std::vector<int>& passed,
                   const ChainTrack& track);
  Sight sight(const ChainTrack& track) const;
  bool start_track(int contact, int vertex, int link, ChainTrack& track) const;
  void locate_track(ChainTrack& track) const;
  void aim_track(ChainTrack& track) const;
  void level_track(ChainTrack& track) const;
  void for_tracks(void (World::*task)(ChainTrack&) const);
  void start_tracks();
  void finish_tracks();
  void settle_tracks();
  double kinetic_energy(int body) const;
  void keep_energy(ChainTrack& track);
  void note_coupled_tracks();
  void aim_tracks() { for_tracks(&World::aim_track); }
  void follow_tracks() { for_tracks(&World::locate_track); }

  // world_track_corners.cpp
  void lead_corners(std::vector<int> contacts, const std::vector<ChainTrack>& before);
  std::vector<ChainTrack> find_corners(const std::vector<int>& contacts) const;
  float corner_leeway(const WorldShape& shape, int vertex, Vec2 into) const;
  bool find_between(const ChainTrack& first, const ChainTrack& second,
                    std::vector<int>& links) const;
  bool is_pierced(const std::vector<int>& contacts, const std::vector<ChainTrack>& corners) const;
  bool find_face(const std::vector<int>& contacts, ChainTrack& track) const;
  bool locate_face(ChainTrack& track) const;
  void aim_face(ChainTrack& track) const;
  bool face_at(const ChainTrack& track, const Sight& seen, TrackPoint& point, Double2& place) const;
  int find_stand_in(const ChainTrack& track, const std::vector<int>& contacts,
                    const std::vector<int>& taken);
  void stand_on_corner(ChainTrack& track, const std::vector<ChainTrack>& before,
                       std::vector<ContactPoint>& borne);

  // world_solve.cpp
  bool step_once();
  void set_parameters();
  void make_spans();
  void apply_forces();
  void prepare_bodies();
  void integrate_velocities(float h);
  void integrate_positions(float h, float time);
  KernelContext kernel_context();
  bool stiffen();
  KernelContext contact_context();
  // world_lending.cpp
  struct Response {
    double of[3][3];
  };
  void add_driver(const std::vector<int>& mechanism, const KernelContext& context, long& budget);
  void store_systems();
  bool find_overloads();
  void keep_impulses();
  void restore_impulses();
  JointSystem* bearer_of(int body);
  bool is_driven(int body);
  bool is_held(int body);
  bool presses(const Contact& contact) const;
  std::vector<int> find_borrowers();
  std::vector<Response> find_responses(const std::vector<int>& bodies, JointSystem::Held held);
  std::vector<const JointSystem*> find_blocked(const std::vector<int>& bodies,
                                               const std::vector<Response>& driven);
  void lend();
  // Which impulses of contacts a stage puts on the bodies: none, all that they hold, what these
  // change by, or those of blows.
  enum class Share { none, all, change, blows };
  ContactPush push_of(const Contact& contact, Share share) const;
  void note_lent(Share share);
  void collect_pushes(Share share);
  void settle_lent();
  void prepare_step();
  void solve_step();
  void stiffen_by(const Joint& joint);
  void prepare_systems();
  void soft_step();
  void finish_bodies();
  void count_rest(int index);
  void update_proxies();
  void break_joints();
  void apply_bounds();
  bool check_errors();
  template <class Task>
  void for_bodies(Task&& task);
  void run_contacts(Kernel wide, Kernel single, Share share);
  void run_joints(Kernel JointKernels::* stage);
  // How many constraints make one piece of work, and how many blocks of them.
  static constexpr int constraint_piece = 256;
  int constraint_grain() const { return std::max(1, constraint_piece / kernels_->width); }
  void make_systems();
  std::vector<double> find_spring_rates(const std::vector<int>& members) const;
  bool add_system(const std::vector<int>& mechanism, const KernelContext& context, long& budget);
  template <class Task>
  void for_systems(Task&& task);

  // world_iterative.cpp
  struct IterativeMechanism {
    std::vector<int> joints, bodies;
    bool apart = false;   // its errors are taken out by moving its bodies
    bool shared = false;  // it begins with a share of its impulses
    bool coarse = false;  // its energy is looked at once a step
    IterativeEnergy energy;
  };
  void add_iterative(const std::vector<int>& joints, double rate);
  double best_share(const IterativeMechanism& mechanism) const;
  void warm_start_joints();
  void correct(const Joint& joint, double share);
  void correct_apart();
  void open_step_accounts();
  void keep_step_energies();
  void open_accounts();
  void note_forces();
  void keep_energies();

  // world_impulse.cpp
  void sequential_impulse();
  void bounce();
  double bounce_gain() const;
  void move_and_push(float h);
  void turn_along_tracks();

  // world_impacts.cpp
  void run_impacts();
  void find_impacts(const KernelContext& context, FindImpacts Kernels::* kernel);
  void group_impacts(int sweep);
  bool group_pressed();
  void sort_groups(std::vector<int>& parents);
  bool solve_groups(const KernelContext& context);
  struct Blow;
  void move_back(const ImpactRow& row, float when, const Blow& blow);
  bool solve_impacts(const KernelContext& context, int first, int last, Blow& blow);
  void place_impact(const Contact& contact, int point, float when, Vec2& ra, Vec2& rb) const;
  bool is_corner(const WorldShape& shape, Vec2 from_center) const;

  // world_sleep.cpp
  void wake_body(int body);
  void apply_wakes();
  void collect_awake();
  void put_to_sleep();
  bool is_active(const Contact& contact) const;
  void activate_joint(int joint);
  void deactivate_joint(int joint);

  WorldDefinition definition_;
  const Kernels* kernels_;
  const Kernels* single_;
  ThreadPool pool_;

  // bodies
  std::vector<Body> bodies_;
  std::vector<InverseMass> masses_;
  std::vector<InverseMass> heavy_masses_;  // between taut joints, see stiffen
  std::vector<InverseMass> step_masses_;   // as the solver takes them, see prepare_bodies
  std::vector<BodyStep> body_steps_;
  std::vector<uint8_t> near_walls_;  // see mark_walls
  struct WayStart {
    Vec2 shift{0, 0};
    float angle = 0;
  };
  std::vector<WayStart> way_starts_;  // of the substep, where there are bullets
  bool has_bullets_ = false;
  SharedArray<BodyState> states_;
  SharedArray<double> x_, y_, angle_;
  SharedArray<float> mass_, inertia_;
  SharedArray<uint8_t> awake_, alive_;
  std::vector<int> awake_bodies_;
  bool awake_dirty_ = true;
  std::vector<int> unfinished_;  // bodies whose masses and boxes are to be made
  Slots body_slots_, shape_slots_, joint_slots_, force_slots_, point_slots_;
  Runs vertex_runs_;
  int64_t removals_ = 0;

  // shapes
  std::vector<WorldShape> shapes_;
  std::vector<double> given_points_;  // body coordinates, x y
  std::vector<Vec2> vertices_, normals_;
  std::vector<std::vector<int>> body_shapes_;
  Tree fixed_tree_, moving_tree_, kinematic_tree_;  // kinematic ones are in two trees
  std::vector<int> moved_;                          // shapes whose fat box is new
  std::vector<uint8_t> moved_flag_;
  // Impacts of one sweep (world_impacts.cpp), and what is known of bodies meanwhile.
  std::vector<Impact> impacts_, found_impacts_;
  std::vector<uint8_t> impact_marks_;
  struct Hit {
    float when = std::numeric_limits<float>::infinity();  // the first instant at which it is hit
    int impact = -1;                                      // one that hits it then
    int member = -1;                                      // of its group
  };
  std::vector<Hit> hits_;
  std::vector<int> impact_order_, group_starts_;  // impacts by group
  std::vector<uint64_t> matrix_;
  uint64_t categories_in_use_ = 0;

  // contacts
  std::vector<Contact> contacts_;
  std::vector<int> free_contacts_;
  PairSet pairs_, ignored_;
  std::unordered_map<uint64_t, int> joined_;  // joints without collide, by pair of bodies
  std::vector<int> active_contacts_;
  bool contacts_dirty_ = true;
  bool stale_ = false;  // boxes of shapes that touch nobody
  std::vector<uint8_t> changed_;
  Separations separations_;
  Graph contact_graph_;
  std::vector<ChainLink> links_;  // of chains that bend smoothly, in body coordinates
  std::vector<ChainCrossing> crossings_;
  std::vector<Strand> strands_;  // by body and chain, of chains that cross themselves
  std::vector<ChainTrack> tracks_;
  std::vector<int> line_of_link_;  // the shape
  // Of shapes with corners beside chains, in order: contacts that hold nothing.
  using IdleContact = std::pair<std::pair<int, int>, int>;  // shape and chain's body, contact
  std::vector<IdleContact> idle_contacts_;
  bool coupled_tracks_ = false;  // whether what is led is held elsewhere too

  // joints
  std::vector<Joint> joints_;
  Graph joint_graphs_[joint_graph_count];
  std::vector<int> breakable_;  // joints that may break
  std::vector<JointSystem> systems_;
  std::vector<int> system_of_;  // of each body, or -1
  // Mechanisms with motors without a maximum whose joints are solved one by one
  // (world_lending.cpp).
  std::vector<JointSystem> drivers_;
  std::vector<int> driver_of_;  // of each body, or -1
  // A body that contacts see as its mechanism holds it.
  struct Lent {
    int body;
    InverseMass own;
    JointSystem* bearer;  // of its loads, where motors or limits hold it, or null
    BodyState before;
    JointSystem::Load load;
    void add(double x, double y, double turn) {
      load.x += x;
      load.y += y;
      load.turn += turn;
    }
  };
  struct LentContact {
    int contact, a, b;  // in lent_, or -1
    ContactPush before;
  };
  std::vector<Lent> lent_;
  struct KeptImpulses {
    float rolling, normal[2], tangent[2];
  };
  std::vector<KeptImpulses> kept_impulses_;  // of active contacts, at the step's start
  std::vector<Joint> kept_joints_;
  std::vector<LentContact> lent_contacts_;
  std::vector<int> lent_of_;                 // of each body, while any are lent, or -1
  std::vector<InverseMass> contact_masses_;  // of all bodies, while any are lent
  std::vector<float> heaviest_touch_;        // of each body: the inverse mass of what touches it
  bool stiffened_ = false;                   // heavy_masses_ are not masses_
  struct TensionStiffness {
    double linear, angular;  // force per length, torque per radian
  };
  std::vector<BodyState> before_;
  std::vector<TensionStiffness> stiffness_;  // of bodies between taut joints
  bool systems_dirty_ = true, more_sweeps_ = false;
  std::vector<IterativeMechanism> iterative_;
  std::vector<BodyPoint> points_;
  std::vector<ForceSource> forces_;
  std::vector<Bar> bars_;
  std::vector<int> bar_of_;  // of each body, or -1

  // step
  StepParameters parameters_{};
  ImpulseStages stages_;
  std::vector<BodyState> kept_;  // see bounce and move_and_push
  struct ColorSpan {
    Span span;
    bool single;
  };
  std::vector<ColorSpan> contact_spans_;
  std::vector<int> lane_joints_;  // by graph and colour: those that no system solves
  int span_of_color_[Graph::color_count + 1];
  std::vector<ColorSpan> joint_spans_[joint_graph_count];
  Scratch memory_;
  bool has_restitution_ = false;

  // sleep
  int island_count_ = 0;
  std::vector<int> waking_;  // islands
  std::vector<int> parents_;

  // Of joint_broken A is a joint.
  void tell(int step, EventKind kind, int a, int b = -1) {
    const int64_t first = kind == EventKind::joint_broken ? joint_id(a) : body_id(a);
    events_.push_back({step, static_cast<int32_t>(kind), first, b < 0 ? -1 : body_id(b)});
  }
  std::vector<EventRow> events_;
  struct TouchKey {
    int a, b;
    bool sensor;
    auto operator<=>(const TouchKey&) const = default;
    template <class Archive>
    void list(Archive& archive);
  };
  struct Touch {
    int count = 0;      // of contacts that touch
    bool told = false;  // whether the last event said so
    template <class Archive>
    void list(Archive& archive);
  };
  std::map<TouchKey, Touch> touches_;  // of pairs of bodies: sensors always, others when asked for
  std::vector<std::pair<TouchKey, int>> touched_;  // what changed, at which step, and is not told
  bool contact_events_ = false;
  int step_count_ = 0;
  bool has_error_ = false;
  StepError error_{};
  std::vector<StepError> errors_;
  Timings timings_;
};

template <class Task>
void World::for_bodies(Task&& task) {
  constexpr int piece = 256;
  pool_.run(static_cast<int>(awake_bodies_.size()), piece, [&](int first, int last) {
    for (int i = first; i < last; ++i) task(awake_bodies_[i]);
  });
}

template <class Task>
void World::for_systems(Task&& task) {
  KernelContext context = kernel_context();
  pool_.run(static_cast<int>(systems_.size()), 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) std::invoke(task, systems_[i], context);
  });
}

}  // namespace rigid

#endif
