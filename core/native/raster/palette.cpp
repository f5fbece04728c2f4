// SPDX-License-Identifier: MIT
// Choice of the entries, and the representation of colours by them. All in whole numbers.
#include "raster/palette.h"

#include <algorithm>
#include <limits>

namespace rigid::raster {

namespace {

constexpr int most_entries = 256;
constexpr int few_entries = 128;            // a picture that needs more has all the others, too
constexpr std::size_t most_own = 200;       // entries for colours given
constexpr std::size_t most_flat = 64;       // entries for colours of large areas
constexpr int flat_part = 1000;             // such an area has a part of so many of the pixels
constexpr int area_part = 16384;            // and an area that is mixed of two entries
constexpr std::size_t many_colors = 16384;  // more are put together before a choice
constexpr int rounds = 4;                   // in which chosen entries move to their colours' means
constexpr int levels = 16;                  // of mixtures

// Squares of distances are in units of 3/8: a step of all channels by 1 is 8/3.
constexpr int hardly_visible = 3;       // 1 step
constexpr int bad = 267;                // 10 steps
constexpr int visible_at_edges = 1067;  // 20 steps
constexpr int reach = 1000;             // between entries that are mixed: 19 steps
constexpr int unrest = 8;               // a mixture's own contrast counts as one part of so many
constexpr int loss_of_all = 2;          // a loss matters that is a half for each pixel

// The eye is most sensitive to green, least to blue.
int square_distance(Rgb a, Rgb b) {
  int r = a[0] - b[0], g = a[1] - b[1], u = a[2] - b[2];
  return (2 * r * r + 4 * g * g + 2 * u * u) / 3;
}

uint32_t hash_of(uint32_t key) { return (key * 2654435761u) >> 7; }

// The whole part of a root, without floating point.
int64_t root(int64_t square) {
  int64_t result = 0;
  for (int64_t bit = int64_t{1} << 20; bit > 0; bit >>= 1) {
    if ((result + bit) * (result + bit) <= square) result += bit;
  }
  return result;
}

// The error beyond which a new colour gets an entry: the less room, the larger.
int tolerance(int room) { return 8 + 3000 / room; }

}  // namespace

Palette::Palette(std::span<const Rgb> own, int reserve)
    : entries_(1, Rgb{}), table_(1 << 12, Slot{}), reserve_(reserve) {
  for (Rgb color : own) {
    const bool there = std::find(own_.begin(), own_.end(), color) != own_.end();
    if (!there && own_.size() < most_own) own_.push_back(color);
  }
}

void Palette::forget_colors() {
  known_.clear();
  mixtures_.clear();
  std::fill(table_.begin(), table_.end(), Slot{});
  represented_ = 0;
  last_key_ = ~uint32_t{0};
}

uint32_t Palette::look_up(uint32_t key) {
  const uint32_t mask = static_cast<uint32_t>(table_.size()) - 1;
  uint32_t slot = hash_of(key) & mask;
  for (; table_[slot].number_plus_1 != 0; slot = (slot + 1) & mask) {
    if (table_[slot].key != key) continue;
    const uint32_t number = table_[slot].number_plus_1 - 1;
    if (is_new(number)) ++known_[number].pixels;
    return number;
  }
  KnownColor color;
  color.color = {static_cast<uint8_t>(key >> 16), static_cast<uint8_t>(key >> 8),
                 static_cast<uint8_t>(key)};
  color.pixels = 1;
  known_.push_back(color);
  mixtures_.emplace_back();
  const auto number = static_cast<uint32_t>(known_.size());
  table_[slot] = {key, number};
  if (2 * known_.size() > table_.size()) grow_table();
  return number - 1;
}

void Palette::grow_table() {
  std::vector<Slot> larger(2 * table_.size(), Slot{});
  const uint32_t mask = static_cast<uint32_t>(larger.size()) - 1;
  for (const Slot& each : table_) {
    if (each.number_plus_1 == 0) continue;
    uint32_t slot = hash_of(each.key) & mask;
    while (larger[slot].number_plus_1 != 0) slot = (slot + 1) & mask;
    larger[slot] = each;
  }
  table_.swap(larger);
}

int Palette::nearest(Rgb color, int& square) const {
  int best = 0;
  square = std::numeric_limits<int>::max();
  for (int i = 1; i < size(); ++i) {
    const int d = square_distance(color, entries_[i]);
    if (d < square) {
      square = d;
      best = i;
    }
  }
  return best;
}

void Palette::find_nearest(KnownColor& known) const {
  known.near = static_cast<uint8_t>(nearest(known.color, known.error));
}

// Whether so many pixels of a colour are within areas that it is not only seen along edges.
bool Palette::is_area(int64_t inner) const { return inner * area_part > pixels_; }

// Entries beyond those that are worth it make a file larger, and nothing better that is visible.
// Areas are worth an entry for any visible error; edges for large ones, or for many small ones.
bool Palette::is_worth_an_entry(const Loss& loss) const {
  return loss.most_of_areas > hardly_visible || loss.most > visible_at_edges ||
         loss.sum * loss_of_all > pixels_;
}

void Palette::Loss::add(int64_t pixels, int square, bool is_area) {
  sum += pixels * square;
  most = std::max(most, square);
  if (is_area) most_of_areas = std::max(most_of_areas, square);
}

// The entry nearest to a colour; or, for one of large areas, a mixture of it and another that is
// nearer on average.
void Palette::represent(uint32_t number) {
  KnownColor& known = known_[number];
  Mixture& mixture = mixtures_[number];
  const Rgb color = known.color;
  const int near = known.near;
  known.stale = false;
  mixture.first = mixture.second = static_cast<uint8_t>(near);
  mixture.level = 0;
  mixture.is_bad = known.error > bad;
  if (known.error <= hardly_visible || mixture.is_bad) return;
  if (!is_area(known.inner)) return;
  const Rgb from = entries_[near];
  const int toward[3] = {2 * (color[0] - from[0]), 4 * (color[1] - from[1]),
                         2 * (color[2] - from[2])};
  int best = known.error * levels * levels, other = 0, part = 0;
  for (int i = 1; i < size(); ++i) {
    const int d[3] = {entries_[i][0] - from[0], entries_[i][1] - from[1], entries_[i][2] - from[2]};
    const int along = toward[0] * d[0] + toward[1] * d[1] + toward[2] * d[2];
    if (along <= 0) continue;
    const int length = 2 * d[0] * d[0] + 4 * d[1] * d[1] + 2 * d[2] * d[2];
    if (length > 3 * reach) continue;
    const int level = std::min((2 * levels * along + length) / (2 * length), levels / 2);
    if (level == 0) continue;
    int away = level * (levels - level) * length / unrest;
    for (int c = 0; c < 3; ++c) {
      const int left = levels * (color[c] - from[c]) - level * d[c];
      away += (c == 1 ? 4 : 2) * left * left;
    }
    if (away / 3 < best) {
      best = away / 3;
      other = i;
      part = level;
    }
  }
  if (other == 0) return;
  // The order of two entries is always the same, so that neighbouring mixtures fit together.
  const bool swapped = other < near;
  mixture.first = static_cast<uint8_t>(swapped ? other : near);
  mixture.second = static_cast<uint8_t>(swapped ? near : other);
  mixture.level = static_cast<uint8_t>(swapped ? levels - part : part);
}

void Palette::choose() {
  entries_.assign(1, Rgb{});
  const bool are_many = known_.size() > most_entries;
  for (Rgb color : own_) {
    if (!are_many || is_known(color)) entries_.push_back(color);
  }
  keep_flat_areas();
  const int fixed = size();
  std::vector<Weighted> colors = weighted_colors();
  cut(colors);
  settle(colors, fixed);
  represented_ = static_cast<uint32_t>(known_.size());
  for (uint32_t i = 0; i < represented_; ++i) {
    find_nearest(known_[i]);
    represent(i);
  }
  bad_news_ = false;
}

bool Palette::is_known(Rgb color) const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const KnownColor& known) { return known.color == color; });
}

