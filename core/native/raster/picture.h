// SPDX-License-Identifier: MIT
// Prepared pictures copied onto the canvas: masks (text) and images.
#ifndef RIGID_RASTER_PICTURE_H
#define RIGID_RASTER_PICTURE_H

#include "raster/canvas.h"

namespace rigid::raster {

// channels 1: a mask, the cover of each pixel, 0 to 255. channels 4: red, green, blue, alpha.
struct Picture {
  const uint8_t* pixels;
  int width, height, channels;
};

// Copies a picture pixel by pixel, its top left corner at (x, y). A mask takes the fill's colour,
// an image the fill's opacity.
void blit(const Canvas& canvas, const Paint& paint, const Picture& picture, int x, int y);

// The place of an image: a parallelogram with these corners.
struct Quad {
  Point top_left, top_right, bottom_left;
};

// Draws an image stretched over a parallelogram, each pixel interpolated between the four nearest
// of the image, alpha multiplied in, so that transparent pixels have no colour. It takes the fill's
// opacity, and the stroke's colour, unless that is transparent, multiplies its own.
void blit_quad(const Canvas& canvas, const Paint& paint, const Picture& picture, const Quad& quad);

// The directions in which an image is repeated without end; in the others its edge continues.
struct Repeat {
  bool across, down;
};

// A shape filled with an image that is repeated, one copy of it being the quad. `mask` is as large
// as the canvas; its first colour is the shape's cover, between the rows and columns of `part`; it
// is black again afterwards.
struct Part {
  int left, top, right, bottom;
};
void blit_tiles(const Canvas& canvas, const Paint& paint, const Picture& picture, const Quad& quad,
                const Repeat& repeat, const Canvas& mask, const Part& part);

// Shrinks a canvas `factor` times as large: each pixel becomes the mean of factor x factor.
void shrink(const Canvas& large, const Canvas& small, int factor);

}  // namespace rigid::raster

#endif
