set(RASTER_SOURCES
  raster/bind_raster.cpp)
