// SPDX-License-Identifier: MIT
// Drawing of the items of a display list.
#include "raster/display_list.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "raster/convex.h"
#include "raster/curves.h"
#include "raster/field.h"
#include "raster/rings.h"

namespace rigid::raster {

namespace {

constexpr double farthest = 1e12;       // pixels; beyond it the squares of doubles lose the pixel
constexpr double near_canvas = 8192.0;  // up to here a float resolves a thousandth of a pixel

struct Item {
  ItemKind kind;
  std::span<const Point> points;
  double radius, outline;
  uint32_t fill, stroke;
  double a, b, c;
};

uint32_t color_of(double packed) {
  return packed >= 0 && packed <= 4294967295.0 ? static_cast<uint32_t>(packed) : 0;
}

double bounded(double value) { return std::clamp(value, -farthest, farthest); }

// Twice the area, positive if the points run from +x towards +y.
double turning_area(std::span<const Point> points) {
  double area = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Point a = points[i], b = points[i + 1 < points.size() ? i + 1 : 0], o = points[0];
    area += (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  }
  return area;
}

// Whether points in counter-clockwise order never turn right, and go round once: their direction
// changes between left and right at most twice.
bool is_convex(std::span<const Point> points) {
  const std::size_t n = points.size();
  int swings = 0, before = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    Point a = points[i % n], b = points[(i + 1) % n], c = points[(i + 2) % n];
    double ex = b.x - a.x, ey = b.y - a.y, fx = c.x - b.x, fy = c.y - b.y;
    double turn = ex * fy - ey * fx;
    if (turn < -1e-6 * (std::abs(ex * fy) + std::abs(ey * fx))) return false;
    int way = ex > 0 ? 1 : (ex < 0 ? -1 : before);
    swings += before != 0 && way != before;
    before = way;
  }
  return swings <= 2;
}

class Painter {
 public:
  explicit Painter(const Canvas& canvas) : canvas_(canvas) {}

  void draw(const Item& item, std::span<const Picture> pictures);

 private:
  Field& field() {
    // Kept from frame to frame, since making one costs as much as drawing a hundred bodies. A field
    // is wiped after every shape, so nothing is carried over.
    thread_local std::optional<Field> kept;
    if (!kept || !kept->fits(canvas_)) kept.emplace(canvas_.width, canvas_.height);
    return *kept;
  }
  bool is_near(const Item& item) const {
    if (item.radius > near_canvas) return false;
    return std::all_of(item.points.begin(), item.points.end(), [](Point p) {
      return std::abs(p.x) < near_canvas && std::abs(p.y) < near_canvas;
    });
  }
  template <template <class> class Shape, class... Parts>
  void draw_convex(bool near, const Paint& paint, Parts... parts) {
    if (near) {
      Shape<float> shape(parts...);
      fill_convex(canvas_, paint, shape);
    } else {
      Shape<double> shape(parts...);
      fill_convex(canvas_, paint, shape);
    }
  }
  void draw_polygon(const Item& item, const Paint& paint);
  void draw_half_plane(const Item& item, const Paint& paint);
  void draw_path(const Item& item, const Paint& paint, std::span<const Point> points);
  void draw_pieces(const Item& item, const Paint& paint);
  void draw_picture(const Item& item, const Paint& paint, std::span<const Picture> pictures);
  void draw_tiles(const Item& item, const Paint& paint, const Picture& picture, const Quad& quad);

