// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/VariantTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;

namespace {

/// What of one argument a variant is specialised on.
struct Probe {
  uint32_t parameter;
  bool isTensor;
  uint8_t rank;
  /// Bit k is set if the extent of axis k counts.
  uint8_t axes;
  /// True for a number whose value counts.
  bool isConstant;

  bool operator==(const Probe &other) const {
    return parameter == other.parameter && isTensor == other.isTensor &&
           rank == other.rank && axes == other.axes &&
           isConstant == other.isConstant;
  }
};

/// The kind of a variant: two with the same probes are in one hash table.
using Probes = std::vector<Probe>;

/// Open addressing; entries are only ever added.
struct HashTable {
  explicit HashTable(size_t size) : slots(size) {}
  std::vector<std::atomic<const Variant *>> slots;
  size_t count = 0;
};

} // namespace

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

/// The value of a number as far as variants tell them apart.
static uint64_t constantOf(const Argument &argument) {
  if (!argument.isFloat())
    return argument.getIntegerBits();
  double value = argument.getFloat();
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static Probes probesOf(const Signature &resolved, const Signature &declared) {
  Probes probes;
  for (uint32_t index = 0; index < resolved.parameters.size(); ++index) {
    const Parameter &parameter = resolved.parameters[index];
    bool isConstant = parameter.constant.has_value();
    if (!declared.parameters[index].isOpen() && !isConstant)
      continue;
    Probe probe = {index, parameter.isTensor(), 0, 0, isConstant};
    if (parameter.isTensor()) {
      probe.rank = static_cast<uint8_t>(parameter.axes->size());
      for (unsigned axis = 0; axis < probe.rank; ++axis)
        if ((*parameter.axes)[axis].extent)
          probe.axes |= 1u << axis;
    }
    probes.push_back(probe);
  }
  return probes;
}

static uint64_t hashOf(const Probes &probes, const Signature &resolved) {
  uint64_t hash = 1;
  for (const Probe &probe : probes) {
    const Parameter &parameter = resolved.parameters[probe.parameter];
    if (!probe.isTensor) {
      hash = mix(hash, isFloat(*parameter.dtype));
      if (probe.isConstant)
        hash = mix(hash, *parameter.constant);
      continue;
    }
    hash = mix(hash, static_cast<uint64_t>(*parameter.dtype));
    for (const Axis &axis : *parameter.axes)
      if (axis.extent)
        hash = mix(hash, *axis.extent);
  }
  return hash;
}

/// Nothing if the arguments are of another kind.
static std::optional<uint64_t> hashOf(const Probes &probes,
                                      llvm::ArrayRef<Argument> arguments) {
  uint64_t hash = 1;
  for (const Probe &probe : probes) {
    const Argument &argument = arguments[probe.parameter];
    if (argument.isTensor() != probe.isTensor)
      return std::nullopt;
    if (!probe.isTensor) {
      hash = mix(hash, argument.isFloat());
      if (probe.isConstant)
        hash = mix(hash, constantOf(argument));
      continue;
    }
    const TensorView &view = argument.getTensor();
    if (view.rank != probe.rank)
      return std::nullopt;
    hash = mix(hash, static_cast<uint64_t>(view.dtype));
    for (unsigned axis = 0; axis < probe.rank; ++axis)
      if (probe.axes >> axis & 1)
        hash = mix(hash, view.sizes[axis]);
  }
  return hash;
}

/// True if the arguments are what the variant is specialised on.
static bool fits(const Probes &probes, const Signature &resolved,
                 llvm::ArrayRef<Argument> arguments) {
  for (const Probe &probe : probes) {
    const Parameter &parameter = resolved.parameters[probe.parameter];
    const Argument &argument = arguments[probe.parameter];
    if (!probe.isTensor) {
      if (argument.isFloat() != isFloat(*parameter.dtype) ||
          (probe.isConstant && constantOf(argument) != *parameter.constant))
        return false;
      continue;
    }
    const TensorView &view = argument.getTensor();
    if (view.dtype != *parameter.dtype)
      return false;
    for (unsigned axis = 0; axis < probe.rank; ++axis)
      if ((probe.axes >> axis & 1) &&
          view.sizes[axis] != *(*parameter.axes)[axis].extent)
        return false;
  }
  return true;
}

/// Variants of one kind.
struct VariantTable::Pattern {
  Probes probes;
  std::atomic<HashTable *> table;
  /// Tables that were outgrown; somebody may still be looking there.
  std::vector<std::unique_ptr<HashTable>> tables;
  Pattern *next = nullptr;

  explicit Pattern(Probes probes) : probes(std::move(probes)) { grow(8); }

  void grow(size_t size) {
    tables.push_back(std::make_unique<HashTable>(size));
    table.store(tables.back().get(), std::memory_order_release);
  }

  static void insert(HashTable &into, uint64_t hash, const Variant *variant) {
    size_t mask = into.slots.size() - 1, place = hash & mask;
    while (into.slots[place].load(std::memory_order_relaxed))
      place = (place + 1) & mask;
    into.slots[place].store(variant, std::memory_order_release);
    ++into.count;
  }

  void add(const Variant *variant) {
    HashTable *current = table.load(std::memory_order_relaxed);
    if (2 * (current->count + 1) > current->slots.size()) {
      auto larger = std::make_unique<HashTable>(2 * current->slots.size());
      for (const auto &slot : current->slots)
        if (const Variant *known = slot.load(std::memory_order_relaxed))
          insert(*larger, hashOf(probes, known->guard.getSignature()), known);
      current = larger.get();
      tables.push_back(std::move(larger));
      insert(*current, hashOf(probes, variant->guard.getSignature()), variant);
      table.store(current, std::memory_order_release);
      return;
    }
    insert(*current, hashOf(probes, variant->guard.getSignature()), variant);
  }

  const Variant *find(llvm::ArrayRef<Argument> arguments) const {
    std::optional<uint64_t> hash = hashOf(probes, arguments);
    if (!hash)
      return nullptr;
    const HashTable &current = *table.load(std::memory_order_acquire);
    size_t mask = current.slots.size() - 1;
    for (size_t place = *hash & mask;; place = (place + 1) & mask) {
      const Variant *variant =
          current.slots[place].load(std::memory_order_acquire);
      if (!variant || fits(probes, variant->guard.getSignature(), arguments))
        return variant;
    }
  }
};

VariantTable::VariantTable() = default;

VariantTable::~VariantTable() {
  for (Pattern *pattern = patterns; pattern;)
    delete std::exchange(pattern, pattern->next);
}

const Variant *VariantTable::find(llvm::ArrayRef<Argument> arguments) const {
  for (Pattern *pattern = patterns.load(std::memory_order_acquire); pattern;
       pattern = pattern->next)
    if (const Variant *variant = pattern->find(arguments))
      return variant;
  return nullptr;
}

const Variant *VariantTable::add(std::unique_ptr<Variant> variant,
                                 const Signature &declared) {
  std::lock_guard<std::mutex> lock(adding);
  Probes probes = probesOf(variant->guard.getSignature(), declared);
  Pattern *pattern = patterns.load(std::memory_order_relaxed);
  while (pattern && !(pattern->probes == probes))
    pattern = pattern->next;
  if (!pattern) {
    pattern = new Pattern(std::move(probes));
    pattern->next = patterns.load(std::memory_order_relaxed);
    pattern->add(variant.get());
    patterns.store(pattern, std::memory_order_release);
  } else {
    pattern->add(variant.get());
  }
  variants.push_back(std::move(variant));
  return variants.back().get();
}

std::vector<const Variant *> VariantTable::list() const {
  std::lock_guard<std::mutex> lock(adding);
  std::vector<const Variant *> all;
  for (const auto &variant : variants)
    all.push_back(variant.get());
  return all;
}
