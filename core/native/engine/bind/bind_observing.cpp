// SPDX-License-Identifier: MIT
// The binding of an observed step, for `rigid explain`.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/bind/checked_channels.h"
#include "engine/bind/python_world.h"
#include "engine/bind/row_arrays.h"
#include "engine/data/observed_rows.h"
#include "engine/solvers/step_observer.h"
#include "engine/step.h"

namespace rigid {

namespace {

// An observer of a world, for its lifetime. Islands are then solved together, stage by stage, with
// the same bits (solvers/island_batches.h).
class Observation {
 public:
  Observation(World& world, int only)
      : parts_(world.parts_to_step()),
        observer_(parts_.solver->parts(), parts_.joints, parts_.contacts, only),
        batches_(parts_.parameters.whole_batches) {
    parts_.parameters.whole_batches = false;
    parts_.solver->observe(&observer_);
  }
  ~Observation() {
    parts_.solver->observe(nullptr);
    parts_.parameters.whole_batches = batches_;
  }
  Observation(const Observation&) = delete;
  StepObserver& observer() { return observer_; }

 private:
  WorldParts& parts_;
  StepObserver observer_;
  bool batches_;
};

nb::tuple softness(const Softness& soft) {
  return nb::make_tuple(soft.bias_rate, soft.mass_scale, soft.impulse_scale);
}

template <class Row>
nb::object rows_of(const std::vector<Row>& rows) {
  return new_rows<Row>(rows.size(),
                       [&](std::span<Row> to) { std::copy(rows.begin(), rows.end(), to.begin()); });
}

constexpr int most_substeps = 1000;

// Bodies that touch without a contact in the solver, and why.
struct LeftOut {
  int body_a, body_b;
  const char* why;
};

std::vector<LeftOut> left_out(const WorldParts& parts) {
  std::vector<LeftOut> found;
  for (const Contact& contact : parts.contacts.all()) {
    if (!contact.alive) continue;
    const char* why = nullptr;
    if (contact.sensor && contact.touching) why = "sensor";
    if (contact.passable && contact.through && contact.inside) why = "one_way";
    const bool awake = parts.bodies.either_awake(contact.body_a, contact.body_b);
    if (!contact.sensor && contact.touching && !awake) why = "asleep";
    if (why) found.push_back({contact.body_a, contact.body_b, why});
  }
  return found;
}

// Divides the coming step into another number of substeps, which begin with the same forces.
void divide_otherwise(WorldParts& parts, int substeps) {
  const float before = parts.parameters.h;
  parts.definition.substeps = substeps;
  parts.parameters = parts.definition.solver->parameters(parts.definition);
  const float share = parts.parameters.h / before;
  for (Contact& contact : parts.contacts.all()) {
    contact.rolling_impulse *= share;
    for (ContactPoint& point : contact.points) {
      point.normal_impulse *= share;
      point.tangent_impulse *= share;
    }
  }
  for (Joint& joint : parts.joints) {
    for (float* impulse : {&joint.linear_x, &joint.linear_y, &joint.angular, &joint.lower_impulse,
                           &joint.upper_impulse, &joint.motor_impulse, &joint.spin_impulse}) {
      *impulse *= share;
    }
  }
}

nb::dict observed(World& world, int only, std::vector<LeftOut>& out, auto&& run) {
  WorldParts& parts = world.parts_to_step();
  Observation observation(world, only);
  StepObserver& observer = observation.observer();
  run([&](InterruptPoller* poller) {
    StepSession session(parts.pool, poller);
    session.before_step();
    Step step(world);
    if (step.begin()) {
      step.open();
      step.solve(false);
      observer.end(Stage::conservation);
      out = left_out(parts);
      step.end();
    }
    session.done();
    return 1;
  });
  const StepParameters& p = parts.parameters;
  nb::dict found;
  found["h"] = static_cast<double>(p.h);
  found["substeps"] = parts.definition.substeps;
  found["solutions"] = observer.solutions();
  found["contact"] = softness(p.contact);
  found["static_contact"] = softness(p.static_contact);
  found["joint"] = softness(p.joint);
  found["push_speed"] = static_cast<double>(p.push_speed);
  found["resting_depth"] = static_cast<double>(p.resting_depth);
  found["bodies"] = rows_of(observer.bodies());
  found["contacts"] = rows_of(observer.contacts());
  found["rows"] = rows_of(observer.rows());
  found["joints"] = rows_of(observer.joints());
  nb::list pairs;
  for (const LeftOut& each : out) {
    pairs.append(nb::make_tuple(each.body_a, each.body_b, each.why));
  }
  found["left_out"] = pairs;
  return found;
}

// With another number of substeps a copy of the world takes the step.
nb::dict observe_step(PyWorld& self, int only, int substeps) {
  Entry world(self);
  std::vector<LeftOut> out;
  auto run = [&](auto&& step) { interruptible(self, step); };
  if (substeps == 0) return observed(*world, only, out, run);
  if (substeps < 0 || substeps > most_substeps) {
    throw std::invalid_argument("substeps must be from 1 to " + std::to_string(most_substeps));
  }
  const std::unique_ptr<World> copy = world->fork();
  divide_otherwise(copy->parts_to_step(), substeps);
  return observed(*copy, only, out, run);
}

}  // namespace

void bind_observing(nb::module_& module, nb::class_<PyWorld>& type) {
  auto names = [](const auto& all) {
    nb::list list;
    for (const char* name : all) list.append(name);
    return nb::tuple(list);
  };
  module.attr("STAGES") = names(stage_names);
  module.attr("ROW_PARTS") = names(row_parts);
  module.attr("ROW_MODES") = names(row_modes);
  type.def("observe_step", observe_step, "only"_a = -1, "substeps"_a = 0);
}

}  // namespace rigid
