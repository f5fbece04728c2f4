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
// length). Which of them act is found as an active set: a limit that would pull is let go, one that
// would be passed is taken up, a motor that would need more than its maximum gives just that; then
// the system is solved again, a few times at most. Springs stay with the iterative solver.
//
// The arithmetic is in double precision, on one thread a mechanism, always in the same order.
#ifndef RIGID_ENGINE_JOINT_SYSTEM_H
#define RIGID_ENGINE_JOINT_SYSTEM_H

#include <vector>

#include "engine/kernels.h"
#include "engine/state.h"

namespace rigid {

// Whether a joint has rigid rows that a JointSystem can take over.
bool has_rigid_rows(const Joint& joint);

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
  // Impulses that bring the velocities to rest against the joints and remove a share of their
  // errors. Applied to the bodies.
  void solve(const KernelContext& context);
  // The same without removing errors, at the end of a substep.
  void relax(const KernelContext& context);
  // The step's sums, into the joints.
  void store(const KernelContext& context) const;

 private:
  static constexpr int most = 3;  // rows of a joint
  struct Block {
    double v[most][most];
  };
  // What makes a row more than an equation: a limit, a motor.
  struct Axial {
    enum Mode { free, drive, push_lower, push_upper, hold };
    bool present = false;
    Mode mode = free;
    bool on = false, factored = false;  // part of the system, and of its factors
    bool released = false;              // a limit that was let go in this solution
    bool motor = false, position = false, lower = false, upper = false, equal = false;
    double target = 0, maximum = 0, lower_at = 0, upper_at = 0;
    double coordinate = 0;
    double given = 0, applied = 0;  // an impulse that is not solved for, and what bodies have of it
    double sum = 0;                 // impulse of the substep so far
  };
  struct Node {
    JointKind kind;
    int joint, body_a, body_b, rows;
    bool moves_a, moves_b;
    double mass_a, inertia_a, mass_b, inertia_b;  // inverse
    double anchor_a[2], anchor_b[2], offset[2], angle, length;
    double jacobian[most][6];  // columns: velocity and spin of A, of B
    double error[most];
    double scale[most];  // diagonal of J M^-1 J^T
    double give[most];   // added to it
    double x[most];      // right side, then impulse
    double total[most];  // x, y, turn
    Block inverse;       // of the pivot
    int first_below, below_count;
    double axis[2];      // of joints along a line, at the step's start
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

  static int plan_rows(const Joint& joint, Node& node);
  static void set_axial(const Joint& joint, int row, double h, Axial& axial);
  void locate(Node& node, const KernelContext& context);
  double correction_of(double error) const;
  void substitute();
  void invert(Node& node, const Block& pivot) const;
  void factor();
  void find_impulses(const KernelContext& context, bool relaxing);
  void apply_impulses(const KernelContext& context);
  void add_totals();
  static double lead_of(const Axial& axial);
  void start_modes(const KernelContext& context);
  bool release(const KernelContext& context, AxialRow at, bool relaxing);
  bool take_up(const KernelContext& context, AxialRow at);
  void give(const KernelContext& context, AxialRow at);
  Axial& axial_of(AxialRow at) { return nodes_[at.node].axial[at.row]; }
  void solve_active_set(const KernelContext& context, bool relaxing);
  double speed_along(const KernelContext& context, const Node& node, int row) const;

  double h_ = 1, most_correction_ = 0;
  bool factored_ = false, loaded_ = false;
  std::vector<int> joints_;
  std::vector<Node> nodes_;  // in the order of elimination
  std::vector<Below> below_;
  std::vector<Update> updates_;
  std::vector<int> first_update_;  // of each node
  std::vector<Block> diagonals_;
  std::vector<int> bodies_;  // that move
  std::vector<BodyState> saved_;
  std::vector<AxialRow> axial_;
  long cost_ = 0;
};

}  // namespace rigid

#endif
