# SPDX-License-Identifier: MIT
set(RASTER_SOURCES
  raster/bind_raster.cpp
  raster/crossings.cpp
  raster/curves.cpp
  raster/display_list.cpp
  raster/gif.cpp
  raster/lzw.cpp
  raster/field.cpp
  raster/numbers.cpp
  raster/palette.cpp
  raster/picture.cpp)