  const Canvas& canvas_;
  std::vector<Point> scratch_;
  Pieces pieces_;
};

void Painter::draw_polygon(const Item& item, const Paint& paint) {
  if (item.points.size() < 3) return;
  const double area = turning_area(item.points);
  std::span<const Point> points = item.points;
  if (area < 0) {
    scratch_.assign(points.rbegin(), points.rend());
    points = scratch_;
  }
  const bool has_holes = item.c != 0;
  if (!has_holes && points.size() <= 64 && std::abs(area) > 1e-9 && is_convex(points)) {
    draw_convex<ConvexPolygon>(is_near(item), paint, points, item.radius);
    return;
  }
  const double radius = std::min(item.radius, widest_path);
  const double reach = radius + std::min(item.outline, widest_path) + 1.5;
  for_edges(has_holes ? item.points : points, has_holes,
            [&](Point a, Point b) { field().add(a, b, reach); });
  field().draw_polygon(canvas_, paint, points, radius);
}

void Painter::draw_half_plane(const Item& item, const Paint& paint) {
  if (item.points.size() < 3) return;
  const auto corners = half_plane(item.points, canvas_.width, canvas_.height);
  Item shown = item;
  shown.points = corners;
  shown.radius = shown.c = 0;
  draw_polygon(shown, paint);
}

void Painter::draw_path(const Item& item, const Paint& paint, std::span<const Point> points) {
  const bool loop = item.kind == ItemKind::loop, fading = item.kind == ItemKind::fade;
  if (points.empty()) return;
  if (points.size() <= 2 && !fading) {
    draw_convex<Capsule>(is_near(item), paint, points.front(), points.back(), item.radius);
    return;
  }
  const double radius = std::min(item.radius, widest_path);
  const std::size_t count = points.size() - (loop ? 0 : 1);
  if (fading) {
    const float part = 1.0f / static_cast<float>(std::max<std::size_t>(count, 1));
    for (std::size_t i = 0; i < count; ++i) {
      const float from = static_cast<float>(i) * part, to = static_cast<float>(i + 1) * part;
      field().add_fading(points[i], points[i + 1], radius, from, to);
    }
    return field().draw_fading(canvas_, paint);
  }
  for (std::size_t i = 0; i < count; ++i) {
    field().add(points[i], points[i + 1 < points.size() ? i + 1 : 0], radius + 1.0);
  }
  field().draw_path(canvas_, paint, radius);
}

// Dashes and hatching: many short strokes, drawn as one shape.
void Painter::draw_pieces(const Item& item, const Paint& paint) {
  pieces_.clear();
  std::span<const Point> points = item.points;
  if (item.kind == ItemKind::loop) {
    scratch_.assign(points.begin(), points.end());
    scratch_.push_back(points.front());
    points = scratch_;
  }
  if (item.kind == ItemKind::hatch) {
    hatch(points, item.a, item.b, item.c, canvas_.width, canvas_.height, pieces_);
  } else {
    dash(points, item.a, item.b, canvas_.width, canvas_.height, pieces_);
  }
  const double radius = std::min(item.radius, widest_path);
  for (const auto& [a, b] : pieces_) field().add(a, b, radius + 1.0);
  field().draw_path(canvas_, paint, radius);
}

void Painter::draw_picture(const Item& item, const Paint& paint,
                           std::span<const Picture> pictures) {
  if (!(item.a >= 0 && item.a < static_cast<double>(pictures.size()))) return;
  const Picture& picture = pictures[static_cast<std::size_t>(item.a)];
  if (item.kind == ItemKind::quad) {
    if (item.points.size() < 3) return;
    const Quad quad{item.points[0], item.points[1], item.points[2]};
    if (item.points.size() == 3) return blit_quad(canvas_, paint, picture, quad);
    return draw_tiles(item, paint, picture, quad);
  }
  blit(canvas_, paint, picture, static_cast<int>(std::floor(item.points[0].x + 0.5)),
       static_cast<int>(std::floor(item.points[0].y + 0.5)));
}

// The shape is drawn in white on black on a separate mask, which contains the cover of each pixel.
void Painter::draw_tiles(const Item& item, const Paint& paint, const Picture& picture,
                         const Quad& quad) {
  thread_local std::vector<uint8_t> kept;  // black between shapes, for any canvas
  kept.resize(static_cast<std::size_t>(canvas_.width) * canvas_.height * 3);
  const Canvas mask{kept.data(), canvas_.width, canvas_.height};
  Item shape = item;
  shape.points = item.points.subspan(3);
  shape.kind = shape.points.size() == 1   ? ItemKind::circle
               : shape.points.size() == 2 ? ItemKind::path
                                          : ItemKind::polygon;
  shape.outline = shape.a = shape.b = 0;
  shape.fill = 0xffffffff;
  double left = farthest, top = farthest, right = -farthest, bottom = -farthest;
  for (Point p : shape.points) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
  const double reach = item.radius + 2;
  const Part part{clip(left - reach, canvas_.width), clip(top - reach, canvas_.height),
                  clip(right + reach + 1, canvas_.width), clip(bottom + reach + 1, canvas_.height)};
  Painter(mask).draw(shape, {});
  blit_tiles(canvas_, paint, picture, quad, {item.b != 2, item.b != 1}, mask, part);
}

void Painter::draw(const Item& item, std::span<const Picture> pictures) {
  const Paint paint = Paint::from(item.fill, item.stroke, item.outline);
  const std::span<const Point> points = item.points;
  if (points.empty()) return;
  switch (item.kind) {
    case ItemKind::polygon:
      return draw_polygon(item, paint);
    case ItemKind::half_plane:
      return draw_half_plane(item, paint);
    case ItemKind::circle:
      return draw_convex<Circle>(is_near(item), paint, points[0], item.radius);
    case ItemKind::path:
    case ItemKind::loop:
      return item.a > 0 ? draw_pieces(item, paint) : draw_path(item, paint, points);
    case ItemKind::fade:
      return draw_path(item, paint, points);
    case ItemKind::hatch:
      return draw_pieces(item, paint);
    case ItemKind::arc:
      return draw_path(item, paint, arc(points[0], item.a, item.b, item.c));
    case ItemKind::picture:
    case ItemKind::quad:
      return draw_picture(item, paint, pictures);
    default:
      break;
  }
  if (points.size() < 2) return;
  if (item.kind == ItemKind::coil) {
    draw_path(item, paint, coil(points[0], points[1], item.a, item.b));
  } else if (item.kind == ItemKind::rope) {
    draw_path(item, paint, rope(points[0], points[1], item.a, {item.b, item.c}));
  } else {
    Item head = item;
    auto outline = arrow(points[0], points[1], item.radius, item.a, item.b);
    head.points = outline;
    head.radius = 0;
    draw_polygon(head, paint);
  }
}

}  // namespace

