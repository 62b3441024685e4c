// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuProgram.h"

#include "tegula/launch/cache/ByteStream.h"

#include <cstdlib>
#include <cstring>

using namespace tegula;

int GpuCode::getChip() const { return std::atoi(chip.c_str() + 3); }

const GpuCode *tegula::findGpuCode(const std::vector<GpuCode> &codes,
                                   int chip) {
  std::string own = "sm_" + std::to_string(chip);
  const GpuCode *best = nullptr;
  for (const GpuCode &code : codes) {
    bool isText = code.bytes.compare(0, 4, "\177ELF") != 0;
    if (code.chip == own || code.chip == own + "a")
      return &code;
    int made = code.getChip();
    bool isFamily = made / 10 == chip / 10 && made <= chip;
    if (code.chip.back() != 'a' && (isText ? made <= chip : isFamily))
      best = &code;
  }
  return best;
}

static void writeCodes(ByteWriter &writer, const std::vector<GpuCode> &codes) {
  writer.writeNumber(codes.size());
  for (const GpuCode &code : codes) {
    writer.writeText(code.chip);
    writer.writeText(code.bytes);
  }
}

static void readCodes(ByteReader &reader, std::vector<GpuCode> &codes) {
  codes.resize(reader.readCount());
  for (GpuCode &code : codes) {
    code.chip = reader.readText();
    code.bytes = reader.readText();
  }
}

static void writeRows(ByteWriter &writer, const GpuRows &rows) {
  writer.writeNumber(rows.hasReductions);
  writer.writeNumber(rows.mayBeFlat);
  writer.writeNumber(rows.tensors.size());
  for (const GpuRowTensor &tensor : rows.tensors) {
    writer.writeNumber(tensor.tensor);
    writer.writeNumber(tensor.hasRows);
    writer.writeNumber(tensor.hasColumns);
  }
  writer.writeNumber(rows.variants.size());
  for (const GpuRowVariant &variant : rows.variants) {
    writer.writeText(variant.symbol);
    writer.writeNumber(variant.isByWarp);
    writer.writeNumber(variant.groups);
    writer.writeNumber(variant.elements);
    writer.writeNumber(static_cast<int64_t>(variant.alignment));
    writer.writeNumber(variant.isFitted);
    writer.writeNumber(variant.sureGroups);
  }
}

static void readRows(ByteReader &reader, GpuRows &rows) {
  rows.hasReductions = reader.readNumber();
  rows.mayBeFlat = reader.readNumber();
  rows.tensors.resize(reader.readCount());
  for (GpuRowTensor &tensor : rows.tensors) {
    tensor.tensor = reader.readNumber();
    tensor.hasRows = reader.readNumber();
    tensor.hasColumns = reader.readNumber();
  }
  rows.variants.resize(reader.readCount());
  for (GpuRowVariant &variant : rows.variants) {
    variant.symbol = reader.readText();
    variant.isByWarp = reader.readNumber();
    variant.groups = reader.readNumber();
    variant.elements = reader.readNumber();
    variant.alignment = static_cast<GpuRowAlignment>(reader.readNumber());
    variant.isFitted = reader.readNumber();
    variant.sureGroups = reader.readNumber();
  }
}

static void writeAttention(ByteWriter &writer, const GpuAttention &attention) {
  uint32_t scale;
  std::memcpy(&scale, &attention.scale, sizeof(scale));
  for (int64_t number :
       {attention.queries, attention.keys, attention.values, attention.result,
        attention.scaleSlot, int64_t(scale), attention.headSize,
        attention.sharing, int64_t(attention.isBf16),
        int64_t(attention.isCausal)})
    writer.writeNumber(number);
}

static void readAttention(ByteReader &reader, GpuAttention &attention) {
  for (int64_t *number :
       {&attention.queries, &attention.keys, &attention.values,
        &attention.result, &attention.scaleSlot})
    *number = reader.readNumber();
  auto scale = static_cast<uint32_t>(reader.readNumber());
  std::memcpy(&attention.scale, &scale, sizeof(scale));
  attention.headSize = reader.readNumber();
  attention.sharing = reader.readNumber();
  attention.isBf16 = reader.readNumber();
  attention.isCausal = reader.readNumber();
}

std::string GpuProgram::write() const {
  ByteWriter writer;
  writer.writeText(name);
  writer.writeText(symbol);
  writer.writeNumber(numSlots);
  writer.writeNumber(usedSlots);
  writer.writeNumber(threads);
  writer.writeNumber(sharedBytes);
  writer.writeNumber(hasGridBarrier);
  writer.writeNumber(hasPrints);
  writer.writeNumber(tensors.size());
  for (const GpuTensor &tensor : tensors) {
    writer.writeNumber(tensor.slot);
    writer.writeNumber(tensor.rank);
    writer.writeNumber(tensor.elementBits);
    writer.writeNumber(tensor.isWritten);
  }
  writeCodes(writer, codes);
  writer.writeNumber(matmul.has_value());
  if (matmul) {
    for (int64_t number :
         {matmul->left, matmul->right, int64_t(matmul->isLeftTransposed),
          int64_t(matmul->isRightTransposed), int64_t(matmul->element),
          int64_t(matmul->isLong), matmul->epilogueOperand})
      writer.writeNumber(number);
  }
  writer.writeNumber(attention.has_value());
  if (attention)
    writeAttention(writer, *attention);
  writeCodes(writer, matmulCodes);
  writeCodes(writer, tileCodes);
  writer.writeNumber(rows.has_value());
  if (rows)
    writeRows(writer, *rows);
  return std::move(writer.content);
}

bool GpuProgram::read(std::string_view bytes) {
  ByteReader reader(bytes);
  name = reader.readText();
  symbol = reader.readText();
  numSlots = reader.readNumber();
  usedSlots = reader.readNumber();
  threads = reader.readNumber();
  sharedBytes = reader.readNumber();
  hasGridBarrier = reader.readNumber();
  hasPrints = reader.readNumber();
  tensors.resize(reader.readCount());
  for (GpuTensor &tensor : tensors) {
    tensor.slot = reader.readNumber();
    tensor.rank = reader.readNumber();
    tensor.elementBits = reader.readNumber();
    tensor.isWritten = reader.readNumber();
  }
  readCodes(reader, codes);
  if (reader.readNumber() != 0) {
    GpuMatmul &read = matmul.emplace();
    read.left = reader.readNumber();
    read.right = reader.readNumber();
    read.isLeftTransposed = reader.readNumber();
    read.isRightTransposed = reader.readNumber();
    read.element = static_cast<GpuElement>(reader.readNumber());
    read.isLong = reader.readNumber();
    read.epilogueOperand = reader.readNumber();
  }
  if (reader.readNumber() != 0)
    readAttention(reader, attention.emplace());
  readCodes(reader, matmulCodes);
  readCodes(reader, tileCodes);
  if (reader.readNumber() != 0)
    readRows(reader, rows.emplace());
  return reader.isGood() && reader.isAtEnd();
}
