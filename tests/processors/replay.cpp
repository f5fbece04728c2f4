// SPDX-License-Identifier: MIT
// Replays a recording of calls of the engine, and compares the hashes of states with the recorded
// ones: `replay FILE [LANES [THREADS]]`. Exit code 1 where one differs.
//
// recording.py describes the file. Rows are packed there, field after field, because compilers for
// different processors place fields differently.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/bodies/readings.h"
#include "engine/building/read_rows.h"
#include "engine/solvers/solver.h"
#include "engine/world.h"

namespace {

using namespace rigid;

static_assert(std::endian::native == std::endian::little, "recordings are little-endian");

class Reader {
 public:
  explicit Reader(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  bool at_end() const { return at_ == bytes_.size(); }
  void take(void* to, std::size_t size) {
    if (size > bytes_.size() - at_) throw std::runtime_error("the recording is cut off");
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }
  template <class T>
  T get() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string found(get<uint32_t>(), ' ');
    take(found.data(), found.size());
    return found;
  }
  std::vector<double> numbers() {
    std::vector<double> found(get<uint32_t>());
    take(found.data(), found.size() * sizeof(double));
    return found;
  }
  template <class R>
  std::vector<R> rows() {
    std::vector<R> found(get<uint32_t>());
    for (R& row : found) {
      for (const RowField& field : R::fields()) {
        take(reinterpret_cast<char*>(&row) + field.offset, size_of(field));
      }
    }
    return found;
  }

