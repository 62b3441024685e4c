// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/ProcessTime.h"

#include <fstream>
#include <sstream>
#include <string>

using namespace tegula;

int64_t tegula::readProcessTime(int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(file, text))
    return -1;
  // After the name, which may have anything in it, come a letter and then
  // numbers: the times are the eleventh and the twelfth.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int field = 0; field < 11; ++field)
    fields >> skipped;
  int64_t user = 0, system = 0;
  fields >> user >> system;
  return user + system;
}