// Flat areas get their colours exactly.
void Palette::keep_flat_areas() {
  pixels_ = 0;
  for (const KnownColor& known : known_) pixels_ += known.pixels;
  std::vector<const KnownColor*> flat;
  for (const KnownColor& known : known_) {
    if (int64_t{known.pixels} * flat_part > pixels_) flat.push_back(&known);
  }
  std::sort(flat.begin(), flat.end(), [](const KnownColor* a, const KnownColor* b) {
    return a->pixels != b->pixels ? a->pixels > b->pixels : a->color < b->color;
  });
  const auto room = static_cast<std::size_t>(most_entries - reserve_ - size());
  flat.resize(std::min({flat.size(), most_flat, room}));
  for (const KnownColor* each : flat) {
    int square;
    if (nearest(each->color, square) == 0 || square > 0) entries_.push_back(each->color);
  }
}

// The colours that have no entry. The weight is the root of the number of pixels, since thin lines
// and edges matter more than their few pixels. Too many colours become means of small cubes.
std::vector<Palette::Weighted> Palette::weighted_colors() const {
  std::vector<Weighted> colors;
  for (const KnownColor& known : known_) {
    if (std::find(entries_.begin() + 1, entries_.end(), known.color) == entries_.end()) {
      colors.push_back({known.color, known.pixels, known.pixels, known.inner});
    }
  }
  if (colors.size() > many_colors) {
    struct Cube {
      int64_t pixels = 0, inner = 0, sums[3] = {0, 0, 0};
    };
    std::vector<Cube> cubes(1 << 15);
    for (const Weighted& each : colors) {
      const Rgb c = each.color;
      Cube& cube = cubes[(c[0] >> 3) << 10 | (c[1] >> 3) << 5 | c[2] >> 3];
      cube.pixels += each.pixels;
      cube.inner += each.inner;
      for (int i = 0; i < 3; ++i) cube.sums[i] += each.pixels * c[i];
    }
    colors.clear();
    for (const Cube& cube : cubes) {
      if (cube.pixels == 0) continue;
      Rgb mean;
      for (int i = 0; i < 3; ++i) mean[i] = static_cast<uint8_t>(cube.sums[i] / cube.pixels);
      colors.push_back({mean, cube.pixels, cube.pixels, cube.inner});
    }
  }
  for (Weighted& each : colors) each.weight = root(16 * each.weight);
  return colors;
}

