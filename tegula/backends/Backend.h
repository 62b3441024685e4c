// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a back end is to the rest of the system. Nothing outside the folder of
/// a back end names it, Register.cpp aside: one is added by a folder with these
/// two classes and a line there.
///
/// A target is a machine with its options settled, made from a text: `cpu` is
/// the processor this runs on, `cpu:x86-64-v3` another one. The road of a
/// kernel is common up to a stage that the target chooses, then the target's
/// own.

#ifndef TEGULA_BACKENDS_BACKEND_H
#define TEGULA_BACKENDS_BACKEND_H

#include "tegula/launch/image/KernelImage.h"
#include "tegula/support/Error.h"
#include "tegula/transforms/MachineModel.h"
#include "tegula/transforms/Stage.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace tegula::sim {
struct Machine;
} // namespace tegula::sim

namespace tegula::pl {
enum class Precision : uint32_t;
} // namespace tegula::pl

namespace tegula {

class PipelineBuilder;
struct CallSizes;

/// A tensor that a library keeps: C functions do not take it. Its rows follow
/// each other.
struct BoundTensor {
  /// The parameter that it is for.
  std::string parameter;
  TensorView view;
};

/// On a module whose C function takes a stream.
inline constexpr llvm::StringLiteral streamAttrName = "tegula.stream";

/// Makes libraries that stand alone: C functions and all they need.
class LibraryMaker {
public:
  virtual ~LibraryMaker();

  /// Whether functions take the stream that they run on, after their other
  /// arguments.
  virtual bool takesStream() const { return false; }

  /// True if what libraries are linked with has a function of that name.
  virtual bool isTaken(const std::string &name) const = 0;

  /// The object file of a module at the target's last stage, with a C function
  /// called `name`, and with the tensors that it holds. The facts know the
  /// signature.
  [[nodiscard]] virtual Expected<std::string>
  emitObject(mlir::ModuleOp module, const std::string &name, KernelFacts facts,
             llvm::ArrayRef<BoundTensor> bound) const = 0;

  /// The library that such objects make; `fileName` is what it will be called.
  [[nodiscard]] virtual Expected<std::string>
  link(llvm::ArrayRef<std::string> objects, llvm::StringRef fileName) const = 0;
};

/// What tells a simulator the steps of a kernel, as files.
struct ProducerFiles {
  /// A shared library for this processor.
  std::string library;
  /// The same as C; empty if it has no form there.
  std::string source;
  /// What is to be known about them.
  std::string description;
};

/// Such files, read back.
struct ReadProducer {
  /// It can be traced, not called.
  KernelImage image;
  /// The machine it was compiled for, as the back end reads it.
  std::string machine;
};

/// A machine that kernels are compiled for, with its options settled. Never
/// changes, and may be used by several threads at once.
class Target {
public:
  virtual ~Target();

  /// The text that makes this target again; part of every key.
  virtual std::string getKey() const = 0;

  /// What passes may ask.
  virtual const MachineModel &getMachine() const = 0;

  /// The common stage that this target goes on from.
  virtual Stage getStart() const { return Stage::Tiles; }

  /// The names of its own stages, in order.
  virtual llvm::ArrayRef<llvm::StringRef> getStages() const = 0;

  /// The names of the pipelines that make the parts of an image, such as the
  /// code of a device and of its host. Each goes on where the pipeline of all
  /// parts ends. A branch may have the name of a stage, which is its end.
  virtual llvm::ArrayRef<llvm::StringRef> getBranches() const { return {}; }

  /// The passes from the start to `stage` or to the end of the branch of that
  /// name; those of all parts if it is empty.
  virtual void buildPipeline(PipelineBuilder &pm,
                             llvm::StringRef stage) const = 0;

  /// A module that buildPipeline has brought to `stage`, as text.
  [[nodiscard]] virtual Expected<std::string>
  print(mlir::ModuleOp module, llvm::StringRef stage) const = 0;

  /// The image of a module at the last stage. The facts know the signature; the
  /// rest of them is the target's.
  [[nodiscard]] virtual Expected<KernelImage> emit(mlir::ModuleOp module,
                                                   KernelFacts facts) const = 0;

