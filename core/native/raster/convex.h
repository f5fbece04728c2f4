// SPDX-License-Identifier: MIT
// Drawing of convex shapes, row by row.
//
// The pixels of a row that are wholly inside a convex shape are contiguous. So a row is searched
// from its left end until the first such pixel, then from its right end, and the pixels between are
// filled without a test: only pixels near the edge evaluate a distance.
//
// A shape has begin_row(y, lo, hi), which narrows lo..hi to the pixels it may touch, and
// distances(x, d) for a block of pixels of that row. T is float near the canvas and double for
// shapes so large that float would lose the pixel.
#ifndef RIGID_RASTER_CONVEX_H
#define RIGID_RASTER_CONVEX_H

#include <cmath>
#include <span>
#include <vector>

#include "raster/canvas.h"

namespace rigid::raster {

template <class T>
class Circle {
 public:
  using Number = T;
  Circle(Point center, double radius) : center_(center), radius_(radius) {}
  double top() const { return center_.y - radius_; }
  double bottom() const { return center_.y + radius_; }

  void begin_row(double y, double& lo, double& hi) {
    double dy = y - center_.y;
    double reach = radius_ + 0.5;
    double square = (reach - dy) * (reach + dy);
    double half = square > 0 ? std::sqrt(square) : 0.0;
    lo = center_.x - half;
    hi = center_.x + half;
    dy2_ = static_cast<T>(dy * dy);
  }

  void distances(int x, T* d) const {
    T start = static_cast<T>(x + 0.5 - center_.x);
    T radius = static_cast<T>(radius_);
    for (int i = 0; i < block; ++i) {
      T dx = start + static_cast<T>(i);
      d[i] = std::sqrt(dx * dx + dy2_) - radius;
    }
  }

 private:
  Point center_;
  double radius_;
  T dy2_ = 0;
};

template <class T>
class Capsule {
 public:
  using Number = T;
  Capsule(Point a, Point b, double radius)
      : a_(a), e_{b.x - a.x, b.y - a.y}, radius_(radius), square_(e_.x * e_.x + e_.y * e_.y) {
    inverse_ = square_ > 0 ? 1.0 / square_ : 0.0;
  }
  double top() const { return (e_.y < 0 ? a_.y + e_.y : a_.y) - radius_; }
  double bottom() const { return (e_.y > 0 ? a_.y + e_.y : a_.y) + radius_; }

  // A row meets a capsule in the hull of its intersections with the two discs and with the strip
  // between.
  void begin_row(double y, double& lo, double& hi) {
    double reach = radius_ + 0.5;
    lo = 1e300;
    hi = -1e300;
    for (double t : {0.0, 1.0}) {
      double dy = y - a_.y - t * e_.y;
      double square = (reach - dy) * (reach + dy);
      if (square < 0) continue;
      double half = std::sqrt(square), x = a_.x + t * e_.x;
      lo = x - half < lo ? x - half : lo;
      hi = x + half > hi ? x + half : hi;
    }
    if (square_ > 0) strip(y - a_.y, reach * std::sqrt(square_), lo, hi);
    py_ = static_cast<T>(y - a_.y);
  }

  void distances(int x, T* d) const {
    T start = static_cast<T>(x + 0.5 - a_.x);
    T ex = static_cast<T>(e_.x), ey = static_cast<T>(e_.y), inverse = static_cast<T>(inverse_);
    T radius = static_cast<T>(radius_);
    for (int i = 0; i < block; ++i) {
      T px = start + static_cast<T>(i);
      T t = (px * ex + py_ * ey) * inverse;
      t = t < 0 ? T(0) : (t > 1 ? T(1) : t);
      T qx = px - t * ex, qy = py_ - t * ey;
      d[i] = std::sqrt(qx * qx + qy * qy) - radius;
    }
  }

 private:
  // The part of the row where 0 <= p.e <= e.e and |p x e| <= wide, with p relative to a.
  void strip(double py, double wide, double& lo, double& hi) const {
    double from = -1e300, to = 1e300;
    auto narrow = [&](double slope, double least, double most) {
      if (slope == 0) {
        if (least > 0 || most < 0) to = from - 1;
        return;
      }
      double p = least / slope, q = most / slope;
      if (p > q) {
        double swap = p;
        p = q;
        q = swap;
      }
      from = p > from ? p : from;
      to = q < to ? q : to;
    };
    narrow(e_.x, -py * e_.y, square_ - py * e_.y);
    narrow(e_.y, py * e_.x - wide, py * e_.x + wide);
    if (from > to) return;
    lo = a_.x + from < lo ? a_.x + from : lo;
    hi = a_.x + to > hi ? a_.x + to : hi;
  }

