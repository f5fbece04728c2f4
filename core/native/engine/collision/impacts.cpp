// SPDX-License-Identifier: MIT
// Bounces, found and solved before a substep's forces act, in sweeps.
//
// A sweep finds the points that meet within the substep. For each body those of its first instant
// count; a later hit waits for the next sweep, since its velocity may differ then. Impacts of one
// instant that share a moving body are solved together (impact_group.h). In a row of touching balls
// only one pair approaches at first, so that sweeps pass the blow on from ball to ball, as in
// Newton's cradle.
//
// An impulse is that at the instant t of the impact, and the bodies are moved back by t times their
// change of velocity: after the whole substep they are at the end of the two arcs, before and after
// the impact.
//
// After the sweeps some bodies still press against others that have bounced, or arrive too slowly
// to bounce themselves. The solver visits contacts one by one, in an order that a symmetric scene
// does not have; so the approach is removed here, for all touching bodies together.
//
// Crowds, islands with very many dull impacts, are solved in one pass (crowds.cpp).
//
// Of all other impacts, a few sweeps suffice if they are very many. Impacts that would leave so
// slowly that a bounce makes no difference are excluded from later sweeps.
#include "engine/collision/impacts.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "engine/bodies/motion.h"
#include "engine/collision/impact_group.h"
#include "engine/data/constants.h"
#include "engine/data/trees.h"
#include "prefetch.h"

namespace rigid {

namespace {

constexpr int group_piece = 16;
constexpr int place_piece = 64;
constexpr int impacts_ahead = 12, places_ahead = 8,
              sums_ahead = 16;  // being prefetched

// One row for each point and direction; the lever arms of ImpactPlace::find.
void set_row(ImpactRow& row, int a, int b, Vec2 direction, Vec2 ra, Vec2 rb) {
  row.a = a;
  row.b = b;
  row.x = direction.x;
  row.y = direction.y;
  row.arm_a = cross(ra, direction);
  row.arm_b = cross(rb, direction);
  row.lower = row.upper = row.impulse = 0.0;
}

template <class Data>
void prefetch(const Data& data) {
  const char* line = reinterpret_cast<const char*>(&data);
  for (std::size_t at = 0; at < sizeof data; at += 64) prefetch_to_read(line + at);
}

// Joins impact i to the tree of the first impact of its body.
void join(std::vector<int>& parents, int i, int& first) {
  if (first < 0) first = i;
  join_trees(parents, first, i);
}

double relative_velocity(const ImpactRow& row, const BodyState& a, const BodyState& b) {
  return row.x * (static_cast<double>(b.vx) - a.vx) + row.y * (static_cast<double>(b.vy) - a.vy) +
         row.arm_b * b.omega - row.arm_a * a.omega;
}

}  // namespace

// Notes the bodies' masses for this step, once anything hits.
void Impacts::note_hit_bodies(const KernelContext& context) {
  if (hits_noted_) return;
  hits_noted_ = true;
  hits_.resize(bodies_.size());
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    hits_[i].inverse = without_damping(context.inverse_masses[i], bodies_, static_cast<int>(i));
    hits_[i].moves = can_move(bodies_.inverse_masses[i]);
  }
  crowds_.clear();
  placed_contacts_.clear();
  place_of_contact_.assign(contacts_.count(), -1);
}

// Finds the data shared by the impacts of each contact, from the first impact of a step on.
void Impacts::find_places() {
  const int known = static_cast<int>(placed_contacts_.size());
  for (Impact& impact : impacts_) {
    int& place = place_of_contact_[impact.contact];
    if (place < 0) {
      place = static_cast<int>(placed_contacts_.size());
      placed_contacts_.push_back(impact.contact);
    }
    impact.place = place;
  }
  const int count = static_cast<int>(placed_contacts_.size());
  impact_places_.resize(count);
  pool_.run(count - known, place_piece, [&](int begin, int end) {
    auto ahead = [&](int i, auto&& load) {
      if (i < count) load(contacts_[placed_contacts_[i]]);
    };
    for (int i = known + begin; i < known + end; ++i) {
      ahead(i + 3 * places_ahead, [](const Contact& contact) { prefetch(contact); });
      ahead(i + 2 * places_ahead, [this](const Contact& contact) {
        for (int shape : {contact.shape_a, contact.shape_b}) prefetch_to_read(&shapes_[shape]);
        for (int body : {contact.body_a, contact.body_b}) {
          prefetch_to_read(&bodies_[body]);
          prefetch_to_read(&bodies_[body].kind);
        }
      });
      ahead(i + places_ahead, [this](const Contact& contact) {
        for (int shape : {contact.shape_a, contact.shape_b}) {
          prefetch_to_read(shapes_.vertices.data() + shapes_[shape].first_vertex);
        }
      });
      find_place(contacts_[placed_contacts_[i]], impact_places_[i]);
    }
  });
}

