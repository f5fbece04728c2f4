// SPDX-License-Identifier: MIT
// The computation of masses, centres and moments of inertia.
#include "engine/bodies/mass.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/data/constants.h"
#include "geometry/mass.h"

namespace rigid {

// Mass, centre and inertia: given, or from the shapes other than sensors. A body of lines only gets
// a rod's inertia; one without massive shapes has mass 1 and does not turn.
void compute_mass(Bodies& bodies, Shapes& shapes, int index) {
  Body& body = bodies[index];
  double mass = 0, cx = 0, cy = 0, inertia = 0;
  double line = 0, line_x = 0, line_y = 0, line_inertia = 0;
  for (int s : shapes.of_body[index]) {
    const WorldShape& shape = shapes[s];
    const double* p = shapes.given_points.data() + 2 * shape.first_vertex;
    if (shape.sensor || shape.kind == ShapeKind::half_space) continue;
    if (shape.kind == ShapeKind::segment || shape.kind == ShapeKind::chain_segment) {
      const double* a = shape.kind == ShapeKind::segment ? p : p + 2;
      double dx = a[2] - a[0], dy = a[3] - a[1], length = std::sqrt(dx * dx + dy * dy);
      double mx = 0.5 * (a[0] + a[2]), my = 0.5 * (a[1] + a[3]);
      line += length;
      line_x += length * mx;
      line_y += length * my;
      line_inertia += length * (length * length / 12 + mx * mx + my * my);
      continue;
    }
    MassData data = shape_mass(shape.kind, p, shape.count, shape.radius, shape.density);
    mass += data.mass;
    cx += data.mass * data.cx;
    cy += data.mass * data.cy;
    inertia += data.inertia + data.mass * (data.cx * data.cx + data.cy * data.cy);
  }
  if (!(mass > 0) && line > 0) {
    mass = 1;
    cx = line_x / line;
    cy = line_y / line;
    inertia = line_inertia / line;
  } else if (mass > 0) {
    cx /= mass;
    cy /= mass;
  } else {
    mass = 1;
    inertia = 0;
  }
  inertia = std::max(0.0, inertia - mass * (cx * cx + cy * cy));
  if (!std::isnan(body.given_mass)) {
    inertia *= body.given_mass / mass;
    mass = body.given_mass;
  }
  // Bodies that forces do not move rotate about their origin.
  bool dynamic = body.kind == BodyKind::dynamic;
  double gx = !std::isnan(body.given_center_x) ? body.given_center_x : dynamic ? cx : 0.0;
  double gy = !std::isnan(body.given_center_y) ? body.given_center_y : dynamic ? cy : 0.0;
  inertia += mass * ((gx - cx) * (gx - cx) + (gy - cy) * (gy - cy));
  if (!std::isnan(body.given_inertia)) inertia = body.given_inertia;

  body.local_center = {static_cast<float>(gx), static_cast<float>(gy)};
  body.mass = static_cast<float>(mass);
  body.inertia = static_cast<float>(inertia);
  InverseMass inverse{0, 0};
  if (body.kind == BodyKind::dynamic) {
    if (body.mass > 0) inverse.mass = static_cast<float>(1 / mass);
    if (body.inertia > 0 && !body.fixed_rotation) inverse.inertia = static_cast<float>(1 / inertia);
    // Masses beyond a float's range count as zero or infinite.
    if (!std::isfinite(inverse.mass)) inverse.mass = 0;
    if (!std::isfinite(inverse.inertia)) inverse.inertia = 0;
  }
  bodies.inverse_masses[index] = bodies.stiffened_inverse_masses[index] =
      bodies.step_inverse_masses[index] = inverse;
  bodies.mass[index] = body.kind == BodyKind::dynamic ? body.mass : 0.0f;
  bodies.inertia[index] = body.kind == BodyKind::dynamic ? body.inertia : 0.0f;
  SineCosine sc = sine_cosine(body.angle);
  body.center_x = body.origin_x + (sc.cosine * gx - sc.sine * gy);
  body.center_y = body.origin_y + (sc.sine * gx + sc.cosine * gy);

  body.extent = body.core_extent = 0;
  body.sweep_margin = std::numeric_limits<float>::infinity();
  for (int s : shapes.of_body[index]) {
    WorldShape& shape = shapes[s];
    for (int i = 0; i < vertex_count(shape); ++i) {
      const double* p = shapes.given_points.data() + 2 * (shape.first_vertex + i);
      Vec2 v = {static_cast<float>(p[0] - gx), static_cast<float>(p[1] - gy)};
      shapes.vertices[shape.first_vertex + i] = v;
      if (i >= shape.count) continue;
      body.extent = std::max(body.extent, length(v) + shape.radius);
      shape.core_extent = i == 0 ? length(v) : std::max(shape.core_extent, length(v));
    }
    body.core_extent = std::max(body.core_extent, shape.core_extent);
    const Vec2* v = shapes.vertices.data() + shape.first_vertex;
    Vec2* normals = shapes.normals.data() + shape.first_vertex;
    compute_normals(shape.kind, v, shape.count, normals);
    if (shape.part) compute_outline(v, shape.count, normals + shape.count);
    shape.centroid = compute_centroid(shape.kind, v, shape.count);
    shape.thickness = inner_radius(shapes.view(shape));
    if (!shape.sensor && body.collides)
      body.sweep_margin = std::min(body.sweep_margin, constants::sweep_margin * shape.thickness);
  }
}

}  // namespace rigid
