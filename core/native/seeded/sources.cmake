# SPDX-License-Identifier: MIT
set(SEEDED_SOURCES
  seeded/blake2b.cpp)
set(SEEDED_BINDINGS
  seeded/bind_seeded.cpp)
