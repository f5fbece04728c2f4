// Joints that hang together, solved at once and exactly.
//
// Solving joints one after another passes a load on by one body a pass: long chains stretch, welded
// beams sag. Here the rigid rows of a whole mechanism (pins, welds, rods) form one system
//   (J M^-1 J^T) impulse = -(J v + bias)
// that is factored as L D L^T in blocks of one joint each (Golub and Van Loan, "Matrix
// Computations", 4.1). Joints are neighbours where they share a moving body; eliminated in the
// order of least degree, a chain or a tree leaves no fill, so that its cost grows with its length
// alone (the observation behind Featherstone's and Baraff's 1996 linear-time methods).
//
// Limits, ropes and motors are one more row of their joint, along its coordinate (an angle, a
// length). The impulse along it falls as the speed rises, on a staircase: with a motor of maximum M
// towards the speed w between two limits that leave it the speeds from `lower` to `upper`,
//
//   impulse  >= M |        M        | -M to M |       -M       | <= -M
//   speed   lower | lower < v < w   |    w    | w < v < upper  | upper
//
// On a riser the speed is known and the impulse solved for, on a tread the impulse is known. Which
// stair each row stands on is found by pivoting: rows whose impulse or speed leaves their stair go
// to the next one, all at once while that leaves fewer of them, else the first alone (Judice and
// Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
// complementarity problems", 1994). The solution is unique, so no order and no guess decides it.
//
// Springs, soft limits and motors with a spring of their own are rows with give: their impulse is
//   -(drag * speed + carry * speed before + pull * stretch)
// with the speed at the substep's end, when everything else in the mechanism has had its say, and
// that before its forces acted. `pull` is h k. The damping c is shared between both speeds so that
// it decays as e^(-h c / m) does where nothing else moves the two bodies, and nearly so where
// something does (exponential fitting; Hairer and Wanner, "Solving Ordinary Differential Equations
// II"). An undamped spring that is slow beside a substep has no drag: its impulse is known
// beforehand, and what swings keeps its energy. One that is fast takes the implicit step, drag
// h (c + h k), which is equation (2.17) of soft constraints and stable at any stiffness.
//
// The arithmetic is in double precision, on one thread a mechanism, always in the same order.
#ifndef RIGID_ENGINE_JOINT_SYSTEM_H
#define RIGID_ENGINE_JOINT_SYSTEM_H

#include <vector>

#include "engine/joints/joint.h"
#include "engine/joints/springs.h"
#include "engine/mechanisms/energy_account.h"
#include "engine/solvers/kernels.h"
#include "engine/bodies/body.h"
#include "engine/joints/joint_data.h"

namespace rigid {

class JointSystem {
 public:
  // The joints of one mechanism, in the order of their indices. Costs are counted in products of
  // blocks; a mechanism that would need more than `budget` of them is refused: cost() is then 0.
  JointSystem(const std::vector<int>& joints, const KernelContext& context, long budget);
  long cost() const { return cost_; }
  const std::vector<int>& joints() const { return joints_; }

  // Once a step: anchors and offsets in world axes. `touched` marks bodies that have contacts.
  void prepare(const KernelContext& context, const std::vector<uint8_t>& touched);
  // At the bodies' present places: Jacobians and errors.
  void locate(const KernelContext& context);
  // Whether a motor without a maximum is among them: what it drives has the speed that it wants.
  bool is_driven() const { return driven_; }
  // Whether motors or limits hold it that something may overcome.
  bool is_firm() const { return firm_ && !yields_; }
  // Whether something did: then they are no wall in this step.
  bool yields() {
    const bool more = overloaded_ && !yields_;
    yields_ = yields_ || overloaded_;
    return more;
  }
  void yield() { yields_ = true; }
  void forget_overload() { yields_ = overloaded_ = false; }
  // From here on the rigid rows alone act, and those that such motors drive. After `locate`.
  void begin_blow();
  // What something that pushes does not move: these rows, or those without motors.
  enum class Held { rigid, driven };
  void hold(Held held);
  // How a body answers to impulses and a torque with these rows held: the inverse of the inertia
  // that something sees that pushes it.
  void find_response(int body, InverseMass mass, double response[3][3]);
  // Impulses on bodies of a driven mechanism, and what its held rows give against them.
  struct Load {
    int body;
    double x, y, turn;
  };
  void bear(const KernelContext& context, const std::vector<Load>& loads);
  // Before a substep's forces act: the speeds that springs remember.
  void begin(const KernelContext& context);
  // Impulses that bring the velocities to rest against the joints and remove a share of their
  // errors. Applied to the bodies.
  void solve(const KernelContext& context);
  // In `sequential_impulse`: what is left of that once others have acted on the bodies, with all
  // impulses of the step accumulated.
  void iterate(const KernelContext& context);
  // The same as `solve` without removing errors, at the end of a substep.
  void relax(const KernelContext& context);
  // At the end of a substep, located where the bodies are now: takes back what the mechanism gained
  // of itself (joint_system_energy.cpp).
  void keep_energy(const KernelContext& context);
  bool is_accounted() const { return accounted_; }
  // What is carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    put(archive, account_);
  }
  // Before a step is taken again.
  void rewind() { account_.rewind(); }
  // The step's sums, into the joints.
  void store(const KernelContext& context) const;
  // Whether a joint pulled harder in this step than its bodies' inertia allows (tension.h).
  bool is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const;