bool read_points(double first, double count, std::span<const Point> points,
                 std::vector<Point>& out) {
  out.clear();
  const double total = static_cast<double>(points.size());
  if (!(first >= 0 && count >= 1 && first + count <= total)) return false;
  for (Point p : points.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count))) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return false;
    out.push_back({bounded(p.x), bounded(p.y)});
  }
  return true;
}

void draw(const Canvas& canvas, const DisplayList& list) {
  if (canvas.width <= 0 || canvas.height <= 0) return;
  Painter painter(canvas);
  std::vector<Point> points;
  for (std::size_t row = 0; row < list.item_count; ++row) {
    const double* numbers = list.items + row * item_columns;
    bool usable = std::all_of(numbers, numbers + item_columns,
                              [](double value) { return std::isfinite(value); });
    if (!usable || numbers[0] < 0 || numbers[0] >= item_kinds ||
        !read_points(numbers[1], numbers[2], list.points, points)) {
      continue;
    }
    painter.draw({static_cast<ItemKind>(static_cast<int>(numbers[0])), points,
                  std::clamp(numbers[3], 0.0, farthest), std::clamp(numbers[4], 0.0, farthest),
                  color_of(numbers[5]), color_of(numbers[6]), bounded(numbers[7]),
                  bounded(numbers[8]), bounded(numbers[9])},
                 list.pictures);
  }
}

}  // namespace rigid::raster
