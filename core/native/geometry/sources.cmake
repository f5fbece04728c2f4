set(GEOMETRY_SOURCES
  geometry/bind_geometry.cpp)
