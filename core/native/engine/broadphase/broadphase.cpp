// SPDX-License-Identifier: MIT
// Updates of boxes and trees, and the search for pairs.
#include "engine/broadphase/broadphase.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <utility>

#include "engine/data/constants.h"
#include "sorting.h"

namespace rigid {

namespace {

constexpr int pair_piece = 64;         // shapes per piece of the pair search
constexpr int body_piece = 128;        // bodies per piece of the search for new boxes
constexpr int group_piece = 8;         // groups of boxes per piece
constexpr int few_moved = 16;          // shapes that are always searched one by one
constexpr int many_moved = 8;          // inverse share of leaves
constexpr std::size_t counted = 1024;  // pairs that a search finds between updates of the common
                                       // count
constexpr int looked_ahead = 64;       // pairs whose place in the set is being prefetched
constexpr int most_neighbours = 4096;  // counted at most, to find the most crowded place
constexpr int looked_at = 1 << 28;     // the same for all shapes together

bool is_line(ShapeKind kind) {
  return kind == ShapeKind::segment || kind == ShapeKind::chain_segment;
}

// A queue of pairs, so that memory is prefetched for one while others are found.
class Queue {
 public:
  // The pair that was put in `looked_ahead` calls before, or one without shapes.
  Broadphase::Pair exchange(const Broadphase::Pair& pair) {
    Broadphase::Pair& place = pairs_[next_++ % looked_ahead];
    return std::exchange(place, pair);
  }
  // The pairs that are still in it.
  std::span<const Broadphase::Pair> rest() const {
    return {pairs_, std::min<std::size_t>(next_, looked_ahead)};
  }

