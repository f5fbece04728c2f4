// SPDX-License-Identifier: MIT
// The rounds of BLAKE2b, and the hash of one text or number.
#include "seeded/blake2b.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "math.h"

namespace rigid {

namespace {

constexpr std::size_t block_bytes = 128;
constexpr uint64_t digest_bytes = 8;
using Words = std::array<uint64_t, 8>;

// The fractional parts of the square roots of the first eight primes (RFC 7693, 2.6).
constexpr Words beginning{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                          0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                          0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// The order of the words in each round (RFC 7693, 2.7); the last two are the first two again.
constexpr uint8_t order[12][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                   {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                   {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                   {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                   {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                   {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                   {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                   {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                   {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                   {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
                                   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                   {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

// The mixing function G (RFC 7693, 3.1).
RIGID_INLINE void mix(uint64_t& a, uint64_t& b, uint64_t& c, uint64_t& d, uint64_t x, uint64_t y) {
  a = a + b + x;
  d = std::rotr(d ^ a, 32);
  c = c + d;
  b = std::rotr(b ^ c, 24);
  a = a + b + y;
  d = std::rotr(d ^ a, 16);
  c = c + d;
  b = std::rotr(b ^ c, 63);
}

// A round with an order of the words.
RIGID_INLINE void mix_all(std::array<uint64_t, 16>& v, const std::array<uint64_t, 16>& words,
                          const uint8_t* s) {
  mix(v[0], v[4], v[8], v[12], words[s[0]], words[s[1]]);
  mix(v[1], v[5], v[9], v[13], words[s[2]], words[s[3]]);
  mix(v[2], v[6], v[10], v[14], words[s[4]], words[s[5]]);
  mix(v[3], v[7], v[11], v[15], words[s[6]], words[s[7]]);
  mix(v[0], v[5], v[10], v[15], words[s[8]], words[s[9]]);
  mix(v[1], v[6], v[11], v[12], words[s[10]], words[s[11]]);
  mix(v[2], v[7], v[8], v[13], words[s[12]], words[s[13]]);
  mix(v[3], v[4], v[9], v[14], words[s[14]], words[s[15]]);
}

#ifdef RIGID_SMALL

void mix_rounds(std::array<uint64_t, 16>& v, const std::array<uint64_t, 16>& words) {
  for (const auto& s : order) mix_all(v, words, s);
}

#else

// The places are known when it is compiled, which is faster.
template <std::size_t... rounds>
inline void mix_each(std::array<uint64_t, 16>& v, const std::array<uint64_t, 16>& words,
                     std::index_sequence<rounds...>) {
  (mix_all(v, words, order[rounds]), ...);
}
inline void mix_rounds(std::array<uint64_t, 16>& v, const std::array<uint64_t, 16>& words) {
  mix_each(v, words, std::make_index_sequence<std::size(order)>());
}

#endif

// The compression function F (RFC 7693, 3.2) of a block; ``count`` is the number of bytes read,
// including it.
void compress(Words& state, std::string_view block, uint64_t count, bool last) {
  std::array<uint64_t, 16> words{}, v{};
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(words.data(), block.data(), block.size());
  } else {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto byte = static_cast<uint64_t>(static_cast<unsigned char>(block[i]));
      words[i / 8] |= byte << (8 * (i % 8));
    }
  }
  std::copy(state.begin(), state.end(), v.begin());
  std::copy(beginning.begin(), beginning.end(), v.begin() + 8);
  v[12] ^= count;
  if (last) v[14] = ~v[14];
  mix_rounds(v, words);
  for (int i = 0; i < 8; ++i) state[i] ^= v[i] ^ v[i + 8];
}

}  // namespace

uint64_t hash_of(std::string_view text) {
  Words state = beginning;
  state[0] ^= 0x01010000 ^ digest_bytes;
  std::size_t at = 0;
  for (; text.size() - at > block_bytes; at += block_bytes) {
    compress(state, text.substr(at, block_bytes), at + block_bytes, false);
  }
  compress(state, text.substr(at), text.size(), true);
  return state[0];
}

}  // namespace rigid
