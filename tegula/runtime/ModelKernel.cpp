// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/ModelKernel.h"

#include "tegula/support/SourceFiles.h"
#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace tegula;

/// The operations that have no rule, each once.
static Error checkKnown(const torch::Graph &graph, llvm::StringRef path) {
  std::vector<std::string> unknown = torch::KernelWriter(graph).listUnknown();
  std::set<std::string> operations;
  for (const torch::Node &node : graph.nodes)
    if (llvm::is_contained(unknown, node.name))
      operations.insert(node.op);
  if (operations.empty())
    return Error::success();
  return makeError("'{0}' has operations that are not known, or not in this "
                   "form: {1}; program.run_decompositions() of torch's may "
                   "write them as others",
                   path, llvm::join(operations, ", "));
}

/// The kernel's text, and next to it the file that it imports.
static KernelSource makeSource(const std::string &path, std::string name,
                               std::string text) {
  KernelSource source;
  source.path = path + ".py";
  source.kernel = std::move(name);
  source.text = std::move(text);
  source.isQuiet = true;
  source.files = std::make_shared<SourceFiles>();
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(folder, "tegula", "torch");
  source.files->add((folder + "/__init__.py").str(), "");
  source.files->add((folder + "/kernels.py").str(), torch::getKernelFile());
  return source;
}

Expected<std::unique_ptr<ModelKernel>>
tegula::readModelKernel(std::unique_ptr<llvm::MemoryBuffer> file) {
  std::string path = file->getBufferIdentifier().str();
  Expected<torch::Model> model = torch::readModel(std::move(file));
  if (!model)
    return model.takeError();
  if (Error error = checkKnown(model->graph, path))
    return error;
  Expected<std::string> text = torch::KernelWriter(model->graph).write();
  if (!text)
    return text.takeError();
  auto made = std::make_unique<ModelKernel>();
  made->model = std::move(*model);
  torch::Model &own = made->model;
  made->kernel.source = makeSource(path, own.graph.name, std::move(*text));
  for (const torch::Example &example : own.examples) {
    llvm::StringRef dtype = torch::nameDType(example.dtype).drop_front(3);
    std::vector<int64_t> shape = example.shape;
    // Without axes there is one.
    if (shape.empty())
      shape.push_back(1);
    size_t number = made->kernel.arguments.size();
    auto bound =
        llvm::find_if(own.bound, [&](const torch::ModelTensor &tensor) {
          return number < own.graph.inputs.size() &&
                 tensor.input == own.graph.inputs[number].name;
        });
    bool isBound = bound != own.bound.end();
    made->kernel.arguments.push_back(TensorView(
        isBound ? bound->bytes.data() : nullptr, *parseDType(dtype), shape));
    if (isBound)
      made->kernel.bound.push_back(bound->input);
  }
  return made;
}