// Sorts the impacts whose instant is the first of both their bodies into groups that share bodies.
void Impacts::group_impacts(int sweep) {
  const int count = static_cast<int>(impacts_.size());
  auto for_movers = [&](const Impact& impact, auto&& task) {
    for (int body : {impact.body_a, impact.body_b}) {
      Hit& hit = hits_[body];
      if (hit.moves) task(hit, body);
    }
  };
  for (const Impact& impact : impacts_) {
    for_movers(impact, [](Hit& hit, int) { hit.forget(); });
  }
  for (const Impact& impact : impacts_) {
    float first = std::max(impact.when[0], impact.when[1]);
    for (float when : impact.when) {
      if (when >= 0.0f) first = std::min(first, when);
    }
    for_movers(impact, [&](Hit& hit, int body) {
      hit.when = std::min(hit.when, first);
      impact_marks_[body] = static_cast<uint8_t>(sweep);
    });
  }
  impact_parents_.assign(count, -1);
  std::vector<int>& parents = impact_parents_;
  for (int i = 0; i < count; ++i) {
    Impact& impact = impacts_[i];
    float latest = std::numeric_limits<float>::infinity();
    for_movers(impact, [&](Hit& hit, int) { latest = std::min(latest, hit.when); });
    // A body that has almost arrived must bounce too: the solver would stop it on arrival.
    if (latest > parameters_.h + 0.5f * impact.margin) continue;
    latest += impact.margin;
    for (float& when : impact.when) {
      if (when > latest) when = -1.0f;
    }
    if (impact.when[0] < 0.0f && impact.when[1] < 0.0f) continue;
    parents[i] = i;
    for_movers(impact, [&](Hit& hit, int) { join(parents, i, hit.impact); });
  }
  sort_groups(parents);
}

// Sorts impacts into groups by their trees; -1 is an impact without a tree. A root is the first of
// its tree, and groups are in the order of their roots.
void Impacts::sort_groups(const std::vector<int>& parents) {
  const int count = static_cast<int>(parents.size());
  impact_groups_.assign(count, -1);
  std::vector<int>& group = impact_groups_;
  group_starts_.assign(1, 0);
  for (int i = 0; i < count; ++i) {
    if (parents[i] < 0) continue;
    if (parents[i] == i) {
      group[i] = static_cast<int>(group_starts_.size()) - 1;
      group_starts_.push_back(0);
    } else {
      group[i] = group[parents[i]];
    }
    ++group_starts_[group[i] + 1];
  }
  for (std::size_t i = 1; i < group_starts_.size(); ++i) group_starts_[i] += group_starts_[i - 1];
  impact_order_.resize(group_starts_.back());
  group_ends_.assign(group_starts_.begin(), group_starts_.end() - 1);
  for (int i = 0; i < count; ++i) {
    if (group[i] >= 0) impact_order_[group_ends_[group[i]]++] = i;
  }
}

