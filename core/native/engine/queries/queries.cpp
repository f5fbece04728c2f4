// SPDX-License-Identifier: MIT
// Ray casts and overlap tests in the trees of the broad phase.
#include "engine/queries/queries.h"

#include <algorithm>
#include <cmath>

#include "geometry/query.h"
#include "sorting.h"

namespace rigid {

namespace {

Aabb box_of(double lx, double ly, double ux, double uy) {
  float ex = static_cast<float>(std::max(std::fabs(lx), std::fabs(ux)) * 2.4e-7);
  float ey = static_cast<float>(std::max(std::fabs(ly), std::fabs(uy)) * 2.4e-7);
  return {{static_cast<float>(lx) - ex, static_cast<float>(ly) - ey},
          {static_cast<float>(ux) + ex, static_cast<float>(uy) + ey}};
}

// Calls `take` with each hit of a ray, in the order of the trees.
template <class Take>
void each_hit(const Bodies& bodies, const Shapes& shapes, const Broadphase& broadphase, double ox,
              double oy, double tx, double ty, uint64_t mask, Take take) {
  auto visit = [&](int index) {
    const WorldShape& shape = shapes[index];
    if (shape.sensor || !(mask >> shape.category & 1)) return true;
    const Body& body = bodies[shape.body];
    Vec2 from = inverse_rotate(body.rotation, {static_cast<float>(ox - body.center_x),
                                               static_cast<float>(oy - body.center_y)});
    Vec2 along = inverse_rotate(body.rotation, {static_cast<float>(tx), static_cast<float>(ty)});
    float fraction;
    Vec2 normal;
    if (!rigid::ray_cast(shapes.view(shape), from, along, fraction, normal)) return true;
    take(RayHit{shape.body, index, fraction, ox + fraction * tx, oy + fraction * ty,
                rotate(body.rotation, normal)});
    return true;
  };
  Aabb box = box_of(std::min(ox, ox + tx), std::min(oy, oy + ty), std::max(ox, ox + tx),
                    std::max(oy, oy + ty));
  broadphase.query_fixed(box, visit);
  broadphase.query_moving(box, visit);
}

bool is_before(const RayHit& hit, const RayHit& other) {
  return hit.fraction < other.fraction ||
         (hit.fraction == other.fraction && hit.shape < other.shape);
}

}  // namespace

bool ray_cast(const Bodies& bodies, const Shapes& shapes, const Broadphase& broadphase, double ox,
              double oy, double tx, double ty, uint64_t mask, RayHit& hit) {
  bool found = false;
  each_hit(bodies, shapes, broadphase, ox, oy, tx, ty, mask, [&](const RayHit& next) {
    if (!found || is_before(next, hit)) hit = next;
    found = true;
  });
  return found;
}

std::vector<RayHit> ray_hits(const Bodies& bodies, const Shapes& shapes,
                             const Broadphase& broadphase, double ox, double oy, double tx,
                             double ty, uint64_t mask) {
  std::vector<RayHit> hits;
  each_hit(bodies, shapes, broadphase, ox, oy, tx, ty, mask,
           [&](const RayHit& hit) { hits.push_back(hit); });
  rigid::sort(hits.begin(), hits.end(), is_before);
  return hits;
}

std::vector<std::pair<int, int>> overlap_shape(const Bodies& bodies, const Shapes& shapes,
                                               const Broadphase& broadphase, const Shape& query,
                                               double x, double y, uint64_t mask) {
  std::vector<std::pair<int, int>> found;
  auto visit = [&](int index) {
    const WorldShape& shape = shapes[index];
    if (!(mask >> shape.category & 1)) return true;
    const Body& body = bodies[shape.body];
    Vec2 between = {static_cast<float>(body.center_x - x), static_cast<float>(body.center_y - y)};
    Transform relative = {between, body.rotation};
    bool inside;
    if (query.count == 1 && query.radius == 0.0f) {
      Vec2 point = inverse_apply(relative, query.vertices[0]);
      inside = contains_point(shapes.view(shape), point);
    } else {
      inside = overlaps(query, shapes.view(shape), relative);
    }
    if (inside) found.push_back({shape.body, index});
    return true;
  };
  Aabb box = compute_aabb(query, {{0, 0}, {1, 0}});
  box = box_of(x + box.lower.x, y + box.lower.y, x + box.upper.x, y + box.upper.y);
  broadphase.query_fixed(box, visit);
  broadphase.query_moving(box, visit);
  rigid::sort(found.begin(), found.end(),
              [](const auto& l, const auto& r) { return l.second < r.second; });
  return found;
}

std::vector<std::pair<int, int>> overlap_solids(const Bodies& bodies, const Shapes& shapes,
                                                const Broadphase& broadphase,
                                                std::span<const Vec2> corners, float radius,
                                                double x, double y, uint64_t mask) {
  const auto count = static_cast<int>(corners.size());
  const ShapeKind kind = count == 1   ? ShapeKind::circle
                         : count == 2 ? ShapeKind::capsule
                                      : ShapeKind::polygon;
  Vec2 normals[max_vertices];
  compute_normals(kind, corners.data(), count, normals);
  const Shape shape{kind,           count,   radius,
                    corners.data(), normals, compute_centroid(kind, corners.data(), count)};
  std::vector<std::pair<int, int>> found =
      overlap_shape(bodies, shapes, broadphase, shape, x, y, mask);
  std::erase_if(found, [&](const auto& each) { return shapes[each.second].sensor; });
  return found;
}

}  // namespace rigid
