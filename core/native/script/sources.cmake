# SPDX-License-Identifier: MIT
set(SCRIPT_SOURCES
  script/animations.cpp
  script/batch.cpp
  script/beginning.cpp
  script/births.cpp
  script/destroying.cpp
  script/events.cpp
  script/read_breakable.cpp
  script/read_original.cpp
  script/read_program.cpp
  script/removals.cpp
  script/runner.cpp
  script/saving.cpp
  script/setting.cpp
  script/turns.cpp
  script/values.cpp)
