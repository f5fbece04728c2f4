// SPDX-License-Identifier: MIT
// A page breaks no bodies and attaches no joints, which it could not draw, does drags by itself,
// and does not measure shapes: in place of the files of script/acting/ and script/reading/ for
// these, and of cutting/.
#include "script/reading/read_attachment.h"
#include "script/reading/read_breakable.h"
#include "script/reading/read_form.h"
#include "script/reading/save_joints.h"
#include "script/runner.h"

namespace rigid::script {

const Breaking* Runner::breaking_of(int, int64_t) const { return nullptr; }
bool Runner::destroy(World&, const Action&, const Found&, const Exact&) { return false; }

bool Runner::attach(World&, const Action&, const Found&, const Exact&) { return false; }
void Runner::detach(World&, int) {}
bool Runner::drag(World&, int64_t) { return false; }
std::optional<Numbers> Runner::pulled_to(const World&) const { return pulled_; }

std::optional<int> Runner::root_of(const Bodies&, int) const { return none; }
std::optional<double> Runner::ask_view(World&, int) const { return std::nullopt; }
void Runner::learn_part(int64_t, int) {}
void Runner::unlearn(int64_t) {}
bool Runner::is_piece(const Members&, const Born&) { return false; }
bool Runner::explode(World&, const Action&, const Found&, const Exact&) { return false; }
std::optional<double> Runner::measured(Reading&, Over, std::span<const int>, const Exact&) const {
  return std::nullopt;
}
std::optional<double> Runner::of_body(Reading& reading, int slot, int channel, const Exact&) const {
  return channels()[channel].read(reading, slot);
}

void put_joints(StateWriter&, State&) {}
void put_joints(StateReader&, State&) {}
void put_forms(StateWriter&, State&) {}
void put_forms(StateReader&, State&) {}
void read_forms(Reader& reader, Program&) {
  require(reader.count(1) == 0 && reader.count(1) == 0,
          "bodies break in it, which pages do not show");
}

Attachment read_attachment(Reader&, std::size_t, int) {
  refuse("joints are attached in it, which pages do not show");
}
Pull read_pull(Reader&, int) { refuse("it drags bodies, which the page does itself"); }
Breakable read_breakable(Reader&) { refuse("bodies break in it, which pages do not show"); }
Destruction read_destruction(Reader&) { refuse("bodies break in it, which pages do not show"); }
std::vector<std::byte> bytes_of(const Breakable&) { return {}; }

}  // namespace rigid::script
