# SPDX-License-Identifier: MIT
set(COMPILED_SOURCES
  compiled/compiled_world.cpp
  compiled/container.cpp
  compiled/layout.cpp)
