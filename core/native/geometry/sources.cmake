# SPDX-License-Identifier: MIT
set(GEOMETRY_SOURCES
  geometry/closest.cpp
  geometry/decompose.cpp
  geometry/fewest_parts.cpp
  geometry/manifold.cpp
  geometry/manifold_chain.cpp
  geometry/manifold_cores.cpp
  geometry/manifold_outline.cpp
  geometry/mass.cpp
  geometry/query.cpp
  geometry/shape.cpp
  geometry/simple_polygon.cpp
  geometry/track.cpp
  geometry/triangulate.cpp)
set(GEOMETRY_BINDINGS
  geometry/bind_geometry.cpp)
