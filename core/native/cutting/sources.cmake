# SPDX-License-Identifier: MIT
set(CUTTING_SOURCES
  cutting/cells.cpp
  cutting/cutting.cpp
  cutting/hollowing.cpp
  cutting/pieces.cpp)
set(CUTTING_BINDINGS
  cutting/bind_cutting.cpp)
