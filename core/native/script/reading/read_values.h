// SPDX-License-Identifier: MIT
// Reads the expressions, values and settings of a program (core/world/script/program/values.py
// writes them).
#ifndef RIGID_SCRIPT_READING_READ_VALUES_H
#define RIGID_SCRIPT_READING_READ_VALUES_H

#include <cstddef>
#include <span>
#include <vector>

#include "engine/channels.h"
#include "script/program.h"
#include "script/reading/reader.h"

namespace rigid::script {

// Constants and instructions.
rigid::Program read_formula(Reader& reader);
// A set of tags.
Tags read_tags(Reader& reader);

// The parts that the copies of an original have.
struct OwnSizes {
  int original = none, bodies = 0, joints = 0, motors = 0, springs = 0, animations = 0;
  int attached = 0, actuators = 0;
};

// Functions throw std::invalid_argument for places that are in no table that was read before.
class ValueReader {
 protected:
  explicit ValueReader(std::span<const std::byte> bytes) : reader_(bytes) {}

  int text() { return reader_.place(program_.texts.size()); }
  int expression_place(int least = none) {
    return reader_.place(program_.expressions.size(), least);
  }
  // A body of the scene, of an event or of a copy.
  int owner();
  int least_owner() const { return second_body - own_.bodies; }
  std::vector<int> places(std::size_t size) {
    return reader_.list<int>(4, [this, size] { return reader_.place(size); });
  }

  Aggregate aggregate();
  ProbeReading probe_reading(int probes);
  Probe probe();
  Expression expression();
  Number number();
  Value value();
  Place place();
  Motor motor(std::size_t joints);
  JointSpring spring(std::size_t joints);
  // Whether a setting is a point, or one number.
  static int width_of(const Place& place);
  Setting setting();
  Spot spot();
  Move move();
  Reach reach();
  std::vector<Setting> settings() {
    return reader_.list<Setting>(22, [this] { return setting(); });
  }

  Reader reader_;
  Program program_;
  // A place in a table of the scene, or, from `first_own` down, in one of a copy.
  int own_place(std::size_t size, int own) {
    const auto found = reader_.number<int32_t>();
    require(found >= second_body - own && found < static_cast<int64_t>(size) &&
                (found >= 0 || found <= first_own),
            "a place is in no table");
    return found;
  }
#ifdef RIGID_SMALL
  static constexpr OwnSizes own_{};
  void act_as(int) {}
#else
  OwnSizes own_;  // of those whose script is read
  void act_as(int original);
#endif

 private:
  BodyFilter body_filter();
  void require_no_probe(const Number& number) const;
  int owners_of(Owner owner) const;
  Input input();
};

}  // namespace rigid::script

#endif
