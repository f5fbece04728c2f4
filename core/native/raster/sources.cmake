# SPDX-License-Identifier: MIT
set(RASTER_SOURCES
  raster/crossings.cpp
  raster/curves.cpp
  raster/display_list.cpp
  raster/gif.cpp
  raster/lzw.cpp
  raster/field.cpp
  raster/numbers.cpp
  raster/palette.cpp
  raster/picture.cpp)
set(RASTER_BINDINGS
  raster/bind_raster.cpp)
