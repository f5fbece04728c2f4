// SPDX-License-Identifier: MIT
// BLAKE2b (RFC 7693) without a key, with a digest of eight bytes: the hash that random numbers are
// derived from. Python's hashlib contains the same, for one text at a time.
#ifndef RIGID_SEEDED_BLAKE2B_H
#define RIGID_SEEDED_BLAKE2B_H

#include <cstdint>
#include <string_view>

namespace rigid {

// The first eight bytes of the hash of eight bytes, as a little-endian number.
uint64_t hash_of(std::string_view text);

}  // namespace rigid

#endif
