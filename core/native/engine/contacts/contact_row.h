// SPDX-License-Identifier: MIT
// A point of a contact as a row, in world coordinates.
#ifndef RIGID_ENGINE_CONTACTS_CONTACT_ROW_H
#define RIGID_ENGINE_CONTACTS_CONTACT_ROW_H

#include "engine/data/bodies.h"
#include "engine/data/contact.h"
#include "engine/data/rows.h"

namespace rigid {

// Midway along the normal to B's point (ContactPoint, hold_at_surfaces). A contact on a chain track
// has its point at its place at the step's end.
inline ContactRow contact_row(const Bodies& bodies, const Contact& c, int k, double per_dt) {
  const Body &a = bodies[c.body_a], &b = bodies[c.body_b];
  const ContactPoint& p = c.points[k];
  const double x = b.center_x + c.offset.x - a.center_x;
  const double y = b.center_y + c.offset.y - a.center_y;
  const double half = c.led ? 0 : 0.5 * (x * c.normal.x + y * c.normal.y);
  ContactRow row{};
  row.x = a.center_x + p.anchor.x + half * c.normal.x;
  row.y = a.center_y + p.anchor.y + half * c.normal.y;
  row.normal_x = c.normal.x;
  row.normal_y = c.normal.y;
  row.separation = p.separation;
  row.normal_impulse = p.total_normal;
  row.tangent_impulse = p.total_tangent;
  row.normal_force = p.total_normal * per_dt;
  row.tangent_force = p.total_tangent * per_dt;
  row.body_a = c.body_a;
  row.body_b = c.body_b;
  row.shape_a = c.shape_a;
  row.shape_b = c.shape_b;
  return row;
}

}  // namespace rigid

#endif