// Sorts touching bodies, where one has bounced or arrives, into groups. Returns whether there are
// any.
bool Impacts::group_pressed() {
  const int count = static_cast<int>(impacts_.size());
  impact_parents_.resize(count);
  std::vector<int>& parents = impact_parents_;
  std::iota(parents.begin(), parents.end(), 0);
  auto root = [&](int i) { return find_root(parents, i); };
  auto for_movers = [&](int i, auto&& task) {
    for (int body : {impacts_[i].body_a, impacts_[i].body_b}) {
      if (hits_[body].moves) task(body);
    }
  };
  for (int i = 0; i < count; ++i) {
    for_movers(i, [&](int body) { hits_[body].forget(); });
  }
  for (int i = 0; i < count; ++i) {
    for_movers(i, [&](int body) { join(parents, i, hits_[body].impact); });
  }
  std::vector<int> sizes(count, 0);
  const float arrives = constants::arrival_share * parameters_.restitution_threshold;
  std::vector<uint8_t> hit(count, 0), held(count, 0);
  for (int i = 0; i < count; ++i) {
    const int group = root(i);
    sizes[group] += (impacts_[i].when[0] >= 0.0f) + (impacts_[i].when[1] >= 0.0f);
    hit[group] |= impacts_[i].approach > arrives;
    held[group] |= chains_.is_smooth_chain(contacts_[impacts_[i].contact]) ||
                   impact_problems_.hold(impacts_[i].contact);
    for_movers(i, [&](int body) {
      hit[group] |= impact_marks_[body] != 0;
      held[group] |= bodies_[body].acting_joints > 0;
    });
  }
  std::vector<uint8_t> taken(count, 0);
  for (int i = 0; i < count; ++i) {
    const int group = root(i);
    taken[i] =
        hit[group] && !held[group] && sizes[group] > 1 && sizes[group] <= constants::most_pressed;
  }
  for (int i = 0; i < count; ++i) {
    if (!taken[i]) parents[i] = -1;
  }
  sort_groups(parents);
  return group_starts_.size() > 1;
}

// Buffers for solving a group.
struct Impacts::Blow {
  struct Point {
    float *normal, *tangent;  // its sums
    float friction;
    float when;
    int body_a, body_b;
  };
  ImpactGroup group;
  // By number in the group; number 0 cannot move. The buffers may be larger than this group needs.
  std::vector<int> bodies;
  int body_count;
  // For each point.
  std::vector<ImpactRow> normals, tangents;
  std::vector<Point> points;
  std::vector<double> speeds;  // before the blow

  void make_room(std::size_t most) {
    if (points.size() >= most) return;
    bodies.resize(most + 2);
    normals.resize(most);
    tangents.resize(most);
    points.resize(most);
    speeds.resize(most);
  }
};

// Moves the bodies of a row to their positions for an impulse at a later instant.
void Impacts::move_back(const ImpactRow& row, float when, const Blow& blow) {
  auto move = [&](int member, double impulse, double arm) {
    if (member == ImpactGroup::fixed) return;
    const ImpactGroup::Member& inverse = blow.group.member(member);
    BodyState& state = bodies_.states[blow.bodies[member]];
    state.dx -= when * static_cast<float>(inverse.mass * impulse * row.x);
    state.dy -= when * static_cast<float>(inverse.mass * impulse * row.y);
    state.delta_angle -= when * static_cast<float>(inverse.inertia * impulse * arm);
  };
  if (when == 0.0f || row.impulse == 0.0) return;
  move(row.a, -row.impulse, row.arm_a);
  move(row.b, row.impulse, row.arm_b);
}

// The data of impacts is scattered in memory, so the next ones are prefetched.
void Impacts::prefetch_impact(int position) const {
  const int count = static_cast<int>(impact_order_.size());
  if (position + impacts_ahead < count) {
    prefetch(impacts_[impact_order_[position + impacts_ahead]]);
  }
  if (position >= count) return;
  const Impact& impact = impacts_[impact_order_[position]];
  prefetch(impact_places_[impact.place]);
  for (int k = 0; k < 2; ++k) {
    if (impact.when[k] < 0.0f) continue;
    prefetch_to_write(impact.total_normal[k]);
    prefetch_to_write(impact.total_normal[k] + impact.to_tangent);
  }
  for (int body : {impact.body_a, impact.body_b}) {
    prefetch_to_write(&bodies_.states[body]);
    prefetch_to_write(&hits_[body]);
  }
}

