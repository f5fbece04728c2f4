set(GEOMETRY_SOURCES
  geometry/closest.cpp
  geometry/manifold.cpp
  geometry/manifold_chain.cpp
  geometry/manifold_cores.cpp
  geometry/mass.cpp
  geometry/shape.cpp
  geometry/bind_geometry.cpp)
