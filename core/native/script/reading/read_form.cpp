// SPDX-License-Identifier: MIT
#include "script/reading/read_form.h"

#include <cstdint>
#include <memory>

namespace rigid::script {

namespace {

std::vector<ConvexPart> parts_of(Reader& reader) {
  return reader.list<ConvexPart>(12, [&] {
    const double radius = reader.finite();
    auto corners = reader.list<double>(8, [&] { return reader.finite(); });
    require(radius >= 0.0 && corners.size() % 2 == 0 && !corners.empty(), "a form has no shape");
    return ConvexPart{radius, std::move(corners)};
  });
}

void add(std::vector<std::byte>& bytes, const std::vector<ConvexPart>& parts) {
  add_bytes(bytes, static_cast<uint32_t>(parts.size()));
  for (const ConvexPart& part : parts) {
    add_bytes(bytes, part.radius);
    add_bytes(bytes, static_cast<uint32_t>(part.corners.size()));
    for (double corner : part.corners) add_bytes(bytes, corner);
  }
}

}  // namespace

Form read_form(Reader& reader) {
  Form found{};
  found.area = reader.finite();
  found.outlines = parts_of(reader);
  found.solids = parts_of(reader);
  found.borders = reader.list<std::array<double, 4>>(32, [&] {
    std::array<double, 4> border;
    for (double& number : border) number = reader.finite();
    return border;
  });
  return found;
}

std::vector<std::byte> bytes_of(const Form& form) {
  std::vector<std::byte> bytes;
  add_bytes(bytes, form.area);
  add(bytes, form.outlines);
  add(bytes, form.solids);
  add_bytes(bytes, static_cast<uint32_t>(form.borders.size()));
  for (const auto& border : form.borders) add_bytes(bytes, border);
  return bytes;
}

void read_forms(Reader& reader, Program& program) {
  program.forms = reader.list<std::shared_ptr<const Form>>(
      20, [&] { return std::make_shared<const Form>(read_form(reader)); });
  program.own_forms = reader.list<int>(4, [&] { return reader.place(program.forms.size(), none); });
  require(program.own_forms.empty() || static_cast<int>(program.own_forms.size()) == program.bodies,
          "forms are of other bodies");
}

}  // namespace rigid::script
