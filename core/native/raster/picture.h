// Pictures made elsewhere and laid onto the canvas: masks (text) and images.
#ifndef RIGID_RASTER_PICTURE_H
#define RIGID_RASTER_PICTURE_H

#include "raster/canvas.h"

namespace rigid::raster {

// channels 1: a mask, the cover of each pixel, 0 to 255. channels 4: red, green, blue, alpha.
struct Picture {
  const uint8_t* pixels;
  int width, height, channels;
};

// A picture pixel for pixel, its top left corner at (x, y). A mask takes the fill's colour, an
// image the fill's opacity.
void blit(const Canvas& canvas, const Paint& paint, const Picture& picture, int x, int y);

// An image stretched over the parallelogram with these corners (of its top left, top right and
// bottom left), each pixel interpolated between the four nearest of the image.
void blit_quad(const Canvas& canvas, const Paint& paint, const Picture& picture, Point top_left,
               Point top_right, Point bottom_left);

// The canvas from one `factor` times as large: each pixel the mean of factor x factor.
void shrink(const Canvas& large, const Canvas& small, int factor);

}  // namespace rigid::raster

#endif
