// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/CallCache.h"

#include "python/TypeReader.h"

using namespace tegula;

/// The stream that the library of a tensor works on at the moment. False if it
/// does not say.
static bool findStream(PyTypeObject *type, int device, void *&stream) {
  const dlpack::ExchangeApi *api = getTypeReader(type).api;
  if (!api->getStream)
    return true;
  if (api->getStream(dlpack::Cuda, device, &stream) == 0)
    return true;
  clearUnlessInterrupt();
  return false;
}

void CallCache::find(PyObject *const *objects, size_t count,
                     Found &found) const {
  if (count == 0 || count > ReadArguments::mostNotes)
    return;
  const Entry *entry = nullptr;
  uint64_t version = 0;
  uintptr_t addresses[ReadArguments::mostNotes];
  size_t numTensors = 0;
  for (size_t index = 0; index < count; ++index) {
    SeenArgument seen;
    if (!seen.look(objects[index]))
      return;
    if (index == 0) {
      entry = entries[mixSizes(seen, mostEntries)].get();
      if (!entry || !entry->variant)
        return;
      version = entry->version;
    }
    if (!entry->arguments[index].matches(seen))
      return;
    if (seen.isTensor)
      addresses[numTensors++] = seen.bits;
  }
  if (entry->device >= 0) {
    found.stream.device = entry->device;
    if (!findStream(entry->library, entry->device, found.stream.stream))
      return;
  }
  // No code of others runs from here on.
  if (entry->version == version && entry->count == count &&
      entry->call.admit(addresses, found.slots))
    found.variant = entry->variant;
}

bool CallCache::Entry::assign(const ReadArguments &call) {
  llvm::ArrayRef<Argument> read = call.get();
  count = read.size();
  device = call.getStream().device;
  library = nullptr;
  for (size_t index = 0; index < count; ++index) {
    arguments[index].assign(read[index], call.getNote(index));
    if (!read[index].isTensor())
      continue;
    PyTypeObject *type = call.getNote(index).type;
    // Of several libraries each would have to say on which stream it works.
    if (device >= 0 && library &&
        getTypeReader(library).api != getTypeReader(type).api)
      return false;
    library = type;
  }
  return true;
}

void CallCache::add(const ReadArguments &call, const Variant &variant) {
  if (variant.image || !call.isPlain())
    return;
  llvm::ArrayRef<Argument> arguments = call.get();
  auto &slot = entries[mixSizes(arguments.front(), mostEntries)];
  if (!slot)
    slot = std::make_unique<Entry>();
  Entry &entry = *slot;
  uint64_t hash = 1;
  for (size_t index = 0; index < arguments.size(); ++index)
    hash = CachedArgument::hash(hash, arguments[index], call.getNote(index));
  if (hash == entry.kept)
    return;
  if (hash != entry.candidate) {
    entry.candidate = hash;
    return;
  }
  ++entry.version;
  entry.kept = hash;
  bool isGood =
      entry.assign(call) && entry.call.assign(variant.guard, arguments);
  entry.variant = isGood ? &variant : nullptr;
}