 private:
  static constexpr int most = most_rows;
  struct Block {
    double v[most][most];
  };
  // What makes a row more than an equation: a limit, a motor, a spring.
  struct Axial {
    // The stairs, by rising impulse; `idle` is the tread of a row without a motor.
    enum Mode { idle, push_upper, least, drive, most, push_lower, hold };
    bool present = false, angular = false;
    Mode mode = idle;
    bool on = false, factored = false;  // part of the system, and of its factors
    bool acted = false;                 // part of the system where relaxing began
    bool motor = false, position = false, lower = false, upper = false, equal = false;
    bool spare = false;   // a motor that did not give all it has in the last step
    bool across = false;  // a soft distance joint's: its pull turns with its direction
    // Of soft limits: which may push in this substep, and whether from its beginning on.
    struct Side {
      bool acts = false, ahead = false;
      double stretch = 0;
    } below, above;
    bool ahead = false;  // of the one that pushes
    double target = 0, lower_at = 0, upper_at = 0;
    double maximum = 0, lowest = 0, highest = 0;  // impulse of a motor, or of a limited spring
    bool limited = false;                         // a motor, or a spring with a largest force
    bool stops = false;                           // a motor that presses on no limit
    bool one_way = false;                         // a motor that never brakes
    double heading = 0;   // of a motor by position: the speed that it set out with
    double approach = 0;  // of a motor by position: most speed squared, by distance; 0: any
    double coordinate = 0, coordinate_before = 0;  // before: where the substep began
    double given = 0, applied = 0;  // an impulse that is not solved for, and what bodies have of it
    double sum = 0;                 // impulse of the substep so far
    double earlier = 0;             // of a motor: what it gave in the step before that
    // Of rows with give. `known` is carry * (speed before) + pull * stretch.
    bool soft = false, implicit = false;
    double stiffness = 0, damping = 0;
    double drag = 0, carry = 0, known = 0, speed_before = 0;
  };
  // The rigid rows of a joint, or its soft ones.
  struct Node {
    const JointType* type;
    int joint, body_a, body_b, rows;
    bool soft, moves_a, moves_b;
    InverseMass mass_a, mass_b;
    int slot_a, slot_b;  // of the bodies in bodies_, where they move
    Double2 offset;
    double length;
    JointPlace start;  // at the step's start
    int source[most];  // which of the joint's rows
    double jacobian[most][6];
    double error[most];
    double scale[most];  // diagonal of J M^-1 J^T
    double give[most];   // added to it
    double x[most];      // right side, then impulse
    double total[most];  // x, y, turn
    // Of a mouse whose pull would exceed its maximum: how many times as much it gives way for that,
    // and the same with the inverse of its pull when that was tried last.
    double slack, tried_slack, tried_inverse;
    Block inverse;  // of the pivot
    int first_below, below_count;
    bool angular[most];  // rows that are turns
    Axial axial[most];
  };
  struct AxialRow {
    int node, row;
  };
  // A block below the diagonal, in column `column`: L after factoring.
  struct Below {
    int row;
    int sides;  // bits: A-A, A-B, B-A, B-B of (row, column) share a moving body
    Block block;
    Block scaled;  // before the division by the pivot
  };
  // blocks[target] -= L[left] * scaled[right]^T; target < 0: the diagonal of ~target
  struct Update {
    int target, left, right;
  };

  // joint_system_rows.cpp
  void add_row(Node& node, int source, bool motor, bool limits);
  void plan_rigid_rows(const Joint& joint, Node& node);
  void plan_soft_rows(const Joint& joint, Node& node);
  static double tension_of(const Node& node);
  void prepare(Node& node, const KernelContext& context);
  void set_axial(const Joint& joint, Axial& axial) const;
  void set_spring(const KernelContext& context, const Joint& joint, Node& node, int row) const;
  void locate(Node& node, const KernelContext& context);
  void settle_springs();
  void settle_spring(Node& node, int row) const;
  static void set_across(Node& node, int row);

