// SPDX-License-Identifier: MIT
// Python bindings of the raster module.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>
#include <vector>

#include "aligned.h"
#include "math.h"
#include "raster/display_list.h"
#include "raster/gif.h"
#include "raster/numbers.h"

namespace nb = nanobind;

namespace rigid {

namespace {

using Image = nb::ndarray<uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

constexpr int64_t largest_side = 32767;

void require_sides(std::size_t width, std::size_t height) {
  if (static_cast<int64_t>(width) > largest_side || static_cast<int64_t>(height) > largest_side) {
    throw std::invalid_argument("an image may be at most 32767 pixels wide and high");
  }
}

raster::Canvas canvas_of(const Image& image) {
  require_sides(image.shape(1), image.shape(0));
  return {image.data(), static_cast<int>(image.shape(1)), static_cast<int>(image.shape(0))};
}

std::span<const raster::Point> points_of(const Numbers& points) {
  static_assert(sizeof(raster::Point) == 2 * sizeof(double));
  return {reinterpret_cast<const raster::Point*>(points.data()), points.shape(0)};
}

std::vector<raster::Picture> pictures_of(const Bytes& bytes, const Table& table) {
  std::vector<raster::Picture> pictures;
  for (std::size_t i = 0; i < table.shape(0); ++i) {
    const int32_t* row = table.data() + 4 * i;
    const int64_t offset = row[0], width = row[1], height = row[2], channels = row[3];
    const bool possible = offset >= 0 && width > 0 && height > 0 && width <= largest_side &&
                          height <= largest_side && (channels == 1 || channels == 4);
    if (!possible || offset + width * height * channels > static_cast<int64_t>(bytes.shape(0))) {
      throw std::invalid_argument("a picture lies outside the bytes given for pictures");
    }
    pictures.push_back({bytes.data() + offset, row[1], row[2], row[3]});
  }
  return pictures;
}

void rasterize(Image image, Numbers items, Numbers points, Bytes picture_bytes,
               Table picture_table) {
  require_aligned(items, points, picture_table);
  if (items.shape(1) != raster::item_columns || points.shape(1) != 2) {
    throw std::invalid_argument("items have 10 columns (see ITEM_COLUMNS) and points 2");
  }
  const raster::Canvas canvas = canvas_of(image);
  const auto pictures = pictures_of(picture_bytes, picture_table);
  const raster::DisplayList list{items.data(), items.shape(0), points_of(points), pictures};
  nb::gil_scoped_release release;
  raster::draw(canvas, list);
}

void fill_numbers(nb::ndarray<uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> image,
                  Numbers shapes, Numbers points) {
  require_aligned(image, shapes, points);
  if (shapes.shape(1) != raster::number_columns || points.shape(1) != 2) {
    throw std::invalid_argument("shapes have 5 columns (see NUMBER_COLUMNS) and points 2");
  }
  require_sides(image.shape(1), image.shape(0));
  const raster::NumberCanvas canvas{image.data(), static_cast<int>(image.shape(1)),
                                    static_cast<int>(image.shape(0))};
  nb::gil_scoped_release release;
  raster::fill_numbers(canvas, shapes.data(), shapes.shape(0), points_of(points));
}

// From body coordinates to pixels: rotate and move by the owner's pose, then scale and shift.
void place_points(Numbers points, Integers owners, Numbers poses,
                  std::tuple<double, double, double, double> view,
                  nb::ndarray<double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu> out) {
  require_aligned(points, owners, poses, out);
  const std::size_t count = points.shape(0), bodies = poses.shape(0);
  if (points.shape(1) != 2 || poses.shape(1) != 3 || owners.shape(0) != count ||
      out.shape(0) != count) {
    throw std::invalid_argument("points and out are [n, 2], owners [n], poses [bodies, 3]");
  }
  std::vector<SineCosine> turns(bodies);
  for (std::size_t b = 0; b < bodies; ++b) turns[b] = sine_cosine(poses.data()[3 * b + 2]);
  const auto [scale_x, shift_x, scale_y, shift_y] = view;
  for (std::size_t i = 0; i < count; ++i) {
    double x = points.data()[2 * i], y = points.data()[2 * i + 1];
    const int32_t owner = owners.data()[i];
    if (owner >= 0) {
      if (static_cast<std::size_t>(owner) >= bodies) {
        throw std::invalid_argument("an owner is not a row of poses");
      }
      const double* pose = poses.data() + 3 * static_cast<std::size_t>(owner);
      const SineCosine turn = turns[static_cast<std::size_t>(owner)];
      const double turned = turn.cosine * x - turn.sine * y;
      y = turn.sine * x + turn.cosine * y + pose[1];
      x = turned + pose[0];
    }
    out.data()[2 * i] = x * scale_x + shift_x;
    out.data()[2 * i + 1] = y * scale_y + shift_y;
  }
}

void shrink_image(Image large, Image small, int factor) {
  const raster::Canvas from = canvas_of(large), to = canvas_of(small);
  if (factor < 1 || factor > 16 || from.width != to.width * factor ||
      from.height != to.height * factor) {
    throw std::invalid_argument("the large image must be `factor` (1 to 16) times the small one");
  }
  nb::gil_scoped_release release;
  raster::shrink(from, to, factor);
}

std::vector<raster::Rgb> colors_of(
    nb::ndarray<const uint8_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu> colors) {
  std::vector<raster::Rgb> result;
  for (std::size_t i = 0; i < colors.shape(0); ++i) {
    const uint8_t* c = colors.data() + 3 * i;
    result.push_back({c[0], c[1], c[2]});
  }
  return result;
}

void bind_gif(nb::module_& module) {
  nb::class_<raster::GifFrames>(module, "GifFrames")
      .def(
          "__init__",
          [](raster::GifFrames* self, int width, int height,
             nb::ndarray<const uint8_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu> colors,
             bool alone) {
            if (width < 1 || height < 1 || width > largest_side || height > largest_side) {
              throw std::invalid_argument("a GIF is 1 to 32767 pixels wide and high");
            }
            new (self) raster::GifFrames(width, height, colors_of(colors), alone);
          },
          nb::arg("width"), nb::arg("height"), nb::arg("colors"), nb::arg("alone") = false)
      .def(
          "add",
          [](raster::GifFrames& self,
             nb::ndarray<const uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>
                 image) {
            if (static_cast<int>(image.shape(1)) != self.width() ||
                static_cast<int>(image.shape(0)) != self.height()) {
              throw std::invalid_argument("all frames must have the size given at first");
            }
            std::vector<uint8_t> out;
            {
              nb::gil_scoped_release release;
              // The canvas is only read.
              const raster::Canvas canvas{const_cast<uint8_t*>(image.data()), self.width(),
                                          self.height()};
              self.add(canvas, out);
            }
            return nb::bytes(out.data(), out.size());
          },
          nb::arg("image"))
      .def_prop_ro("palette", [](const raster::GifFrames& self) {
        std::vector<uint8_t> out;
        for (raster::Rgb entry : self.entries()) out.insert(out.end(), entry.begin(), entry.end());
        return nb::bytes(out.data(), out.size());
      });
}

}  // namespace

void bind_raster(nanobind::module_& module) {
  module.attr("ITEM_COLUMNS") = nb::make_tuple("kind", "first_point", "point_count", "radius",
                                               "outline", "fill", "stroke", "a", "b", "c");
  nb::dict kinds;
  const char* names[raster::item_kinds] = {"polygon", "circle", "path",      "loop", "fade",
                                           "arrow",   "arc",    "coil",      "rope", "hatch",
                                           "picture", "quad",   "half_plane"};
  for (int i = 0; i < raster::item_kinds; ++i) kinds[names[i]] = i;
  module.attr("ITEM_KINDS") = kinds;
  bind_gif(module);
  module.def("rasterize", &rasterize, nb::arg("image").noconvert(), nb::arg("items"),
             nb::arg("points"), nb::arg("picture_bytes"), nb::arg("picture_table"));
  module.attr("NUMBER_COLUMNS") =
      nb::make_tuple("kind", "first_point", "point_count", "radius", "number");
  module.def("fill_numbers", &fill_numbers, nb::arg("image").noconvert(), nb::arg("shapes"),
             nb::arg("points"));
  module.def("place_points", &place_points, nb::arg("points"), nb::arg("owners"), nb::arg("poses"),
             nb::arg("view"), nb::arg("out").noconvert());
  module.def("shrink_image", &shrink_image, nb::arg("large").noconvert(),
             nb::arg("small").noconvert(), nb::arg("factor"));
}

}  // namespace rigid
