// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Theme.h"

#include "test/differential/CarryGenerator.h"
#include "test/differential/Generator.h"

using namespace tegula;
using namespace tegula::differential;

Program differential::makeProgram(Theme theme, uint64_t number) {
  switch (theme) {
  case Theme::Expressions:
    return Generator(number).generate();
  case Theme::Carries:
    return CarryGenerator(number).generate();
  }
  return {};
}
