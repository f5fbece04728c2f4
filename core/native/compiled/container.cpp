// SPDX-License-Identifier: MIT
// Reading and checking the file of a compiled scene.
#include "compiled/container.h"

#include <algorithm>
#include <cstring>

#include "seeded/blake2b.h"

namespace rigid {

namespace {

constexpr std::string_view family = "rigid compiled ";
constexpr std::size_t digest_bytes = 8;

DamagedScene damaged(const std::string& why) {
  return DamagedScene("the compiled scene is damaged: " + why);
}

template <class Number>
Number number_at(const std::byte* from) {
  Number number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

// A name is of printable ASCII, and zeros behind it.
std::string name_at(const std::byte* from) {
  std::string name;
  std::size_t at = 0;
  for (; at < Container::name_bytes && from[at] != std::byte{0}; ++at) {
    const char sign = static_cast<char>(from[at]);
    if (sign <= ' ' || sign > '~') throw damaged("the name of a section");
    name += sign;
  }
  for (; at < Container::name_bytes; ++at) {
    if (from[at] != std::byte{0}) throw damaged("the name of a section");
  }
  if (name.empty()) throw damaged("a section without a name");
  return name;
}

}  // namespace

Container::Container(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(family)) throw DamagedScene("this is no compiled scene");
  if (!text.starts_with(magic)) {
    throw DamagedScene("this scene was compiled by another version of rigid: compile it again");
  }
  if (bytes.size() > most_bytes) throw damaged("it has more than 1 GiB");
  if (bytes.size() < head_bytes + digest_bytes) throw damaged("it is cut off");
  const std::size_t end = bytes.size() - digest_bytes;
  digest_ = number_at<uint64_t>(bytes.data() + end);
  if (hash_of(text.substr(0, end)) != digest_) throw damaged("it is not what was written");
  words_.resize((bytes.size() + 7) / 8);
  std::memcpy(words_.data(), bytes.data(), bytes.size());
  const std::size_t count = number_at<uint32_t>(data() + magic.size());
  if (count > most_sections || head_bytes + count * entry_bytes > end) {
    throw damaged("the number of its sections");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* entry = data() + head_bytes + i * entry_bytes;
    const auto offset = number_at<uint64_t>(entry + name_bytes);
    const auto size = number_at<uint64_t>(entry + name_bytes + 8);
    std::string name = name_at(entry);
    if (offset % 8 != 0 || offset > end || size > end - offset) {
      throw damaged("the place of " + name);
    }
    if (has(name)) throw damaged("two sections " + name);
    sections_.push_back(
        {std::move(name), static_cast<std::size_t>(offset), static_cast<std::size_t>(size)});
  }
}

std::span<const std::byte> Container::bytes(std::string_view name) const {
  const Section* section = find(name);
  if (section == nullptr) return {};
  return {data() + section->offset, section->size};
}

const Container::Section* Container::find(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& each) { return each.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

}  // namespace rigid