// Divides the colours into boxes, always the one with the greatest spread, at its mean; each box
// becomes an entry.
void Palette::cut(std::vector<Weighted>& colors) {
  struct Box {
    std::size_t begin, end;
    int64_t spread = 0;
    int axis = 0;
    Rgb mean{};
  };
  constexpr int importance[3] = {2, 4, 2};
  bool all = false;  // boxes matter, also those of small losses
  auto measure = [&](std::size_t begin, std::size_t end) {
    Box box{begin, end};
    int64_t weight = 0, sums[3] = {0, 0, 0}, spreads[3] = {0, 0, 0};
    Loss loss;
    for (std::size_t i = begin; i < end; ++i) {
      weight += colors[i].weight;
      for (int c = 0; c < 3; ++c) sums[c] += colors[i].weight * colors[i].color[c];
    }
    for (int c = 0; c < 3; ++c) box.mean[c] = static_cast<uint8_t>(sums[c] / weight);
    for (std::size_t i = begin; i < end; ++i) {
      const int error = square_distance(colors[i].color, box.mean);
      loss.add(colors[i].pixels, error, is_area(colors[i].inner));
      for (int c = 0; c < 3; ++c) {
        const int d = colors[i].color[c] - box.mean[c];
        spreads[c] += colors[i].weight * importance[c] * d * d;
      }
    }
    const bool matters = all || is_worth_an_entry(loss);
    for (int c = 0; c < 3; ++c) {
      box.spread += matters ? spreads[c] : 0;
      if (spreads[c] > spreads[box.axis]) box.axis = c;
    }
    return box;
  };
  const int room = most_entries - reserve_ - size();
  has_many_ = false;
  if (colors.empty() || room <= 0) return;
  std::vector<Box> boxes{measure(0, colors.size())};
  while (static_cast<int>(boxes.size()) < room) {
    const auto widest = std::max_element(
        boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.spread < b.spread; });
    if (widest->spread == 0) {
      if (all || size() + static_cast<int>(boxes.size()) <= few_entries) break;
      all = true;
      for (Box& box : boxes) box = measure(box.begin, box.end);
      continue;
    }
    const Box box = *widest;
    const auto middle = std::stable_partition(
        colors.begin() + static_cast<std::ptrdiff_t>(box.begin),
        colors.begin() + static_cast<std::ptrdiff_t>(box.end),
        [&](const Weighted& each) { return each.color[box.axis] <= box.mean[box.axis]; });
    const auto at = static_cast<std::size_t>(middle - colors.begin());
    *widest = measure(box.begin, at);
    boxes.push_back(measure(at, box.end));
  }
  has_many_ = all || static_cast<int>(boxes.size()) == room;
  for (const Box& box : boxes) entries_.push_back(box.mean);
}

