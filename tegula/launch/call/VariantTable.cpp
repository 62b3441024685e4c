// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/VariantTable.h"

#include "tegula/launch/call/VariantPattern.h"

using namespace tegula;

namespace {

/// Open addressing; entries are only ever added.
struct HashTable {
  explicit HashTable(size_t size) : slots(size) {}
  std::vector<std::atomic<const Variant *>> slots;
  size_t count = 0;
};

} // namespace

/// Variants of one kind.
struct VariantTable::Pattern {
  VariantPattern key;
  std::atomic<HashTable *> table;
  /// Tables that were outgrown; somebody may still be looking there.
  std::vector<std::unique_ptr<HashTable>> tables;
  Pattern *next = nullptr;

  explicit Pattern(VariantPattern key) : key(std::move(key)) { grow(8); }

  void grow(size_t size) {
    tables.push_back(std::make_unique<HashTable>(size));
    table.store(tables.back().get(), std::memory_order_release);
  }

  static void insert(HashTable &into, uint64_t hash, const Variant *variant) {
    size_t mask = into.slots.size() - 1, index = hash & mask;
    while (into.slots[index].load(std::memory_order_relaxed))
      index = (index + 1) & mask;
    into.slots[index].store(variant, std::memory_order_release);
    ++into.count;
  }

  void add(const Variant *variant) {
    HashTable *current = table.load(std::memory_order_relaxed);
    if (2 * (current->count + 1) > current->slots.size()) {
      auto larger = std::make_unique<HashTable>(2 * current->slots.size());
      for (const auto &slot : current->slots)
        if (const Variant *known = slot.load(std::memory_order_relaxed))
          insert(*larger, key.hash(known->guard.getSignature()), known);
      current = larger.get();
      tables.push_back(std::move(larger));
      insert(*current, key.hash(variant->guard.getSignature()), variant);
      table.store(current, std::memory_order_release);
      return;
    }
    insert(*current, key.hash(variant->guard.getSignature()), variant);
  }

  const Variant *find(llvm::ArrayRef<Argument> arguments) const {
    std::optional<uint64_t> hash = key.hash(arguments);
    if (!hash)
      return nullptr;
    const HashTable &current = *table.load(std::memory_order_acquire);
    size_t mask = current.slots.size() - 1;
    for (size_t index = *hash & mask;; index = (index + 1) & mask) {
      const Variant *variant =
          current.slots[index].load(std::memory_order_acquire);
      if (!variant || key.matches(variant->guard.getSignature(), arguments))
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
  VariantPattern key(variant->guard.getSignature(), declared);
  Pattern *pattern = patterns.load(std::memory_order_relaxed);
  while (pattern && !(pattern->key == key))
    pattern = pattern->next;
  if (!pattern) {
    pattern = new Pattern(std::move(key));
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
