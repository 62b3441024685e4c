// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/serve/Confine.h"

#include <cstdint>
#include <fcntl.h>
#include <initializer_list>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tegula;

static constexpr uint64_t readAccess =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/// All that the first version of Landlock knows.
static constexpr uint64_t allAccess =
    2 * uint64_t(LANDLOCK_ACCESS_FS_MAKE_SYM) - 1;

/// Lets what lies at `path` be used; a file, as far as one can be.
static void allow(int rules, const char *path, uint64_t access) {
  int descriptor = ::open(path, O_PATH | O_CLOEXEC);
  if (descriptor < 0)
    return;
  landlock_path_beneath_attr rule = {access, descriptor};
  if (::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule,
                0) != 0) {
    rule.allowed_access &= ~uint64_t(LANDLOCK_ACCESS_FS_READ_DIR);
    ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule,
              0);
  }
  ::close(descriptor);
}

bool tegula::canConfine() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0,
                   LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

bool tegula::confineTo(const char *folder, const char *program,
                       const char *installation) {
  landlock_ruleset_attr attributes = {};
  attributes.handled_access_fs = allAccess;
  int rules = ::syscall(SYS_landlock_create_ruleset, &attributes,
                        sizeof(attributes), 0);
  if (rules < 0)
    return false;
  allow(rules, folder, allAccess & ~uint64_t(LANDLOCK_ACCESS_FS_EXECUTE));
  allow(rules, program, readAccess | LANDLOCK_ACCESS_FS_EXECUTE);
  // What starts every program.
  allow(rules, "/lib64/ld-linux-x86-64.so.2",
        readAccess | LANDLOCK_ACCESS_FS_EXECUTE);
  for (const char *path :
       {installation, "/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache",
        "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system",
        "/dev/urandom"})
    allow(rules, path, readAccess);
  allow(rules, "/dev/null",
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}
