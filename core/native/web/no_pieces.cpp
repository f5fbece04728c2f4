// SPDX-License-Identifier: MIT
// A page breaks no bodies, whose pieces it could not draw: in place of script/destroying.cpp,
// script/reading/read_breakable.cpp and cutting/.
#include "script/reading/read_breakable.h"
#include "script/runner.h"

namespace rigid::script {

const Breaking* Runner::breaking_of(int, int64_t) const { return nullptr; }
bool Runner::destroy(World&, const Action&, const Found&, const Exact&) { return false; }

Breakable read_breakable(Reader&) { refuse("bodies break in it, which pages do not show"); }
Destruction read_destruction(Reader&) { refuse("bodies break in it, which pages do not show"); }
std::vector<std::byte> bytes_of(const Breakable&) { return {}; }

}  // namespace rigid::script
