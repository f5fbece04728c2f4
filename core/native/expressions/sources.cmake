# SPDX-License-Identifier: MIT
set(EXPRESSION_SOURCES
  expressions/portable.cpp
  expressions/program.cpp)
set(EXPRESSION_BINDINGS
  expressions/bind_expressions.cpp)
