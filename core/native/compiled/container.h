// SPDX-License-Identifier: MIT
// The file of a compiled scene: named sections of bytes with a digest. docs/design/web.md has the
// layout.
#ifndef RIGID_COMPILED_CONTAINER_H
#define RIGID_COMPILED_CONTAINER_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rigid {

// Thrown for bytes that are no compiled scene of this version.
struct DamagedScene : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

class Container {
 public:
  static constexpr std::string_view magic = "rigid compiled 1";
  static constexpr std::size_t name_bytes = 24, head_bytes = 24, entry_bytes = 40;
  static constexpr std::size_t most_bytes = std::size_t{1} << 30, most_sections = 256;

  // Copies the bytes. Throws DamagedScene.
  explicit Container(std::span<const std::byte> bytes);

  struct Section {
    std::string name;
    std::size_t offset, size;
  };
  const std::vector<Section>& sections() const { return sections_; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // Empty for a section that is not there.
  std::span<const std::byte> bytes(std::string_view name) const;
  // The whole rows of a section, in place. Throws DamagedScene for a part of a row.
  template <class Row>
  std::span<const Row> rows(std::string_view name) const {
    const std::span<const std::byte> all = bytes(name);
    if (all.size() % sizeof(Row) != 0) {
      throw DamagedScene("the compiled scene is damaged: " + std::string(name) + " has half a row");
    }
    return {reinterpret_cast<const Row*>(all.data()), all.size() / sizeof(Row)};
  }
  // Changes with every bit of the file.
  uint64_t digest() const { return digest_; }

 private:
  const Section* find(std::string_view name) const;
  const std::byte* data() const { return reinterpret_cast<const std::byte*>(words_.data()); }

  std::vector<uint64_t> words_;  // aligned for every row
  std::vector<Section> sections_;
  uint64_t digest_ = 0;
};

}  // namespace rigid

#endif
