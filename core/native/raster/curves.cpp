// SPDX-License-Identifier: MIT
// The points of arcs, coils, ropes, arrows, dashes and hatching.
#include "raster/curves.h"

#include <algorithm>
#include <cmath>

#include "math.h"

namespace rigid::raster {

namespace {

double distance(Point a, Point b) {
  double x = b.x - a.x, y = b.y - a.y;
  return std::sqrt(x * x + y * y);
}

Point between(Point a, Point b, double t) { return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; }

// Clips a path's segments and passes on the visible ones, with their place along the path.
template <class Visit>
void visible_segments(std::span<const Point> points, double width, double height, double margin,
                      Visit visit) {
  double travelled = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    Point a = points[i], b = points[i + 1];
    double length = distance(a, b), from, to;
    if (length > 0 && clip_segment(a, b, width, height, margin, from, to)) {
      visit(a, b, travelled + from * length, (to - from) * length);
    }
    travelled += length;
  }
}

}  // namespace

std::vector<Point> arc(Point center, double radius, double start, double sweep) {
  // The distance of a chord from the circle is r (1 - cos(step / 2)), about r step^2 / 8: at most
  // 1/8 pixel.
  double wanted = std::abs(sweep) * std::sqrt(std::max(radius, 1.0));
  int count = static_cast<int>(std::clamp(std::ceil(wanted), 2.0, 512.0));
  std::vector<Point> points(count + 1);
  for (int i = 0; i <= count; ++i) {
    SineCosine turn = sine_cosine(start + sweep * i / count);
    points[i] = {center.x + radius * turn.cosine, center.y + radius * turn.sine};
  }
  return points;
}

std::vector<Point> coil(Point a, Point b, double turns, double amplitude) {
  constexpr int steps = 16;  // straight pieces of a wave
  const int waves = static_cast<int>(std::clamp(turns, 1.0, 64.0));
  const double length = distance(a, b);
  const Point side = length > 0 ? Point{-(b.y - a.y) / length, (b.x - a.x) / length} : Point{0, 1};
  std::vector<Point> points;
  points.push_back(a);
  for (int i = 0; i <= waves * steps; ++i) {
    double turn = static_cast<double>(i) / steps;
    // The coil takes the middle 80 % of the spring; the rest is straight wire.
    Point p = between(a, b, 0.1 + 0.8 * turn / waves);
    double lift = amplitude * sine_cosine(2.0 * 3.14159265358979323846 * turn).sine;
    points.push_back({p.x + lift * side.x, p.y + lift * side.y});
  }
  points.push_back(b);
  return points;
}

std::vector<Point> rope(Point a, Point b, double length, Point down) {
  const double straight = distance(a, b), slack = length - straight;
  if (!(slack > 0.01)) return {a, b};
  // The length of a flat parabola over a chord d with sag s is d + 8 s^2 / (3 d); one folded onto
  // itself (d = 0) sags by half its length. The sum fits both limits.
  const double sag = std::sqrt(0.375 * straight * slack + 0.25 * slack * slack);
  constexpr int count = 24;
  std::vector<Point> points(count + 1);
  for (int i = 0; i <= count; ++i) {
    double t = static_cast<double>(i) / count, drop = 4.0 * t * (1.0 - t) * sag;
    Point p = between(a, b, t);
    points[i] = {p.x + drop * down.x, p.y + drop * down.y};
  }
  return points;
}

std::vector<Point> arrow(Point a, Point b, double half_width, double head_length,
                         double head_half_width) {
  const double length = distance(a, b);
  if (!(length > 0)) return {};
  const Point e{(b.x - a.x) / length, (b.y - a.y) / length}, n{-e.y, e.x};
  const double scale = length < head_length ? length / head_length : 1.0;
  const double neck = length - head_length * scale;
  auto place = [&](double along, double aside) {
    return Point{a.x + along * e.x + aside * n.x, a.y + along * e.y + aside * n.y};
  };
  const double wide = head_half_width * scale, thin = std::min(half_width, wide);
  return {place(0, -thin),   place(neck, -thin), place(neck, -wide), b,
          place(neck, wide), place(neck, thin),  place(0, thin)};
}

// Liang and Barsky, "A new concept and method for line clipping", 1984.
std::array<Point, 4> half_plane(std::span<const Point> points, double width, double height) {
  const Point a = points[0], b = points[1], c = points[2];
  const double size = std::max(distance(a, b), 1e-300);
  const double ex = (b.x - a.x) / size, ey = (b.y - a.y) / size;
  const bool left = ex * (c.y - a.y) - ey * (c.x - a.x) > 0;
  const double nx = left ? -ey : ey, ny = left ? ex : -ex;
  // From the middle of the picture along the normal to the border, or to somewhere off it.
  const double mx = 0.5 * width, my = 0.5 * height, reach = 2 * (width + height);
  const double deep = std::clamp((mx - a.x) * nx + (my - a.y) * ny, -reach, reach);
  const double x = mx - deep * nx, y = my - deep * ny, far = 2 * reach;
  return {{{x - reach * ex, y - reach * ey},
           {x + reach * ex, y + reach * ey},
           {x + reach * ex + far * nx, y + reach * ey + far * ny},
           {x - reach * ex + far * nx, y - reach * ey + far * ny}}};
}

bool clip_segment(Point& a, Point& b, double width, double height, double margin, double& from,
                  double& to) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double slope[4] = {-dx, dx, -dy, dy};
  const double room[4] = {a.x + margin, width + margin - a.x, a.y + margin, height + margin - a.y};
  from = 0;
  to = 1;
  for (int i = 0; i < 4; ++i) {
    if (slope[i] == 0) {
      if (room[i] < 0) return false;
    } else {
      double t = room[i] / slope[i];
      if (slope[i] < 0) {
        from = std::max(from, t);
      } else {
        to = std::min(to, t);
      }
    }
  }
  if (from > to) return false;
  Point start = between(a, b, from), end = between(a, b, to);
  a = start;
  b = end;
  return true;
}

void dash(std::span<const Point> points, double on, double off, double width, double height,
          Pieces& out) {
  const double period = std::max(on, 1.0) + std::max(off, 1.0);
  const double drawn = std::max(on, 1.0);
  visible_segments(points, width, height, 16.0, [&](Point a, Point b, double at, double length) {
    double first = std::floor(at / period), count = std::ceil(length / period) + 1;
    for (double k = 0; k < count; ++k) {
      double start = (first + k) * period - at, end = start + drawn;
      start = std::max(start, 0.0);
      end = std::min(end, length);
      if (start < end) {
        out.emplace_back(between(a, b, start / length), between(a, b, end / length));
      }
    }
  });
}

void hatch(std::span<const Point> points, double spacing, double length, double side, double width,
           double height, Pieces& out) {
  const double step = std::max(spacing, 2.0);
  const double sign = side < 0 ? -1.0 : 1.0;
  double margin = std::min(std::abs(length), widest_hatch) + 2.0;
  visible_segments(points, width, height, margin, [&](Point a, Point b, double at, double seen) {
    const Point e{(b.x - a.x) / seen, (b.y - a.y) / seen};
    // To the side and back: the strokes slant by 45 degrees.
    const Point slant{0.70710678118654752 * (-sign * e.y - e.x),
                      0.70710678118654752 * (sign * e.x - e.y)};
    const double reach = margin - 2.0;
    for (double s = std::ceil(at / step) * step - at; s < seen; s += step) {
      Point root = between(a, b, s / seen);
      out.emplace_back(root, Point{root.x + reach * slant.x, root.y + reach * slant.y});
    }
  });
}

}  // namespace rigid::raster