  // joint_system.cpp
  void substitute();
  template <int n>
  static void invert(Node& node, const Block& pivot);
  static void fill_diagonal(const Node& node, double give_share, Block& block);
  static void fill_below(const Node& row, const Node& column, Below& below);
  void factor(double give_share = 1);
  void keep_held_rows(Held held);
  static bool is_endless(const Axial& axial);
  double most_of(const Axial& axial) const { return axial.angular ? most_turn_ : most_shift_; }
  bool is_at_lower(const Axial& axial) const;
  bool is_at_upper(const Axial& axial) const;
  bool is_firm(const Axial& axial) const;
  bool is_overloaded(const KernelContext& context, const Node& node, int row) const;

  // joint_system_solve.cpp, joint_system_stairs.cpp
  double correction_of(double error, bool angular) const;
  double lower_speed(const Axial& axial, bool relaxing) const;
  double upper_speed(const Axial& axial, bool relaxing) const;
  double servo_speed(const Axial& axial) const;
  double drive_speed(const Axial& axial, bool relaxing) const;
  double wanted_change(const KernelContext& context, const Node& node, int row,
                       bool relaxing) const;
  void find_impulses(const KernelContext& context, bool relaxing);
  void apply_impulses(const KernelContext& context);
  void add_totals();
  static double motor_share(const Axial& axial);
  void stand(const KernelContext& context, AxialRow at, Axial::Mode mode);
  void start_modes(const KernelContext& context);
  void foresee_limits(Axial& axial) const;
  bool is_soft_limit(const Axial& axial) const {
    return axial.soft && (axial.lower || axial.upper);
  }
  void start_spring(const KernelContext& context, AxialRow at);
  void start_hard(const KernelContext& context, AxialRow at);
  Axial::Mode next_hard(const Axial& axial, double impulse, double speed, double blur,
                        bool relaxing) const;
  static Axial::Mode next_soft(const Axial& axial, double impulse, double speed);
  Axial::Mode next_limit(const Axial& axial, double speed) const;
  static bool leaves_pull(const Node& node);
  Axial::Mode next_mode(const KernelContext& context, AxialRow at, bool relaxing) const;
  void start_pull(const KernelContext& context, AxialRow at);
  void ease_pull(Node& node);
  void find_leaving(const KernelContext& context, bool relaxing);
  void give(const KernelContext& context, AxialRow at);
  Axial& axial_of(AxialRow at) { return nodes_[at.node].axial[at.row]; }
  void solve_active_set(const KernelContext& context, bool relaxing);
  double speed_along(const KernelContext& context, const Node& node, int row) const;

  // joint_system_energy.cpp
  void open_account(const KernelContext& context);
  double gain_of_springs(const KernelContext& context) const;
  double work_of_motors(const KernelContext& context) const;
  double give_back(const KernelContext& context, double excess);
  bool is_held() const;

  EnergyAccount account_;
  bool accounted_ = false;  // nothing else acts on the mechanism in this step

  double h_ = 1, dt_ = 1, servo_rate_ = 1;
  double most_shift_ = 0, most_turn_ = 0;  // that a correction does in a substep
  InverseMass least_{0, 0};                // of the heaviest body
  bool corrects_ = true;  // errors of position; sequential_impulse may be told not to
  bool explicit_springs_ = true, settled_ = false, factored_ = false, loaded_ = false;
  bool driven_ = false, firm_ = false, overloaded_ = false, yields_ = false;
  std::vector<int> joints_;
  std::vector<Node> nodes_;  // in the order of elimination
  std::vector<Below> below_;
  std::vector<Update> updates_;
  std::vector<int> first_update_;  // of each node
  std::vector<Block> diagonals_;
  std::vector<int> bodies_;  // that move
  std::vector<BodyState> saved_;
  std::vector<Load> borne_;  // by each of bodies_
  struct Move {
    AxialRow at;
    Axial::Mode mode;
  };
  std::vector<Move> leaving_;  // rows that leave their stair, and where they go
  std::vector<AxialRow> axial_;
  std::vector<AxialRow> springs_;     // those of axial_ with give
  std::vector<double> spring_rates_;  // of each of bodies_, 1/time^2
  long cost_ = 0;
};

}  // namespace rigid

#endif