  Point a_, e_;
  double radius_, square_, inverse_;
  T py_ = 0;
};

// A convex polygon, with corners rounded by radius (the polygon grown by it). Without a radius the
// distance is the largest of the distances to the edges' lines, which keeps corners sharp.
template <class T>
class ConvexPolygon {
 public:
  using Number = T;
  // `points` have the inside to the left of each edge (counter-clockwise in x, y).
  ConvexPolygon(std::span<const Point> points, double radius) : radius_(radius) {
    top_ = left_ = 1e300;
    bottom_ = right_ = -1e300;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Point a = points[i], b = points[i + 1 < points.size() ? i + 1 : 0];
      top_ = a.y < top_ ? a.y : top_;
      bottom_ = a.y > bottom_ ? a.y : bottom_;
      left_ = a.x < left_ ? a.x : left_;
      right_ = a.x > right_ ? a.x : right_;
      double ex = b.x - a.x, ey = b.y - a.y, length = std::sqrt(ex * ex + ey * ey);
      if (length > 0) edges_.push_back({a, {ex, ey}, {ey / length, -ex / length}, length});
    }
  }
  double top() const { return top_ - radius_; }
  double bottom() const { return bottom_ + radius_; }

  void begin_row(double y, double& lo, double& hi) {
    y_ = y;
    lo = left_ - radius_ - 0.5;
    hi = right_ + radius_ + 0.5;
    double reach = radius_ + 0.5;
    for (const Edge& edge : edges_) {
      // Points of the row nearer than reach to the inside of the edge: n.x (x - a.x) <= rest.
      double rest = reach - edge.normal.y * (y - edge.a.y);
      if (edge.normal.x > 1e-9) {
        double bound = edge.a.x + rest / edge.normal.x;
        hi = bound < hi ? bound : hi;
      } else if (edge.normal.x < -1e-9) {
        double bound = edge.a.x + rest / edge.normal.x;
        lo = bound > lo ? bound : lo;
      }
    }
  }

  void distances(int x, T* d) const {
    for (int i = 0; i < block; ++i) d[i] = T(-1e30);
    for (const Edge& edge : edges_) {
      T start =
          static_cast<T>(edge.normal.x * (x + 0.5 - edge.a.x) + edge.normal.y * (y_ - edge.a.y));
      T slope = static_cast<T>(edge.normal.x);
      for (int i = 0; i < block; ++i) {
        T e = start + slope * static_cast<T>(i);
        d[i] = e > d[i] ? e : d[i];
      }
    }
    if (radius_ > 0) round_corners(x, d);
  }

 private:
  struct Edge {
    Point a, along, normal;
    double length;
  };

  // Outside the core the distance is that to the nearest edge.
  void round_corners(int x, T* d) const {
    T nearest[block];
    for (int i = 0; i < block; ++i) nearest[i] = T(1e30);
    for (const Edge& edge : edges_) {
      T px0 = static_cast<T>(x + 0.5 - edge.a.x), py = static_cast<T>(y_ - edge.a.y);
      T ex = static_cast<T>(edge.along.x), ey = static_cast<T>(edge.along.y);
      T inverse = static_cast<T>(1.0 / (edge.length * edge.length));
      for (int i = 0; i < block; ++i) {
        T px = px0 + static_cast<T>(i);
        T t = (px * ex + py * ey) * inverse;
        t = t < 0 ? T(0) : (t > 1 ? T(1) : t);
        T qx = px - t * ex, qy = py - t * ey;
        T square = qx * qx + qy * qy;
        nearest[i] = square < nearest[i] ? square : nearest[i];
      }
    }
    T radius = static_cast<T>(radius_);
    for (int i = 0; i < block; ++i) d[i] = (d[i] > 0 ? std::sqrt(nearest[i]) : d[i]) - radius;
  }

  std::vector<Edge> edges_;
  double radius_, top_, bottom_, left_, right_;
  double y_ = 0;
};

template <class Shape>
void fill_convex(const Canvas& canvas, const Paint& paint, Shape& shape) {
  using T = typename Shape::Number;
  const T inside = static_cast<T>(-0.5 - paint.outline);
  T distance[block];
  int32_t fill[block], stroke[block];
  int top = clip(shape.top() - 1, canvas.height), bottom = clip(shape.bottom() + 2, canvas.height);
  for (int y = top; y < bottom; ++y) {
    double lo, hi;
    shape.begin_row(y + 0.5, lo, hi);
    int left = clip(lo - 1, canvas.width), right = clip(hi + 2, canvas.width);
    // From the left to the first pixel that is wholly inside.
    int from = left;
    bool full = false;
    while (from < right && !full) {
      shape.distances(from, distance);
      cover(distance, paint, fill, stroke);
      int count = right - from < block ? right - from : block, i = 0;
      for (; i < count && !(full = distance[i] <= inside); ++i) {
        if (fill[i] + stroke[i] > 0) blend(canvas.at(from + i, y), paint, fill[i], stroke[i]);
      }
      from += i;
    }
    // From the right to the last one.
    int to = right;
    full = false;
    while (to > from && !full) {
      int start = to - block > from ? to - block : from;
      shape.distances(start, distance);
      cover(distance, paint, fill, stroke);
      int i = to - start - 1;
      for (; i >= 0 && !(full = distance[i] <= inside); --i) {
        if (fill[i] + stroke[i] > 0) blend(canvas.at(start + i, y), paint, fill[i], stroke[i]);
      }
      to = start + i + 1;
    }
    fill_span(canvas, paint, y, from, to);
  }
}

}  // namespace rigid::raster

#endif