// Solves one group. Returns whether anything bounced.
bool Impacts::solve_impacts(const KernelContext& context, int first, int last, Blow& blow) {
  const StepParameters& p = parameters_;
  const bool pressed = context.impact_sweep == 0;
  const std::size_t most = 2 * static_cast<std::size_t>(last - first);
  blow.make_room(most);
  auto& [group, bodies, body_count, all_normals, all_tangents, points, speeds] = blow;
  group.resize(most + 2);
  group.set(ImpactGroup::fixed, {0, 0});
  body_count = 1;
  std::size_t count = 0;
  auto member = [&](int body) {
    Hit& hit = hits_[body];
    if (!hit.moves || !can_move(hit.inverse))
      return ImpactGroup::fixed;  // of a damaged pair, one
                                  // of the bodies
    // Half of them are new, which a branch could not predict.
    const bool is_new = hit.member < 0;
    blow.bodies[blow.body_count] = body;
    hit.member = is_new ? blow.body_count : hit.member;
    blow.group.set(blow.body_count, hit.inverse);
    blow.body_count += is_new;
    return hit.member;
  };
  for (int i = first; i < last; ++i) {
    const Impact& impact = impacts_[impact_order_[i]];
    const ImpactPlace& place = impact_places_[impact.place];
    prefetch_impact(i + impacts_ahead);
    const int a = member(impact.body_a), b = member(impact.body_b);
    const BodyState &state_a = bodies_.states[impact.body_a],
                    &state_b = bodies_.states[impact.body_b];
    const Vec2 n = place.normal, t = {n.y, -n.x};
    for (int k = 0; k < 2; ++k) {
      const float when = impact.when[k];
      if (when < 0.0f) continue;
      Vec2 ra, rb;
      place.find(k, when, state_a, state_b, ra, rb);
      ImpactRow &normal = all_normals[count], &tangent = all_tangents[count];
      set_row(normal, a, b, n, ra, rb);
      set_row(tangent, a, b, t, ra, rb);
      const double speed =
          relative_velocity(normal, state_a, state_b) + when * dot(place.gravity, n);
      const double rest = pressed ? impact.gap[k] * p.inverse_h : 0.0;
      normal.wanted = -(!pressed && speed < 0.0 ? 1.0 + place.restitution : 1.0) * speed - rest;
      normal.upper = std::numeric_limits<double>::infinity();
      tangent.wanted = place.tangent_speed - when * dot(place.gravity, t) -
                       relative_velocity(tangent, state_a, state_b);
      speeds[count] = speed;
      points[count++] = {impact.total_normal[k], impact.total_normal[k] + impact.to_tangent,
                         place.friction,         when,
                         impact.body_a,          impact.body_b};
    }
  }
  group.resize(body_count);
  const std::span<ImpactRow> normals{all_normals.data(), count},
      tangents{all_tangents.data(), count};
  group.solve_normals(normals, {speeds.data(), count});
  bool bounced = false;
  for (std::size_t i = 0; i < count; ++i) {
    bounced |= normals[i].impulse > 0;
    // Where several blows together reverse the slip, friction has acted in both directions.
    // Friction against the slip after them would remove the bounce itself, as of a ball between two
    // walls: the slip is kept, up to its speed before. Without this bound, rounding would decide
    // the motion of a point that did not slip before.
    double& wanted = tangents[i].wanted;
    const double left = wanted - group.change(tangents[i]);
    if (last - first > 1 && wanted * left < 0) {
      if (std::fabs(left) <= std::fabs(wanted)) continue;
      wanted *= 2;
    }
    tangents[i].upper = points[i].friction * normals[i].impulse;
    tangents[i].lower = -tangents[i].upper;
  }
  if (!bounced) return false;
  group.solve_tangents(tangents);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + sums_ahead < count) {
      prefetch_to_write(points[i + sums_ahead].normal);
      prefetch_to_write(points[i + sums_ahead].tangent);
    }
    *points[i].normal += static_cast<float>(normals[i].impulse);
    *points[i].tangent += static_cast<float>(tangents[i].impulse);
    if (bearer_.empty()) continue;
    for (const ImpactRow& row : {normals[i], tangents[i]}) {
      const double x = row.impulse * row.x, y = row.impulse * row.y;
      bearer_.add(points[i].body_a, -x, -y, -row.impulse * row.arm_a);
      bearer_.add(points[i].body_b, x, y, row.impulse * row.arm_b);
    }
  }
  // Pressing contacts have no common instant.
  for (std::size_t i = 0; pressed && i < count; ++i) {
    for (const ImpactRow& row : {normals[i], tangents[i]}) move_back(row, points[i].when, blow);
  }
  float instant = 0.0f;
  for (std::size_t i = 0; !pressed && i < count; ++i) instant = std::max(instant, points[i].when);
  for (int i = 1; i < body_count; ++i) {
    const ImpactGroup::Member& change = group.member(i);
    BodyState& state = bodies_.states[bodies[i]];
    const float vx = static_cast<float>(change.vx), vy = static_cast<float>(change.vy),
                spin = static_cast<float>(change.spin);
    state.vx += vx;
    state.vy += vy;
    state.omega += spin;
    if (!pressed) mark_thrown(bodies[i]);
    state.dx -= instant * vx;
    state.dy -= instant * vy;
    if (spin == 0.0f && !pressed) continue;
    state.delta_angle -= instant * spin;
    const Rotation q = small_rotation(state.delta_angle);
    state.c = q.c;
    state.s = q.s;
  }
  return true;
}