  /// Null if there are no libraries for this target.
  virtual const LibraryMaker *getLibraryMaker() const { return nullptr; }

  /// The text for the same target whose code says which lines of the source it
  /// comes from; empty if there is none.
  virtual std::string getKeyWithLines() const { return ""; }

  /// Emits a remark wherever the sizes of a call decide how code computes: what
  /// they decide, why, and what could be changed about the kernel. The module
  /// is at the stage this target goes on from, and is not good for more.
  [[nodiscard]] virtual llvm::LogicalResult
  explainChoices(mlir::ModuleOp module, const CallSizes &sizes) const;

  /// Emits remarks on the variant that a kernel is given, whatever its sizes,
  /// and on what keeps it from a faster one. The module is as above.
  [[nodiscard]] virtual llvm::LogicalResult
  explainVariant(mlir::ModuleOp module) const;

  /// How far matmuls may be off where they are permitted to round so, as a
  /// share of the largest: 0 if they do not round.
  virtual double getRounding(pl::Precision) const { return 0; }

  /// Whether ranks of a host program run one at a time in the process that
  /// calls it.
  virtual bool hasCooperativeRanks() const { return false; }

  /// Of a machine that is simulated, so that its kernels tell what they do and
  /// calls take cycles: that machine. Null if it is a real one.
  virtual const sim::Machine *getSimulatedMachine() const { return nullptr; }
  bool isSimulated() const { return getSimulatedMachine() != nullptr; }

  /// Of such a machine: the producer of a module at the last stage. The
  /// library will be called `libraryName`.
  [[nodiscard]] virtual Expected<ProducerFiles>
  emitProducer(mlir::ModuleOp module, const Signature &signature,
               llvm::StringRef libraryName) const;
};

/// A target that one may choose.
struct TargetChoice {
  std::string target;
  /// Where kernels run then, such as `on this processor`.
  std::string where;
};

/// A family of targets.
class Backend {
public:
  virtual ~Backend();

  /// What the text of its targets begins with.
  virtual llvm::StringRef getName() const = 0;

  /// How its targets are written, and what they are, each in a few words.
  virtual llvm::StringRef getUsage() const = 0;
  virtual llvm::StringRef getSummary() const = 0;

  /// Those that run on every machine that this runs on; that used most first.
  virtual std::vector<TargetChoice> listChoices() const = 0;

  /// The target that the text after `name:` asks for, which may be empty.
  [[nodiscard]] virtual Expected<std::unique_ptr<Target>>
  makeTarget(llvm::StringRef options) const = 0;

  /// The text of the target that simulates a machine of that name or file;
  /// empty if none of its targets are simulated.
  virtual std::string nameSimulated(llvm::StringRef machine) const {
    return "";
  }

  /// Makes an image ready whose facts name this back end as its runner.
  virtual Problem load(const KernelImage &image,
                       std::unique_ptr<LoadedImage> &loaded) const;

  /// Reads a producer that one of its targets made, by the path of its
  /// description.
  [[nodiscard]] virtual Expected<ReadProducer>
  readProducer(llvm::StringRef path) const;

  /// Adds what its passes and the parser of IR need.
  virtual void registerDialects(mlir::DialectRegistry &registry) const {}

  /// Makes its passes known by name, for drivers.
  virtual void registerPasses() const {}
};

/// All back ends. The first has the default target.
llvm::ArrayRef<const Backend *> listBackends();

/// The back end of that name, or null.
const Backend *findBackend(llvm::StringRef name);

/// The target that `text` names, made once; the default one if it is empty.
/// What cannot be is an error that says which targets there are.
[[nodiscard]] Expected<std::shared_ptr<const Target>>
findTarget(llvm::StringRef text);

/// The names of all stages that kernels for the target can be printed at: the
/// common ones, then its own.
std::vector<std::string> listStages(const Target &target);

/// Lets drivers run the common pipelines that need a machine, and the passes of
/// all back ends.
void registerBackendPasses();

} // namespace tegula

#endif // TEGULA_BACKENDS_BACKEND_H
