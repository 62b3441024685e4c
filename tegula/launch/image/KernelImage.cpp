// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/image/KernelImage.h"

#include "tegula/launch/call/SignatureBytes.h"

#include <algorithm>

using namespace tegula;

const ImageObject *KernelImage::find(std::string_view kind) const {
  auto found = std::find_if(
      objects.begin(), objects.end(),
      [&](const ImageObject &object) { return object.kind == kind; });
  return found == objects.end() ? nullptr : &*found;
}

std::string tegula::writeFacts(const KernelFacts &facts) {
  ByteWriter writer;
  writeSignature(writer, facts.signature);
  writer.writeText(facts.runner);
  writer.writeText(facts.digest);
  writer.writeText(facts.entry);
  writer.writeText(facts.features);
  writer.writeNumber(facts.sites.size());
  for (const std::string &site : facts.sites)
    writer.writeText(site);
  writer.writeNumber(facts.files.size());
  for (const FileUse &file : facts.files) {
    writer.writeText(file.path);
    writer.writeText(file.digest);
  }
  writer.writeNumber(facts.warnings.size());
  for (const KernelWarning &warning : facts.warnings) {
    writer.writeText(warning.path);
    writer.writeNumber(warning.line);
    writer.writeText(warning.message);
    writer.writeText(warning.text);
  }
  return std::move(writer.content);
}

bool tegula::readFacts(std::string_view bytes, KernelFacts &facts) {
  facts = {};
  ByteReader reader(bytes);
  if (!readSignature(reader, facts.signature))
    return false;
  facts.runner = reader.readText();
  facts.digest = reader.readText();
  facts.entry = reader.readText();
  facts.features = reader.readText();
  uint64_t count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index)
    facts.sites.push_back(reader.readText());
  count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index) {
    FileUse &file = facts.files.emplace_back();
    file.path = reader.readText();
    file.digest = reader.readText();
  }
  count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index) {
    KernelWarning &warning = facts.warnings.emplace_back();
    warning.path = reader.readText();
    warning.line = reader.readNumber();
    warning.message = reader.readText();
    warning.text = reader.readText();
  }
  return reader.isGood() && reader.isAtEnd() && !facts.signature.isOpen();
}

std::string tegula::writeImage(const KernelImage &image) {
  ByteWriter writer;
  writer.writeText(writeFacts(image.facts));
  const ImageObject *host = image.find(hostCode);
  writer.writeNumber(image.objects.size() - (host ? 1 : 0));
  for (const ImageObject &object : image.objects) {
    if (&object == host)
      continue;
    writer.writeText(object.kind);
    writer.writeText(object.bytes);
  }
  return std::move(writer.content);
}

bool tegula::readImage(std::string_view bytes, KernelImage &image) {
  image = {};
  ByteReader reader(bytes);
  std::string facts = reader.readText();
  uint64_t count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index) {
    ImageObject &object = image.objects.emplace_back();
    object.kind = reader.readText();
    object.bytes = reader.readText();
  }
  return reader.isGood() && reader.isAtEnd() && readFacts(facts, image.facts);
}