// Returns whether anything bounced.
bool Impacts::solve_groups(const KernelContext& context) {
  std::atomic<bool> bounced{false};
  pool_.run(static_cast<int>(group_starts_.size()) - 1, group_piece, [&](int begin, int end) {
    Blow blow;
    for (int i = begin; i < end; ++i) {
      if (solve_impacts(context, group_starts_[i], group_starts_[i + 1], blow)) bounced = true;
    }
  });
  return bounced;
}

void Impacts::drop_left_out() {
  std::erase_if(impacts_, [this](const Impact& impact) {
    return left_out_[impact.body_a] != 0 || left_out_[impact.body_b] != 0;
  });
}

std::vector<int> Impacts::hit_and_held() const {
  std::vector<int> bodies;
  for (int i : bodies_.awake_list) {
    if (impact_marks_[i] != 0 && bodies_[i].acting_joints > 0) bodies.push_back(i);
  }
  return bodies;
}

bool Impacts::run_impacts() {
  if (!lanes_.stages().restitution) return false;
  impact_marks_.assign(bodies_.size(), 0);
  bearer_.note(Share::none);
  KernelContext context = bearer_.contact_context();
  context.impact_marks = impact_marks_.data();
  const int looks = lanes_.contact_count();
  const int most = std::max(constants::impact_sweeps, constants::impact_looks / std::max(looks, 1));
  bool any = false;
  int budget = constants::impact_budget;
  if (!hits_noted_) crowded_.clear();
  const bool known = !crowded_.empty();  // from an earlier substep
  if (known) solve_crowds(context);
  any = known;
  for (int sweep = 1; sweep <= most; ++sweep) {
    // Marks are bytes, and 0 means no mark.
    context.impact_sweep = static_cast<uint8_t>((sweep - 1) % 255 + 1);
    lanes_.find_impacts(context, &ContactKernels::find_impacts, impacts_);
    if (!left_out_.empty()) drop_left_out();
    if (impacts_.empty()) break;
    note_hit_bodies(context);
    if (sweep == 1 && !known && find_crowds()) {
      solve_crowds(context);
      any = true;
    }
    if (!crowded_.empty()) drop_crowded();
    if (impacts_.empty()) break;
    find_places();
    group_impacts(context.impact_sweep);
    const bool bounced = solve_groups(context);
    any |= bounced;
    const int count = static_cast<int>(impacts_.size());
    if (count > constants::few_impacts || sweep <= constants::impact_sweeps) budget -= count;
    if (budget < 0) context.least_rebound = parameters_.slowest_impact;
    if (!bounced || (sweep >= constants::impact_sweeps_always && budget < 0)) break;
    // The remaining impacts are a light body bouncing between heavy ones.
    pool_.charge(looks, constants::impact_looks / 100);
  }
  if (lanes_.contact_count() <= constants::most_settled) {
    context.impact_sweep = 0;
    lanes_.find_impacts(context, &ContactKernels::find_pressed, impacts_);
    if (!impacts_.empty()) {
      note_hit_bodies(context);
      find_places();
      if (group_pressed() && solve_groups(context)) any = true;
    }
  }
  bodies_.any_thrown |= any;
  bearer_.apply_pushes();
  return any;
}

}  // namespace rigid
