# SPDX-License-Identifier: MIT
set(SEEDED_SOURCES
  seeded/bind_seeded.cpp
  seeded/blake2b.cpp)
