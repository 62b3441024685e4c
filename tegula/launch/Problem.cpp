// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/Problem.h"

#include <cassert>

using namespace tegula;

std::string tegula::formatText(const char *format,
                               std::initializer_list<std::string> values) {
  std::string text;
  for (const char *next = format; *next; ++next) {
    bool isLocation =
        next[0] == '{' && next[1] >= '0' && next[1] <= '9' && next[2] == '}';
    if (!isLocation) {
      text += *next;
      continue;
    }
    size_t number = next[1] - '0';
    assert(number < values.size() && "a value is missing");
    text += *(values.begin() + number);
    next += 2;
  }
  return text;
}