 private:
  static std::size_t size_of(const RowField& field) {
    const char last = field.format[std::strlen(field.format) - 1];
    return last == '?' ? 1 : static_cast<std::size_t>(last - '0');
  }

  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

void set(WorldDefinition& d, const std::string& name, const std::vector<double>& given) {
  const double value = given.empty() ? 0 : given[0];
  if (name == "gravity") {
    d.gravity_x = given.at(0), d.gravity_y = given.at(1);
    return;
  }
  if (name == "pools") {
    for (std::size_t i = 0; i + 7 <= given.size(); i += 7) {
      const double* p = given.data() + i;
      d.pools.push_back({p[0], p[1], p[2], p[3], p[4], p[5], p[6]});
    }
    return;
  }
#define RIGID_SET_NUMBER(key, start, least, most, meaning) \
  if (name == #key) return static_cast<void>(d.key = value);
#define RIGID_SET_COUNT(key, start, least, most, meaning) \
  if (name == #key) return static_cast<void>(d.key = static_cast<int>(value));
#define RIGID_SET_CHOICE(Kind, key, start, names, meaning) \
  if (name == #key) return static_cast<void>(d.key = static_cast<Kind>(static_cast<int>(value)));
#define RIGID_SET_FLAG(key, start, meaning) \
  if (name == #key) return static_cast<void>(d.key = value != 0);
#define RIGID_SET_BOX(key, meaning)                 \
  if (name == #key) {                               \
    d.has_##key = !given.empty();                   \
    std::copy_n(given.data(), given.size(), d.key); \
    return;                                         \
  }
  RIGID_SETTINGS(RIGID_SET_NUMBER, RIGID_SET_COUNT, RIGID_SET_CHOICE, RIGID_SET_FLAG, RIGID_SET_BOX)
  RIGID_STEP_SETTINGS(RIGID_SET_NUMBER, RIGID_SET_COUNT)
  throw std::runtime_error("there is no setting " + name);
}

class Replay {
 public:
  Replay(Reader recording, int lanes, int threads)
      : in_(std::move(recording)), lanes_(lanes), threads_(threads) {}

  // Returns the number of hashes that differ.
  int run() {
    while (!in_.at_end()) call(in_.text());
    return different_;
  }

 private:
  void call(const std::string& name) {
    if (name == "World") return make_world();
    if (name == "set_collision_matrix") {
      std::vector<uint64_t> rows(64);
      for (uint64_t& row : rows) row = in_.get<uint64_t>();
      return world_->set_collision_matrix(std::move(rows));
    }
    if (name == "ignore_pairs") {
      for (auto count = in_.get<uint32_t>(); count > 0; --count) {
        const int a = in_.get<int32_t>();
        world_->ignore_pair(a, in_.get<int32_t>());
      }
      return;
    }
    if (name == "add_bodies") return static_cast<void>(add_bodies(*world_, in_.rows<BodyRow>()));
    if (name == "add_shapes") {
      const auto rows = in_.rows<ShapeRow>();
      return static_cast<void>(add_shapes(*world_, rows, in_.numbers()));
    }
    if (name == "add_joints") return static_cast<void>(add_joints(*world_, in_.rows<JointRow>()));
    if (name == "add_forces") return static_cast<void>(add_forces(*world_, in_.rows<ForceRow>()));
    if (name == "add_points") return static_cast<void>(add_points(*world_, in_.rows<PointRow>()));
    if (name == "set_bars") return set_bars(*world_, in_.rows<BarRow>());
    if (name == "add_fragment") return make_fragment();
    if (name == "finish") return world_->finish();
    if (name == "keep_slots") return world_->keep_slots();
    if (name == "remove_body") {
      return world_->remove_body(world_->parts().bodies.find(in_.get<int64_t>()));
    }
    if (name == "set_velocity") {
      const int body = world_->parts().bodies.find(in_.get<int64_t>());
      float v[3];
      for (float& each : v) each = static_cast<float>(in_.get<double>());
      return world_->set_velocity(body, v[0], v[1], v[2]);
    }
    if (name == "step") {
      const int steps = in_.get<int32_t>();
      if (world_->step(steps) != steps) throw std::runtime_error("the world stopped");
      return;
    }
    if (name == "state_hash") return compare();
    throw std::runtime_error("there is no call " + name);
  }

  void make_world() {
    WorldDefinition definition;
    const std::string solver = in_.text();
    definition.solver = find_solver(solver);
    if (definition.solver == nullptr) throw std::runtime_error("there is no solver " + solver);
    for (auto count = in_.get<uint32_t>(); count > 0; --count) {
      const std::string name = in_.text();
      set(definition, name, in_.numbers());
    }
    definition.lanes = lanes_;
    definition.threads = threads_;
    world_ = std::make_unique<World>(definition);
  }

  void make_fragment() {
    const auto bodies = in_.rows<BodyRow>();
    const auto shapes = in_.rows<ShapeRow>();
    const auto corners = in_.numbers();
    const auto joints = in_.rows<JointRow>();
    const auto forces = in_.rows<ForceRow>();
    const auto bars = in_.rows<BarRow>();
    const auto points = in_.rows<PointRow>();
    add_fragment(*world_, {bodies, shapes, corners, {joints, forces}, bars, points});
  }

  void compare() {
    const std::string at = in_.text();
    const auto recorded = in_.get<uint64_t>();
    world_->finish();
    const uint64_t found = hash_bodies(world_->parts().bodies);
    std::printf("%s %016llx %s\n", at.c_str(), static_cast<unsigned long long>(found),
                found == recorded ? "same" : "DIFFERENT");
    different_ += found != recorded;
  }

  Reader in_;
  int lanes_, threads_, different_ = 0;
  std::unique_ptr<World> world_;
};

std::vector<char> content(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(std::string(path) + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 2) throw std::runtime_error("usage: replay FILE [LANES [THREADS]]");
    const int lanes = count > 2 ? std::atoi(arguments[2]) : 0;
    const int threads = count > 3 ? std::atoi(arguments[3]) : 1;
    if (lanes != 0 && find_kernels(lanes) == nullptr) {
      throw std::runtime_error("this processor has no such lanes");
    }
    return Replay(Reader(content(arguments[1])), lanes, threads).run() > 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "replay: %s\n", error.what());
    return 2;
  }
}
