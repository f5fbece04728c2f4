// SPDX-License-Identifier: MIT
// The search for mechanisms and the selection of their solution.
#include "engine/mechanisms/mechanisms.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "engine/data/constants.h"
#include "engine/joints/springs.h"
#include "engine/mechanisms/lane_task.h"

namespace rigid {

namespace {

// Passes over joints carry a load through a body by the share of its mass: beside one this many
// times as heavy, a thousand of them would not hold a joint together.
constexpr float steep_masses = 1000;

bool is_steep(InverseMass a, InverseMass b) {
  const float least = std::min(a.mass, b.mass);
  return least > 0.0f && std::max(a.mass, b.mass) >= steep_masses * least;
}

}  // namespace

// Finds the mechanisms among the active joints and selects those to solve directly. `recalls`:
// joints have stored the values that were measured of them then.
void Mechanisms::make_systems(bool recalls) {
  if (!joints_.regrouped()) return renew_systems();
  joints_.note_mechanisms_found();
  if (foresees()) return take_foreseen();
  systems_.clear();
  systems_cost_ = 0;
  system_of_.assign(bodies_.size(), -1);
  drivers_.clear();
  driver_of_.assign(bodies_.size(), -1);
  iterative_.clear();
  for (Joint& joint : joints_) joint.direct = joint.apart = joint.firm = false;
  paths_.assign(joints_.count(), JointPath::inactive);
  // Mechanisms are connected by the bodies that move. Mechanisms of slow springs only stay in the
  // lanes.
  std::vector<int> parents(bodies_.size());
  std::iota(parents.begin(), parents.end(), 0);
  auto root = [&](int i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
  };
  auto mover = [&](const Joint& joint) {
    return can_move(bodies_.inverse_masses[joint.body_a]) ? joint.body_a : joint.body_b;
  };
  std::vector<int> members;
  for (int i = 0; i < joints_.count(); ++i) {
    const Joint& joint = joints_[i];
    if (joint.color < 0 || !(has_rigid_rows(joint) || has_soft_rows(joint))) continue;
    members.push_back(i);
    if (!can_move(bodies_.inverse_masses[joint.body_a]) ||
        !can_move(bodies_.inverse_masses[joint.body_b]))
      continue;
    int a = root(joint.body_a), b = root(joint.body_b);
    if (a != b) parents[std::max(a, b)] = std::min(a, b);
  }
  std::vector<uint8_t> rigid(bodies_.size(), 0);
  std::vector<double> rates(bodies_.size(), 0);  // of the fastest springs
  const std::vector<double> own_rates = find_spring_rates(members, recalls);
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
  KernelContext context = lanes_.context();
  const bool always = definition_.joint_solver == JointSolver::direct;
  const bool never = definition_.joint_solver == JointSolver::iterative;
  auto first_of = [&](const std::vector<int>& mechanism) {
    return root(mover(joints_[mechanism.front()]));
  };
  std::erase_if(mechanisms, [&](const std::vector<int>& mechanism) {
    const bool firm = rigid[first_of(mechanism)] || rates[first_of(mechanism)] > slowest_implicit;
    for (int i : mechanism) paths_[i] = never ? JointPath::asked : JointPath::soft;
    return !firm && !always;
  });
  std::vector<std::vector<int>> planned = mechanisms;
  if (never) {
    std::erase_if(planned, [this](const std::vector<int>& mechanism) {
      return mechanism.size() > constants::few_joints ||
             std::none_of(mechanism.begin(), mechanism.end(), [this](int i) {
               return is_steep(bodies_.inverse_masses[joints_[i].body_a],
                               bodies_.inverse_masses[joints_[i].body_b]);
             });
    });
  }
  std::vector<std::optional<JointSystem>> systems = plan_systems(
      planned, context, always ? constants::direct_joint_limit : constants::direct_joint_budget);
  long spare = constants::direct_joint_budget;
  std::size_t next = 0;
  for (const std::vector<int>& mechanism : mechanisms) {
    std::optional<JointSystem> direct;
    if (next < planned.size() && planned[next] == mechanism) direct = std::move(systems[next++]);
    auto note = [&](JointPath path) {
      for (int i : mechanism) paths_[i] = path;
    };
    if (direct) {
      note(JointPath::direct);
      add_system(mechanism, std::move(*direct));
      continue;
    }
    note(never ? JointPath::asked : JointPath::costly);
    add_driver(mechanism, context, spare);
    iterative_.add_iterative(mechanism, rates[first_of(mechanism)], recalls);
  }
  constexpr long piece = 128;
  const long count = static_cast<long>(systems_.size());
  if (count > 0) systems_grain_ = static_cast<int>(std::max(1L, piece * count / systems_cost_));
  renews_ = false;
  plain_ = drivers_.empty() && iterative_.empty() &&
           std::none_of(members.begin(), members.end(),
                        [this](int i) { return has_soft_rows(joints_[i]); });
}

bool Mechanisms::renew() {
  if (joints_.regrouped()) return foresees();
  renews_ = plain_;
  return plain_;
}

void Mechanisms::renew_systems() {
  if (!renews_) return;
  renews_ = false;
  for (JointSystem& system : systems_) system.renew();
}

// Reused if all active joints are solved directly and have no springs.
void Mechanisms::foresee(const Mechanisms& found) {
  const bool plain = found.plain_ && found.are_for_lanes() &&
                     std::all_of(found.joints_.begin(), found.joints_.end(),
                                 [](const Joint& joint) { return joint.direct; });
  if (!plain) return;
  const MechanismData& data = found;
  foreseen_ = std::make_shared<const MechanismData>(data);
  foreseen_at_ = joints_.regroupings();
}

void Mechanisms::take_foreseen() {
  const std::shared_ptr<const MechanismData> found = foreseen_;
  if (systems_.empty()) systems_.swap(spare_);
  MechanismData::operator=(*found);
  iterative_.clear();
  for (Joint& joint : joints_) {
    joint.direct = true;
    joint.apart = joint.firm = false;
  }
}

// The rate (h w)^2 at which the springs of these joints, with those beside them, could swing their
// bodies.
std::vector<double> Mechanisms::find_spring_rates(const std::vector<int>& members, bool recalls) {
  const double h = parameters_.h;
  std::vector<double> sums(bodies_.size(), 0);
  for (int i : members) {
    Joint& joint = joints_[i];
    const int a = joint.body_a, b = joint.body_b;
    if (!recalls) {
      const SpringRates own = spring_rates(joint, bodies_[a], bodies_[b], bodies_.inverse_masses[a],
                                           bodies_.inverse_masses[b], parameters_);
      joint.rate_a = static_cast<float>(own.a);
      joint.rate_b = static_cast<float>(own.b);
    }
    sums[a] += joint.rate_a;
    sums[b] += joint.rate_b;
  }
  std::vector<double> rates;
  for (int i : members) {
    const Joint& joint = joints_[i];
    const bool soft = has_soft_rows(joint);
    rates.push_back(soft ? h * h * (sums[joint.body_a] + sums[joint.body_b]) : 0);
  }
  return rates;
}

// Plans the direct solution of mechanisms, from small to large: those of one size (number of
// joints) are solved alike, directly if the budget suffices for all of them.
std::vector<std::optional<JointSystem>> Mechanisms::plan_systems(
    const std::vector<std::vector<int>>& mechanisms, const KernelContext& context, long budget) {
  std::vector<std::optional<JointSystem>> systems(mechanisms.size());
  std::map<std::size_t, std::vector<std::size_t>> by_size;
  for (std::size_t k = 0; k < mechanisms.size(); ++k) by_size[mechanisms[k].size()].push_back(k);
  for (const auto& [size, same] : by_size) {
    const long least = BlockFactors::least_cost(static_cast<int>(size));
    if (least * static_cast<long>(same.size()) > budget) continue;
    long cost = 0;
    for (std::size_t k : same) {
      JointSystem system(mechanisms[k], context, budget, plan_);
      if (system.cost() == 0) continue;
      cost += system.cost();
      if (cost > budget) break;
      systems[k] = std::move(system);
    }
    if (cost <= budget) {
      budget -= cost;
    } else {
      for (std::size_t k : same) systems[k].reset();
    }
  }
  return systems;
}

void Mechanisms::add_system(const std::vector<int>& mechanism, JointSystem&& system) {
  systems_cost_ += system.cost();
  for (int i : mechanism) {
    Joint& joint = joints_[i];
    joint.direct = true;
    for (int body : {joint.body_a, joint.body_b}) {
      if (can_move(bodies_.inverse_masses[body]))
        system_of_[body] = static_cast<int>(systems_.size());
    }
  }
  systems_.push_back(std::move(system));
}

bool Mechanisms::are_for_lanes() const {
  return !systems_.empty() && drivers_.empty() && systems_.size() <= LaneTask::most_systems &&
         std::all_of(systems_.begin(), systems_.end(),
                     [](const JointSystem& system) { return system.is_for_lanes(); });
}

// Prepares the systems at the bodies' places at the step's start.
void Mechanisms::prepare_systems() {
  borne_contacts_.clear();
  if (systems_.empty() && drivers_.empty() && iterative_.empty()) return;
  touched_.assign(bodies_.size(), 0);
  contacts_.for_solved([this](int contact, int a, int b) {
    touched_[a] = touched_[b] = 1;
    if (bearer_of(a) || bearer_of(b)) borne_contacts_.push_back(contact);
  });
  for_systems([this](JointSystem& system, const KernelContext& context) {
    system.prepare(context, touched_);
  });
  for (JointSystem& driver : drivers_) driver.prepare(lanes_.context(), touched_);
  iterative_.prepare(touched_);
}

void Mechanisms::locate_systems() {
  for_systems(&JointSystem::locate);
  locate_drivers();
}

// Adds a mechanism with motors without a maximum that is solved one by one: driven bodies bear what
// they push.
void Mechanisms::add_driver(const std::vector<int>& mechanism, const KernelContext& context,
                            long& budget) {
  const bool drives = std::any_of(mechanism.begin(), mechanism.end(),
                                  [this](int i) { return has_endless_motor(joints_[i]); });
  if (!drives || static_cast<long>(mechanism.size()) > budget) return;
  JointSystem system(mechanism, context, budget, plan_);
  if (system.cost() == 0) return;
  budget -= system.cost();
  system.yield();  // it cannot see the other impulses of its motors and limits
  for (int i : mechanism) {
    for (int body : {joints_[i].body_a, joints_[i].body_b}) {
      if (can_move(bodies_.inverse_masses[body]))
        driver_of_[body] = static_cast<int>(drivers_.size());
    }
  }
  drivers_.push_back(std::move(system));
}

// The mechanism that bears the contact impulses of a body: directly solved, or kept for this
// purpose only.
JointSystem* Mechanisms::bearer_of(int body) {
  if (system_of_[body] >= 0) return &systems_[system_of_[body]];
  return driver_of_[body] >= 0 ? &drivers_[driver_of_[body]] : nullptr;
}

bool Mechanisms::is_driven(int body) {
  const JointSystem* system = bearer_of(body);
  return system && system->is_driven();
}

// Whether motors or limits may hold a body in place.
bool Mechanisms::is_held(int body) {
  const JointSystem* system = bearer_of(body);
  return system && (system->is_driven() || system->is_firm());
}

void Mechanisms::store_systems() {
  for_systems(&JointSystem::store);
  for (const JointSystem& driver : drivers_) driver.store(lanes_.context());
}

bool Mechanisms::find_overloads() {
  bool any = false;
  for (JointSystem& system : systems_) any = system.yields() || any;
  return any;
}

void Mechanisms::locate_drivers() {
  for (JointSystem& driver : drivers_) driver.locate(lanes_.context());
}

void Mechanisms::rewind() {
  for (JointSystem& system : systems_) system.rewind();
  iterative_.rewind();
}

void Mechanisms::forget_overloads() {
  for (JointSystem& system : systems_) system.forget_overload();
}

}  // namespace rigid
