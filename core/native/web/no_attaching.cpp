// SPDX-License-Identifier: MIT
// Replaces the files of script/acting/ and script/reading/ for attached joints, which pages cannot
// draw, and for drags, which pages do in JavaScript.
#include "script/reading/read_attachment.h"
#include "script/runner.h"

namespace rigid::script {

bool Runner::attach(World&, const Action&, const Found&, const Exact&) { return false; }
void Runner::detach(World&, int) {}
bool Runner::drag(World&, int64_t) { return false; }
bool Runner::awaits_bodies() const { return false; }
void Runner::find_pulled(int64_t, const std::string&) {}
std::optional<Numbers> Runner::pulled_to(const World&) const { return pulled_; }

Attachment read_attachment(Reader&, int, int) {
  refuse("joints are attached in it, which pages do not show");
}
Pull read_pull(Reader&, int) { refuse("it drags bodies, which the page does itself"); }

}  // namespace rigid::script
