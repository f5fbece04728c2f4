// What comes and goes while a world runs.
//
// Whatever is taken out gives back its slots, which what comes later takes again: a world in which
// as much dies as is born stays as large as it is. Nothing of what was there may be left behind for
// the next one in its place.
#include <algorithm>

#include "engine/world.h"

namespace rigid {

void World::keep_slots() {
  for (Slots* slots : {&body_slots_, &joint_slots_, &force_slots_, &point_slots_}) slots->keep();
}

void World::unlink_joint(int index) {
  Joint& joint = joints_[index];
  deactivate_joint(index);
  if (joint.collide) return;
  joint.collide = true;
  auto entry = joined_.find(joined_key(joint.body_a, joint.body_b));
  if (entry == joined_.end() || --entry->second > 0) return;
  joined_.erase(entry);
  // The two may touch from now on: let the broad phase look at one of them again.
  for (int body : {joint.body_a, joint.body_b}) {
    for (int shape : body_shapes_[body]) {
      if (shapes_[shape].proxy >= 0 && !moved_flag_[shape]) {
        moved_flag_[shape] = 1;
        moved_.push_back(shape);
      }
    }
  }
}

void World::remove_joint(int index) {
  Joint& joint = joints_[index];
  if (!joint.alive) return;
  wake_body(joint.body_a);
  wake_body(joint.body_b);
  unlink_joint(index);
  joint.alive = false;
  std::erase(breakable_, index);
  joint_slots_.give_back(index);
  ++removals_;
}

void World::remove_force(int index) {
  ForceSource& force = forces_[index];
  if (!force.alive) return;
  force.alive = force.enabled = false;
  force_slots_.give_back(index);
}

// Gives back the slot of a shape that nothing touches any more.
void World::remove_shape(int index) {
  WorldShape& shape = shapes_[index];
  destroy_proxy(index);
  vertex_runs_.give_back(shape.first_vertex, vertex_count(shape));
  shape = WorldShape{};
  shape.alive = false;
  shape.count = 1;
  shape_slots_.give_back(index);
}

// The last bar takes the place of the one that goes.
void World::remove_bar(int body) {
  const int bar = bar_of(body);
  if (bar < 0) return;
  bars_[bar] = bars_.back();
  bar_of_[bars_[bar].body] = bar;
  bar_of_[body] = -1;
  bars_.pop_back();
}

// Nothing is led along a body's chains any more, nor is the body along others.
void World::remove_tracks(int body) {
  const auto is_own = [&](const ChainTrack& track) {
    return track.chain == body || shapes_[track.shape].body == body;
  };
  std::erase_if(tracks_, is_own);
  std::erase_if(strands_, [body](const Strand& strand) { return strand.body == body; });
}

// The links of a body's chains go, and those behind them move up.
void World::remove_links(int body) {
  const std::vector<int>& own = body_shapes_[body];
  if (std::none_of(own.begin(), own.end(), [this](int s) { return shapes_[s].link >= 0; })) return;
  std::vector<int> now(links_.size(), -1);
  int count = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const int line = line_of_link_[i];
    if (shapes_[line].body == body) {
      shapes_[line].link = -1;
      continue;
    }
    links_[count] = links_[i];
    line_of_link_[count] = line;
    shapes_[line].link = now[i] = count++;
  }
  links_.resize(count);
  line_of_link_.resize(count);
  for (ChainLink& link : links_) {
    for (int& other : link.neighbour) other = other < 0 ? -1 : now[other];
    link.chain = now[link.chain];
  }
  std::erase_if(crossings_, [&](const ChainCrossing& crossing) { return now[crossing.chain] < 0; });
  for (ChainCrossing& crossing : crossings_) crossing.chain = now[crossing.chain];
  std::erase_if(strands_, [&](const Strand& strand) { return now[strand.link] < 0; });
  for (Strand& strand : strands_) strand.link = now[strand.link];
  for (ChainTrack& track : tracks_) {
    track.link = now[track.link];
    track.start_link = now[track.start_link];
  }
}

void World::remove_body(int index) {
  if (index <= 0 || !alive_[index]) return;
  finish();
  wake_body(index);
  for (const Contact& contact : contacts_) {
    if (!contact.alive || (contact.body_a != index && contact.body_b != index)) continue;
    wake_body(contact.body_a == index ? contact.body_b : contact.body_a);
  }
  apply_wakes();
  for (int i = 0; i < joint_count(); ++i) {
    if (joints_[i].body_a == index || joints_[i].body_b == index) remove_joint(i);
  }
  for (int i = 0; i < force_count(); ++i) {
    if (forces_[i].body == index) remove_force(i);
  }
  for (int i = 0; i < point_count(); ++i) {
    if (points_[i].body != index) continue;
    points_[i] = {};
    point_slots_.give_back(i);
  }
  std::vector<uint8_t> gone(bodies_.size(), 0);
  gone[index] = 1;
  destroy_contacts_of(gone);
  remove_bar(index);
  remove_tracks(index);
  remove_links(index);
  for (int shape : body_shapes_[index]) remove_shape(shape);
  body_shapes_[index].clear();
  ignored_.remove_all_of(index);
  alive_[index] = awake_[index] = 0;
  masses_[index] = heavy_masses_[index] = step_masses_[index] = {0, 0};
  states_[index].vx = states_[index].vy = states_[index].omega = 0.0f;
  body_slots_.give_back(index);
  ++removals_;
  awake_dirty_ = true;
}

}  // namespace rigid
