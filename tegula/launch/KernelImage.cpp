// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/KernelImage.h"

#include "tegula/launch/SignatureBytes.h"

using namespace tegula;

std::string tegula::writeFacts(const KernelFacts &facts) {
  ByteWriter writer;
  writeSignature(writer, facts.signature);
  writer.writeText(facts.entry);
  writer.writeNumber(facts.sites.size());
  for (const std::string &site : facts.sites)
    writer.writeText(site);
  writer.writeNumber(facts.files.size());
  for (const FileUse &file : facts.files) {
    writer.writeText(file.path);
    writer.writeText(file.digest);
  }
  return std::move(writer.content);
}

bool tegula::readFacts(std::string_view bytes, KernelFacts &facts) {
  facts = {};
  ByteReader reader(bytes);
  if (!readSignature(reader, facts.signature))
    return false;
  facts.entry = reader.readText();
  uint64_t count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index)
    facts.sites.push_back(reader.readText());
  count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index) {
    FileUse &file = facts.files.emplace_back();
    file.path = reader.readText();
    file.digest = reader.readText();
  }
  return reader.isGood() && reader.isAtEnd() && !facts.signature.isOpen();
}

Problem tegula::makeVariant(KernelFacts facts,
                            std::shared_ptr<CodeLibrary> code,
                            std::unique_ptr<Variant> &variant) {
  auto made = std::make_unique<Variant>();
  if (Problem problem = Guard::create(std::move(facts.signature), made->guard))
    return problem;
  made->function =
      reinterpret_cast<TegulaKernel>(code->find(facts.entry.c_str()));
  if (!made->function)
    return makeProblem(Problem::Kind::System,
                       "the compiled library has no function '{0}'",
                       facts.entry);
  made->code = std::move(code);
  made->sites = std::move(facts.sites);
  variant = std::move(made);
  return {};
}
