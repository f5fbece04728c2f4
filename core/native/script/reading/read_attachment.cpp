// SPDX-License-Identifier: MIT
#include "script/reading/read_attachment.h"

#include <utility>

namespace rigid::script {

namespace {

JointEnd joint_end(Reader& reader, int bodies, int least) {
  JointEnd found{};
  found.body = reader.number<int32_t>();
  require(found.body >= least && found.body < bodies, "a place is in no table");
  found.hold = reader.word<Hold>(hold_count);
  found.x = reader.finite();
  found.y = reader.finite();
  found.points = reader.list<std::pair<int, Numbers>>(20, [&] {
    const auto body = reader.number<int32_t>();
    require(body >= least && body < bodies, "a place is in no table");
    const double x = reader.finite();
    return std::pair(body, Numbers{x, reader.finite()});
  });
  return found;
}

}  // namespace

Attachment read_attachment(Reader& reader, int bodies, int least) {
  Attachment found{};
  found.name = reader.number<int32_t>();
  found.by_host = reader.flag();
  if (found.by_host) return found;
  for (JointEnd& end : found.ends) end = joint_end(reader, bodies, least);
  for (bool* flag : {&found.refused, &found.turns_axis, &found.measures, &found.least_is_length,
                     &found.most_is_length, &found.may_be_pin}) {
    *flag = reader.flag();
  }
  for (double* number : {&found.least, &found.most, &found.shortest}) *number = reader.real();
  found.row = reader.number<JointRow>();
  require(found.row.linked_a == 0 && found.row.linked_b == 0, "an attached joint is linked");
  return found;
}

Pull read_pull(Reader& reader, int bodies) {
  Pull found{};
  found.number = reader.number<int32_t>();
  found.body = reader.place(bodies);
  for (double& each : found.point) each = reader.finite();
  found.force = reader.real();
  require(found.force >= 0.0, "a force is below 0");
  found.start = reader.number<int64_t>();
  found.until = reader.number<int64_t>();
  found.steps = reader.list<int64_t>(8, [&] { return reader.number<int64_t>(); });
  found.targets = reader.list<Numbers>(16, [&] {
    const double x = reader.finite();
    return Numbers{x, reader.finite()};
  });
  require(found.is_sound(), "a drag has other targets than times");
  return found;
}

}  // namespace rigid::script
