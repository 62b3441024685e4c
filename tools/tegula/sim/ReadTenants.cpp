// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/ReadTenants.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;

/// A number for the tenant, or nothing if `name` is the name of a size.
static Expected<bool> readSetting(StringRef name, StringRef value,
                                  SimTenant &tenant) {
  int64_t *setting = name == "cores"   ? &tenant.numCores
                     : name == "start" ? &tenant.start
                                       : nullptr;
  if (!setting)
    return false;
  int64_t least = name == "cores" ? 1 : 0;
  constexpr int64_t most = int64_t(1) << 40;
  if (value.getAsInteger(10, *setting) || *setting < least || *setting > most)
    return makeError("{0} wants a whole number from {1} on, got '{2}'", name,
                     least, value);
  return true;
}

/// The kernel and its sizes.
static Error readKernel(StringRef text, uint64_t number, LoadKernel load,
                        SimTenant &tenant) {
  auto [name, settings] = text.split(',');
  if (name.empty())
    return makeError("a kernel is missing");
  std::vector<SimDim> sizes;
  for (StringRef part : llvm::split(settings, ",")) {
    if (settings.empty())
      break;
    auto [key, value] = part.split('=');
    Expected<bool> isSetting = readSetting(key, value, tenant);
    if (!isSetting)
      return isSetting.takeError();
    if (*isSetting)
      continue;
    int64_t extent = 0;
    if (key.empty() || value.getAsInteger(10, extent) || extent < 0)
      return makeError("NAME=SIZE is wanted, got '{0}'", part);
    sizes.push_back({key.str(), {extent}});
  }
  Expected<std::unique_ptr<SimulatedKernel>> kernel = load(name, number);
  if (!kernel)
    return kernel.takeError();
  Expected<std::vector<std::vector<int64_t>>> extents =
      matchDims(sizes, DimSyntax::InTenant, (*kernel)->getName(),
                (*kernel)->getSymbols());
  if (!extents)
    return extents.takeError();
  SizedKernel &sized = tenant.kernels.emplace_back();
  sized.kernel = std::move(*kernel);
  for (const std::vector<int64_t> &each : *extents)
    sized.extents.push_back(each.front());
  return Error::success();
}

Expected<std::vector<SimTenant>> tegula::readTenants(const CommandLine &line,
                                                     LoadKernel load) {
  std::vector<SimTenant> tenants;
  uint64_t number = 0;
  for (const std::string &text : line.getAll("tenant")) {
    SimTenant &tenant = tenants.emplace_back();
    for (StringRef part : llvm::split(text, "+"))
      if (Error error = readKernel(part, ++number, load, tenant))
        return makeError("option '--tenant {0}': {1}", text,
                         llvm::toString(std::move(error)));
  }
  return tenants;
}