// Moves the entries from `fixed` on to the means of the colours that are nearest to them.
void Palette::settle(const std::vector<Weighted>& colors, int fixed) {
  struct Sum {
    int64_t weight = 0, sums[3] = {0, 0, 0};
  };
  for (int round = 0; round < rounds; ++round) {
    std::vector<Sum> means(entries_.size());
    for (const Weighted& each : colors) {
      int square;
      Sum& mean = means[nearest(each.color, square)];
      mean.weight += each.weight;
      for (int c = 0; c < 3; ++c) mean.sums[c] += each.weight * each.color[c];
    }
    for (int i = fixed; i < size(); ++i) {
      if (means[i].weight == 0) continue;
      for (int c = 0; c < 3; ++c) {
        entries_[i][c] =
            static_cast<uint8_t>((2 * means[i].sums[c] + means[i].weight) / (2 * means[i].weight));
      }
    }
  }
  int kept = fixed;
  for (int i = fixed; i < size(); ++i) {
    const auto end = entries_.begin() + kept;
    if (std::find(entries_.begin() + 1, end, entries_[i]) == end) entries_[kept++] = entries_[i];
  }
  entries_.resize(kept);
}

void Palette::add_entry(Rgb color) {
  entries_.push_back(color);
  for (KnownColor& known : known_) {
    const int d = square_distance(known.color, color);
    if (d >= known.error) continue;
    known.error = d;
    known.near = static_cast<uint8_t>(size() - 1);
    known.stale = true;
  }
}

bool Palette::extend() {
  const uint32_t fresh = represented_, end = static_cast<uint32_t>(known_.size());
  represented_ = end;
  bad_news_ = false;
  if (fresh == end) return false;
  for (uint32_t i = fresh; i < end; ++i) {
    find_nearest(known_[i]);
    known_[i].stale = true;
  }
  bool added = false;
  for (uint32_t i = fresh; i < end && size() < most_entries; ++i) {
    const Rgb color = known_[i].color;
    if (known_[i].error == 0 || std::find(own_.begin(), own_.end(), color) == own_.end()) continue;
    add_entry(color);
    added = true;
  }
  auto gain = [&](const KnownColor& known) {
    Loss loss;
    loss.add(known.pixels, known.error, is_area(known.inner));
    return is_worth_an_entry(loss) ? loss.sum : 0;
  };
  while (size() < most_entries) {
    uint32_t worst = fresh;
    int64_t most = 0;
    for (uint32_t i = fresh; i < end; ++i) {
      const int64_t own = gain(known_[i]);
      if (own > most) {
        most = own;
        worst = i;
      }
    }
    if (most == 0) break;
    if (known_[worst].error <= tolerance(most_entries - size())) break;
    add_entry(known_[worst].color);
    added = true;
  }
  bool older = false;
  for (uint32_t i = added ? 0 : fresh; i < end; ++i) {
    if (!known_[i].stale) continue;
    represent(i);
    older = older || i < fresh;
    bad_news_ = bad_news_ || (i >= fresh && mixtures_[i].is_bad);
  }
  return older;
}

bool Palette::release(int reserve) {
  bool added = false;
  while (has_many_ && size() < most_entries - reserve) {
    const Rgb color = most_missed();
    int square;
    if (nearest(color, square) == 0 || square == 0) break;
    add_entry(color);
    added = true;
  }
  for (uint32_t i = 0; added && i < represented_; ++i) {
    if (known_[i].stale) represent(i);
  }
  return added;
}

// The mean of the colours of one entry that are farther from it than most, of the entry that is
// off by most in all; that entry itself if all are shown as they are.
Rgb Palette::most_missed() const {
  struct Cluster {
    int64_t loss = 0, pixels = 0;
  };
  std::vector<Cluster> clusters(entries_.size());
  for (uint32_t i = 0; i < represented_; ++i) {
    Cluster& cluster = clusters[known_[i].near];
    cluster.loss += int64_t{known_[i].pixels} * known_[i].error;
    cluster.pixels += known_[i].pixels;
  }
  const auto worst =
      std::max_element(clusters.begin(), clusters.end(),
                       [](const Cluster& a, const Cluster& b) { return a.loss < b.loss; });
  const int entry = static_cast<int>(worst - clusters.begin());
  int64_t weight = 0, sums[3] = {0, 0, 0};
  for (uint32_t i = 0; i < represented_; ++i) {
    const KnownColor& known = known_[i];
    if (known.near != entry || known.error * worst->pixels <= worst->loss) continue;
    weight += known.pixels;
    for (int c = 0; c < 3; ++c) sums[c] += int64_t{known.pixels} * known.color[c];
  }
  Rgb mean = entries_[entry];
  for (int c = 0; c < 3 && weight > 0; ++c) {
    mean[c] = static_cast<uint8_t>((2 * sums[c] + weight) / (2 * weight));
  }
  return mean;
}

}  // namespace rigid::raster
