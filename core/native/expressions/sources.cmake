# SPDX-License-Identifier: MIT
set(EXPRESSION_SOURCES
  expressions/bind_expressions.cpp
  expressions/portable.cpp
  expressions/program.cpp)
