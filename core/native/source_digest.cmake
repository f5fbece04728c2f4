# SPDX-License-Identifier: MIT
# cmake -DFOLDER=core/native -DOUT=source_digest.cpp -P source_digest.cmake
# Writes a C++ source with the digest of the module's sources: their names and texts, in the order of
# their names, with the same ends of lines on every system.
get_filename_component(FOLDER "${FOLDER}" ABSOLUTE)
file(GLOB_RECURSE names RELATIVE "${FOLDER}" "${FOLDER}/*.h" "${FOLDER}/*.cpp" "${FOLDER}/*.cmake"
  "${FOLDER}/CMakeLists.txt")
list(FILTER names EXCLUDE REGEX "^web/")  # of the module for browsers
list(SORT names)
set(digests "")
foreach(name IN LISTS names)
  file(READ "${FOLDER}/${name}" text)
  string(REPLACE "\r\n" "\n" text "${text}")
  string(SHA256 digest "${text}")
  string(APPEND digests "${digest} ${name}\n")
endforeach()
string(SHA256 digest "${digests}")
file(WRITE "${OUT}" "namespace rigid {
extern const char* const source_digest;
const char* const source_digest = \"${digest}\";
}  // namespace rigid
")