 private:
  Broadphase::Pair pairs_[looked_ahead] = {};
  unsigned next_ = 0;
};

// A float box around a box at a double position: rounding must not shrink it.
Aabb place(const Aabb& box, double x, double y) {
  double lx = x + box.lower.x, ly = y + box.lower.y, ux = x + box.upper.x, uy = y + box.upper.y;
  float ex = static_cast<float>(std::max(std::fabs(lx), std::fabs(ux)) * 2.4e-7);
  float ey = static_cast<float>(std::max(std::fabs(ly), std::fabs(uy)) * 2.4e-7);
  return {{static_cast<float>(lx) - ex, static_cast<float>(ly) - ey},
          {static_cast<float>(ux) + ex, static_cast<float>(uy) + ey}};
}

Aabb grown(const Aabb& box, float margin) {
  return {{box.lower.x - margin, box.lower.y - margin},
          {box.upper.x + margin, box.upper.y + margin}};
}

// A shape's half of the distance at which contacts begin.
float room_ahead(const WorldDefinition& definition) {
  return 0.5f * constants::speculative_distance * static_cast<float>(definition.length_unit);
}

uint64_t joined_key(int a, int b) {
  return static_cast<uint64_t>(std::max(a, b)) << 32 | static_cast<uint64_t>(std::min(a, b));
}

// Stores the motion that the boxes of a body's shapes cover.
void expect(Body& body, const BodyState& state) {
  body.expected_velocity = {state.vx, state.vy};
  body.expected_spin = state.omega;
}

}  // namespace

void Broadphase::add_shape(int shape) {
  categories_in_use_ |= uint64_t{1} << shapes_[shape].category;
  moved_flag_.resize(shapes_.size(), 0);
  note_shapes();
  looked_[shape].category = static_cast<uint8_t>(shapes_[shape].category);
}

void Broadphase::ignore_pair(int a, int b) {
  if (a != b) ignored_.add(a, b);
}

void Broadphase::add_joined(int body_a, int body_b) {
  ++joined_[joined_key(body_a, body_b)];
  joined_pairs_.add(body_a, body_b);
}

// The two may touch from now on: one of them is searched again.
void Broadphase::remove_joined(int body_a, int body_b) {
  auto entry = joined_.find(joined_key(body_a, body_b));
  if (entry == joined_.end() || --entry->second > 0) return;
  joined_.erase(entry);
  joined_pairs_.remove(body_a, body_b);
  for (int body : {body_a, body_b}) {
    for (int shape : shapes_.of_body[body]) {
      if (shapes_[shape].proxy < 0) continue;
      forget_look(shape);
      look_again(shape);
    }
  }
}

void Broadphase::look_again(int shape) {
  if (moved_flag_[shape]) return;
  moved_flag_[shape] = 1;
  moved_.push_back(shape);
}

void Broadphase::widen(int index, const Aabb& box) {
  WorldShape& shape = shapes_[index];
  shape.fat = merge(shape.fat, box);
  shape.proxy = moving_tree_.move(shape.proxy, shape.fat);
  look_again(index);
}

Aabb Broadphase::shape_box(const WorldShape& shape) const {
  const Body& body = bodies_[shape.body];
  return place(compute_aabb(shapes_.view(shape), {{0, 0}, body.rotation}), body.center_x,
               body.center_y);
}

// The box of everything that the shape may reach in the next step, by present estimates.
Aabb Broadphase::swept_box(const WorldShape& shape, const Aabb& now) const {
  const Body& body = bodies_[shape.body];
  const BodyState& state = bodies_.states[shape.body];
  float dt = static_cast<float>(definition_.dt);
  Aabb box;
  float turn = std::fabs(state.omega) * dt, swing = 0.0f;
  if (turn > constants::widest_turn) {
    box = place({{-body.extent, -body.extent}, {body.extent, body.extent}}, body.center_x,
                body.center_y);
  } else {
    box = now;
    swing = turn * body.extent;
  }
  float mx = state.vx * dt, my = state.vy * dt;
  box.lower.x += std::min(mx, 0.0f) - swing;
  box.lower.y += std::min(my, 0.0f) - swing;
  box.upper.x += std::max(mx, 0.0f) + swing;
  box.upper.y += std::max(my, 0.0f) + swing;
  return box;
}

// The box of a sweep of a shape within the step.
Aabb Broadphase::sweep_box(const WorldShape& shape, const Sweep& sweep) const {
  const Body& body = bodies_[shape.body];
  const Vec2 end = sweep.from + sweep.move;
  const float turn = std::fabs(sweep.turn);
  float swing = shape.core_extent + shape.radius;
  Aabb box{{0, 0}, {0, 0}};
  if (turn <= constants::widest_turn) {
    Rotation q = body.rotation * make_rotation(sweep.angle);
    box = compute_aabb(shapes_.view(shape), {{0, 0}, q});
    swing = turn * shape.core_extent;
  }
  Vec2 low = min(sweep.from, end), high = max(sweep.from, end);
  box.lower = box.lower + low - Vec2{swing, swing};
  box.upper = box.upper + high + Vec2{swing, swing};
  return place(box, body.center_x, body.center_y);
}

void Broadphase::create_proxy(int index) {
  WorldShape& shape = shapes_[index];
  Body& body = bodies_[shape.body];
  expect(body, bodies_.states[shape.body]);
  separations_.place(shape.body, body);
  separations_.change_shape(index);
  if (!body.collides) return;
  if (body.kind == BodyKind::fixed) {
    shape.fat = shape_box(shape);
    shape.proxy = fixed_tree_.insert(shape.fat, index);
  } else {
    // A resting body may be hit within the first step, and then meets everything within the
    // contacts' range, on any side of its box. A moving body's box covers its path.
    const BodyState& state = bodies_.states[shape.body];
    const bool rests = state.vx == 0.0f && state.vy == 0.0f;
    shape.fat = grown(swept_box(shape, shape_box(shape)), rests ? room_ahead(definition_) : 0.0f);
    shape.slack = 0.0f;
    shape.proxy = moving_tree_.insert(shape.fat, index);
    if (body.kind == BodyKind::kinematic) {
      shape.kinematic_proxy = kinematic_tree_.insert(shape.fat, index);
    }
  }
  forget_look(index);
  look_again(index);
}

void Broadphase::destroy_proxy(int index) {
  WorldShape& shape = shapes_[index];
  if (shape.proxy < 0) return;
  (bodies_[shape.body].kind == BodyKind::fixed ? fixed_tree_ : moving_tree_).remove(shape.proxy);
  shape.proxy = -1;
  if (shape.kinematic_proxy >= 0) kinematic_tree_.remove(shape.kinematic_proxy);
  shape.kinematic_proxy = -1;
}

// Whether the shape has left its box and got a new one, which is not in the trees yet. Changes only
// the shape.
bool Broadphase::refit_box(int index) {
  WorldShape& shape = shapes_[index];
  const Aabb now = shape_box(shape), box = swept_box(shape, now);
  auto measure_slack = [&] {
    Vec2 low = now.lower - shape.fat.lower, high = shape.fat.upper - now.upper;
    shape.slack = std::min(std::min(low.x, low.y), std::min(high.x, high.y));
  };
  if (contains(shape.fat, box)) {
    measure_slack();
    return false;
  }
  // A fast shape leaves any margin in the next step; its box already covers its possible path.
  const BodyState& state = bodies_.states[shape.body];
  float motion =
      std::max(std::fabs(state.vx), std::fabs(state.vy)) * static_cast<float>(definition_.dt);
  float size = std::max(box.upper.x - box.lower.x, box.upper.y - box.lower.y) - motion;
  float unit = static_cast<float>(definition_.length_unit);
  float margin = std::min(constants::aabb_margin * unit, 0.125f * size);
  if (margin < motion) margin = 0.0f;
  shape.fat = grown(box, margin + room_ahead(definition_));
  measure_slack();
  separations_.change_box(index);
  return true;
}

// Called after its box was computed anew: updates everything except the moving tree.
void Broadphase::announce_box(int index) {
  WorldShape& shape = shapes_[index];
  if (shape.kinematic_proxy >= 0) {
    shape.kinematic_proxy = kinematic_tree_.move(shape.kinematic_proxy, shape.fat);
  }
  // A shape that collides with nothing needs no search.
  if ((matrix_[shape.category] & categories_in_use_) != 0) {
    look_again(index);
  } else {
    forget_look(index);
  }
}

void Broadphase::refresh_proxy(int index) {
  if (!refit_box(index)) return;
  announce_box(index);
  WorldShape& shape = shapes_[index];
  shape.proxy = moving_tree_.move(shape.proxy, shape.fat);
}

// Updates the moving tree with the new boxes.
void Broadphase::move_resized() {
  constexpr int many = 4;  // inverse share of leaves that moved
  if (many * static_cast<int>(resized_.size()) < moving_tree_.leaf_count()) {
    for (int index : resized_) {
      shapes_[index].proxy = moving_tree_.move(shapes_[index].proxy, shapes_[index].fat);
    }
  } else if (!resized_.empty()) {
    for (int index : resized_) moving_tree_.set_box(shapes_[index].proxy, shapes_[index].fat);
    moving_tree_.update([this](int shape, int leaf) { shapes_[shape].proxy = leaf; });
  }
  resized_.clear();
}

// Called after its velocity was set, so that the next step's pairs are those of its new path.
void Broadphase::refresh_proxies(int index) {
  expect(bodies_[index], bodies_.states[index]);
  for (int shape : shapes_.of_body[index]) {
    if (shapes_[shape].proxy >= 0) refresh_proxy(shape);
  }
}

void Broadphase::update_proxies() {
  const int count = static_cast<int>(bodies_.awake_list.size());
  resized_parts_.resize((count + body_piece - 1) / body_piece);
  std::atomic<bool> stale{stale_};
  pool_.run(count, body_piece, [&](int first, int last) {
    std::vector<int>& resized = resized_parts_[first / body_piece];
    resized.clear();
    for (int i = first; i < last; ++i) {
      if (refit_boxes(bodies_.awake_list[i], resized)) stale.store(true, std::memory_order_relaxed);
    }
  });
  stale_ = stale;
  for (const std::vector<int>& part : resized_parts_) {
    for (int index : part) announce_box(index);
    resized_.insert(resized_.end(), part.begin(), part.end());
  }
  move_resized();
}

// Updates the boxes that a body has left, for many bodies together. Returns whether a box was kept
// that may be out of date.
bool Broadphase::refit_boxes(int index, std::vector<int>& resized) {
  const float dt = static_cast<float>(definition_.dt);
  Body& body = bodies_[index];
  const BodyState& state = bodies_.states[index];
  expect(body, state);
  if (!body.collides) return false;
  bool stale = false;
  float turn = std::fabs(state.omega) * dt;
  float next = (std::fabs(state.vx) + std::fabs(state.vy)) * dt + turn * body.extent;
  for (int i : shapes_.of_body[index]) {
    WorldShape& shape = shapes_[i];
    if (shape.proxy < 0) continue;
    // A shape that collides with nothing is only found by queries, which refresh its box.
    if ((matrix_[shape.category] & categories_in_use_) == 0) {
      shape.slack = -1.0f;
      stale = true;
      continue;
    }
    // Most shapes of a resting pile need no test.
    shape.slack -= body.travel;
    if (shape.slack > next && turn <= constants::widest_turn) continue;
    if (refit_box(i)) resized.push_back(i);
  }
  return stale;
}

bool Broadphase::leaves_out(int index) const {
  if (!bodies_[index].collides) return true;
  const ShapeList own = shapes_.of_body[index];
  return std::all_of(own.begin(), own.end(), [this](int i) {
    const WorldShape& shape = shapes_[i];
    return shape.proxy < 0 || (matrix_[shape.category] & categories_in_use_) == 0;
  });
}

void Broadphase::refresh_stale() {
  if (!stale_) return;
  stale_ = false;
  for (int i = 0; i < shapes_.count(); ++i) {
    if (shapes_[i].proxy >= 0 && shapes_[i].slack < 0.0f) refresh_proxy(i);
  }
}

bool Broadphase::should_collide(const WorldShape& a, const WorldShape& b) const {
  if (a.body == b.body) return false;
  bool sensor = a.sensor || b.sensor;
  if (sensor) {
    if (a.sensor && b.sensor) return false;
    if (a.body_kind == BodyKind::fixed && b.body_kind == BodyKind::fixed) return false;
  } else {
    if (a.body_kind != BodyKind::dynamic && b.body_kind != BodyKind::dynamic) return false;
    if (is_line(a.kind) && is_line(b.kind)) return false;
  }
  if (!(matrix_[a.category] >> b.category & 1)) return false;
  if (ignored_.contains(a.body, b.body)) return false;
  return !joined_pairs_.contains(a.body, b.body);
}

// Notes the shapes added since then, or all after a world was restored.
void Broadphase::note_shapes() {
  for (std::size_t i = looked_.size(); i < shapes_.size(); ++i) {
    looked_.push_back({BoxGroups::nothing, static_cast<uint8_t>(shapes_[i].category)});
  }
}

void Broadphase::make_groups() {
  leaves_.clear();
  moving_tree_.for_leaves([&](int item, const Aabb& box) { leaves_.push_back({box, item}); });
  groups_.make_room(leaves_.size());
  pool_.run(groups_.count(), group_piece, [&](int first, int last) {
    for (int group = first; group < last; ++group) {
      groups_.clear(group);
      for (const BoxGroups::Item& leaf : groups_.items_of(group, leaves_)) {
        const Looked& looked = looked_[leaf.item];
        groups_.add(group, leaf.box, looked.box, leaf.item, looked.category,
                    moved_flag_[leaf.item] != 0);
      }
    }
  });
  groups_.sort();
}

// Returns false, without changes, if there are more pairs than a world may have.
bool Broadphase::find_pairs(std::vector<Pair>& all) {
  if (moved_.empty()) return true;
  if (!std::is_sorted(moved_.begin(), moved_.end())) rigid::sort(moved_.begin(), moved_.end());
  // If many shapes move, all movable shapes are tested against each other together.
  const int moved = static_cast<int>(moved_.size());
  const bool whole = moved > few_moved && many_moved * moved > moving_tree_.leaf_count();
  note_shapes();
  if (whole) make_groups();
  const int groups = whole ? groups_.count() : 0;
  const int first_moved = (groups + group_piece - 1) / group_piece;
  const int pieces = first_moved + (moved + pair_piece - 1) / pair_piece;
  if (static_cast<int>(found_.size()) < pieces) found_.resize(pieces);
  for (std::vector<Pair>& part : found_) part.clear();
  // With thousands of shapes at one place nearly every two are a pair: the search ends before they
  // exhaust the memory. The decision depends on all pieces together, and so not on their order.
  // Only a crowd exceeds this number: in any other pair one shape has a usual number of neighbours.
  const std::size_t most = static_cast<std::size_t>(definition_.max_pairs) +
                           static_cast<std::size_t>(Neighbours::many) * shapes_.size();
  std::atomic<std::size_t> so_far{pairs_.size()};
  auto look_up = [&](int piece, const Pair& pair) {
    // An unused place of the queue contains no pair.
    if (pair.a == pair.b || pairs_.contains(pair.a, pair.b)) return true;
    if (!should_collide(shapes_[pair.a], shapes_[pair.b])) return true;
    found_[piece].push_back(pair);
    if (found_[piece].size() % counted != 0) return true;
    return so_far.fetch_add(counted, std::memory_order_relaxed) + counted <= most;
  };
  auto search = [&](int piece) {
    Queue queue;
    auto consider = [&](int index, int other) {
      const Pair pair{std::min(index, other), std::max(index, other)};
      pairs_.prefetch(pair.a, pair.b);
      return look_up(piece, queue.exchange(pair));
    };
    auto finish = [&] {
      for (const Pair& pair : queue.rest()) look_up(piece, pair);
    };
    if (piece < first_moved) {
      const int end = std::min((piece + 1) * group_piece, groups);
      for (int group = piece * group_piece; group < end; ++group) {
        groups_.visit_pairs(group, matrix_, consider);
      }
      finish();
      return;
    }
    int from = (piece - first_moved) * pair_piece;
    int to = std::min(from + pair_piece, moved);
    for (int i = from; i < to; ++i) {
      int index = moved_[i];
      const WorldShape& shape = shapes_[index];
      if (shape.proxy < 0) continue;
      const Aabb before = looked_[index].box;
      auto visit = [&](int other) {
        // Of two moved shapes, the first reports; pairs that overlapped before are known.
        return (moved_flag_[other] && other <= index) || overlaps(before, looked_[other].box) ||
               consider(index, other);
      };
      bool fixed = shape.body_kind == BodyKind::fixed;
      if (fixed || !whole) moving_tree_.query(shape.fat, visit);
      if (!fixed) fixed_tree_.query(shape.fat, visit);
    }
    finish();
  };
  pool_.run(pieces, 1, [&](int first, int last) {
    for (int piece = first; piece < last; ++piece) {
      if (so_far.load(std::memory_order_relaxed) <= most) search(piece);
    }
  });
  if (so_far > most) return false;
  for (const auto& part : found_) all.insert(all.end(), part.begin(), part.end());
  rigid::sort(all.begin(), all.end(),
              [](const Pair& l, const Pair& r) { return l.a != r.a ? l.a < r.a : l.b < r.b; });
  const std::size_t most_crowded = static_cast<std::size_t>(definition_.max_pairs);
  if (neighbours_.are_crowded(pairs_, all, shapes_, most_crowded)) return false;
  for (int index : moved_) {
    moved_flag_[index] = 0;
    looked_[index].box = shapes_[index].fat;
  }
  moved_.clear();
  return true;
}

// The body with the most neighbours, within the limits of the count.
int Broadphase::most_crowded() const {
  int body = 0, largest = -1, left = looked_at;
  for (int i = 0; i < shapes_.count() && left > 0; ++i) {
    const WorldShape& shape = shapes_[i];
    if (shape.proxy < 0 || shape.body_kind == BodyKind::fixed) continue;
    int count = 0;
    auto visit = [&](int other) {
      count += should_collide(shape, shapes_[other]);
      return --left > 0 && count < most_neighbours;
    };
    moving_tree_.query(shape.fat, visit);
    if (count < most_neighbours) fixed_tree_.query(shape.fat, visit);
    if (count > largest) {
      largest = count;
      body = shape.body;
    }
  }
  return body;
}

}  // namespace rigid
