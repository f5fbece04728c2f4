// SPDX-License-Identifier: MIT
// The colours of a GIF: up to 255, chosen for the frames, and mixtures of two of them by position.
#ifndef RIGID_RASTER_PALETTE_H
#define RIGID_RASTER_PALETTE_H

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace rigid::raster {

using Rgb = std::array<uint8_t, 3>;

// The entries of a colour. It is shown as `second` where the threshold of a pixel's place is below
// `level`, otherwise as `first`: this depends on nothing else, so still areas stay still.
struct Mixture {
  uint8_t first = 0, second = 0, level = 0;
  bool is_bad = false;  // no entry is near
};

// A colour of the frames.
struct KnownColor {
  Rgb color;
  bool stale = false;   // a new entry is nearer
  uint8_t near = 0;     // the nearest entry
  int error = 0;        // squared distance to the nearest entry
  uint32_t pixels = 0;  // counted while it waits for an entry
  uint32_t inner = 0;   // of them, in its first frame, those between pixels of about this colour
};

// Numbers all colours that appear, and represents each by entries. Entry 0 is the transparent one.
class Palette {
 public:
  // `own` colours have entries from where they appear, in a picture of few colours from the start;
  // `reserve` entries are left to later frames.
  Palette(std::span<const Rgb> own, int reserve);

  // The number of a colour; a new one waits for `choose` or `extend`.
  uint32_t number(const uint8_t* pixel) {
    const uint32_t key = static_cast<uint32_t>(pixel[0]) << 16 | pixel[1] << 8 | pixel[2];
    if (key == last_key_) {
      if (is_new(last_number_)) ++known_[last_number_].pixels;
      return last_number_;
    }
    last_key_ = key;
    return last_number_ = look_up(key);
  }
  const Mixture& mixture(uint32_t number) const { return mixtures_[number]; }
  int colors() const { return static_cast<int>(known_.size()); }
  // Whether a colour waits for `choose` or `extend`.
  bool is_new(uint32_t number) const { return number >= represented_; }
  void count_inner(uint32_t number) { ++known_[number].inner; }
  void forget_colors();

  // Chooses entries for the known colours by their numbers of pixels, and leaves room for others.
  void choose();
  // Represents the new colours, with more entries while there is room. Returns whether older
  // colours are shown differently then.
  bool extend();
  // Reserves at most `reserve` entries for later frames, if the picture had more colours than
  // entries, and gives the others to known colours. Returns whether that changes anything.
  bool release(int reserve);
  // Whether one of the colours that `extend` took last is represented badly.
  bool has_bad_news() const { return bad_news_; }

  int size() const { return static_cast<int>(entries_.size()); }
  const std::vector<Rgb>& entries() const { return entries_; }

 private:
  uint32_t look_up(uint32_t key);
  void grow_table();
  void represent(uint32_t number);
  void add_entry(Rgb color);
  int nearest(Rgb color, int& square) const;
  void find_nearest(KnownColor& known) const;
  // How far pixels are off, as squares of distances.
  struct Loss {
    int64_t sum = 0;
    int most = 0, most_of_areas = 0;
    void add(int64_t pixels, int square, bool is_area);
  };
  struct Weighted {
    Rgb color;
    int64_t weight, pixels, inner;
  };
  std::vector<Weighted> weighted_colors() const;
  bool is_area(int64_t inner) const;
  bool is_known(Rgb color) const;
  bool is_worth_an_entry(const Loss& loss) const;
  Rgb most_missed() const;
  void keep_flat_areas();
  void cut(std::vector<Weighted>& colors);
  void settle(const std::vector<Weighted>& colors, int fixed);

  std::vector<Rgb> own_;
  std::vector<Rgb> entries_;
  struct Slot {
    uint32_t key, number_plus_1;
  };
  std::vector<KnownColor> known_;
  std::vector<Mixture> mixtures_;  // of the known colours
  std::vector<Slot> table_;        // by hash of the colour
  uint32_t represented_ = 0;       // colours before this one are represented
  uint32_t last_key_ = ~uint32_t{0}, last_number_ = 0;
  int64_t pixels_ = 0;  // of the image for which entries were chosen
  int reserve_;
  bool has_many_ = false;  // the image for which entries were chosen needs all of them
  bool bad_news_ = false;
};

}  // namespace rigid::raster

#endif
