// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/MatmulEpilogue.h"

#include "tegula/backends/cuda/rows/RowAccumulators.h"
#include "tegula/backends/cuda/rows/RowCode.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Eight columns, and eight more from where the next 64 begin.
constexpr int64_t numSums = 16, together = 8, apart = 64;

/// Tensors with columns that are read, those that are read in rows first.
SmallVector<RowAccess> findReads(const RowwiseKernel &program) {
  SmallVector<RowAccess> found;
  llvm::DenseSet<Value> seen;
  for (bool hasRows : {true, false})
    for (Operation *op : program.steps) {
      auto access = program.accesses.find(op);
      if (isa<pl::LoadOp>(op) && access != program.accesses.end() &&
          access->second.shape == RowShape{hasRows, true} &&
          seen.insert(access->second.tensor).second)
        found.push_back(access->second);
    }
  return found;
}

/// Words of a thread's elements of a tensor, and whether there is room for
/// those of all.
constexpr unsigned wordBits = 32;
int32_t countWords(const RowAccess &access) {
  Type element = pl::getElementOrSelf(access.tensor.getType());
  return static_cast<int32_t>(numSums * element.getIntOrFloatBitWidth() /
                              wordBits);
}
bool fitsWords(const RowwiseKernel &program) {
  int32_t count = 0;
  for (const RowAccess &access : findReads(program))
    count += countWords(access);
  return count <= TEGULA_EPILOGUE_WORDS;
}

/// Emits the function for so many elements that are read and written at once.
/// It gets the slots of the call, the row, the first column, how many are left,
/// words that were read before, and the accumulators.
class StoreEmitter : RowCode {
public:
  StoreEmitter(ModuleOp module, func::FuncOp kernel,
               const RowwiseKernel &program, StringRef name, int64_t side)
      : RowCode(module, kernel, program, numSums, side), name(name) {
    state.isHurried = true;
    state.isNarrow = program.hasNarrowResults();
    reader.readTogether = [this](const RowAccess &access, const RowRun &run,
                                 Type type, unsigned alignment) {
      return readRun(access, run, type, alignment);
    };
  }

  void emit() {
    SmallVector<Type> more = {LLVM::LLVMPointerType::get(builder.getContext())};
    more.append(state.numElements, builder.getF32Type());
    begin(more, {});
    addRuns();
    if (state.side == together)
      assignWords();
    state.isWhole = state.runs.back().mask;
    steps.emit([&](Operation *) {
      return emitAccumulators(state, function.getArguments().slice(firstSum));
    });
    func::ReturnOp::create(builder, loc);
  }

  /// The function that reads these words, but not those there is a copy of.
  /// It may not be moved to where they are used.
  void emitRead() {
    begin(
        {LLVM::LLVMPointerType::get(builder.getContext()), builder.getI1Type()},
        {});
    addRuns();
    assignWords();
    state.isHurried = false;
    isReading = true;
    BlockArgument epilogueOperand = findEpilogueOperand(program);
    emitLoads([&](Value tensor) { return tensor != epilogueOperand; });
    Value hasCopy = function.getArgument(firstSum);
    Value isNeeded =
        arith::XOrIOp::create(builder, loc, hasCopy,
                              arith::ConstantIntOp::create(builder, loc, 1, 1));
    code.emitIf(isNeeded, [&] {
      emitLoads([&](Value tensor) { return tensor == epilogueOperand; });
    });
    func::ReturnOp::create(builder, loc);
  }

  /// The function that says where 64 columns of a row are that are read, chunk
  /// by chunk; null if there are no more of them.
  void emitPrefetch() {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    begin({}, pointer);
    Value number = function.getArgument(3);
    Value found = LLVM::ZeroOp::create(builder, loc, pointer);
    int64_t count = 0;
    for (const RowAccess &access : findReads(program)) {
      if (!access.shape.hasRows)
        continue;
      constexpr int64_t columns = 64, lineBits = 1024;
      Type element = pl::getElementOrSelf(access.tensor.getType());
      int64_t each = lineBits / element.getIntOrFloatBitWidth();
      for (int64_t at = 0; at < columns; at += each) {
        Value isIt =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                  number, math.constant(count++));
        found = arith::SelectOp::create(
            builder, loc, isIt, tensors.addressOf(access, math.constant(at)),
            found);
      }
    }
    func::ReturnOp::create(builder, loc, found);
  }

private:
  void addRuns() {
    Value left = function.getArgument(3);
    for (int64_t i = 0; i < state.numElements; i += state.side) {
      Value column = math.constant(apart * (i / together) + i % together);
      state.addRun(column, state.side, math.below(column, left),
                   math.sub(left, math.constant(state.side)));
    }
  }

  /// Gives the tensors that are read a slot among the words, if there is one
  /// for all.
  void assignWords() {
    if (!fitsWords(program))
      return;
    int32_t count = 0;
    for (const RowAccess &access : findReads(program)) {
      wordsOf[access.tensor] = count;
      count += countWords(access);
    }
  }

  /// Reads such of these tensors.
  void emitLoads(llvm::function_ref<bool(Value)> isWanted) {
    for (Operation *op : program.steps)
      if (auto load = dyn_cast<pl::LoadOp>(op))
        if (auto access = program.accesses.find(op);
            access != program.accesses.end() &&
            wordsOf.contains(access->second.tensor) &&
            isWanted(access->second.tensor))
          reader.emit(load);
  }

  /// Elements of a run, from the words if they have them; else from memory, to
  /// the words if these are being read.
  Value readRun(const RowAccess &access, const RowRun &run, Type type,
                unsigned alignment) {
    auto known = wordsOf.find(access.tensor);
    if (known == wordsOf.end())
      return reader.readRunFromMemory(access, run, type, alignment);
    Type element = pl::getElementOrSelf(access.tensor.getType());
    int64_t before = &run - state.runs.begin();
    auto position = static_cast<int32_t>(
        known->second +
        before * state.side * element.getIntOrFloatBitWidth() / wordBits);
    Value memory = function.getArgument(firstSum - 1);
    Value at = LLVM::GEPOp::create(builder, loc, memory.getType(),
                                   builder.getI32Type(), memory,
                                   ArrayRef<LLVM::GEPArg>{position});
    constexpr unsigned wordAlignment = 4;
    if (!isReading)
      return LLVM::LoadOp::create(builder, loc, type, at, wordAlignment);
    Value found = reader.readRunFromMemory(access, run, type, alignment);
    LLVM::StoreOp::create(builder, loc, found, at, wordAlignment);
    return found;
  }

  /// A function that gets the slots of the call, the row, the first column, a
  /// number, and more.
  void begin(ArrayRef<Type> more, ArrayRef<Type> results) {
    builder.setInsertionPointToEnd(state.thread.module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i32 = builder.getI32Type();
    SmallVector<Type> types = {pointer, i32, i32, i32};
    llvm::append_range(types, more);
    function = func::FuncOp::create(builder, loc, name,
                                    builder.getFunctionType(types, results));
    builder.setInsertionPointToStart(function.addEntryBlock());
    tensors.readSlots(function.getArgument(0));
    state.row = math.toIndex(function.getArgument(1));
    state.firstColumn = math.toIndex(function.getArgument(2));
  }

  static constexpr unsigned firstSum = 5;

  StringRef name;
  func::FuncOp function;
  /// Where the words of tensors begin that were read before, or are.
  llvm::DenseMap<Value, int32_t> wordsOf;
  bool isReading = false;
};

} // namespace

static int64_t getBytes(BlockArgument tensor) {
  return pl::getElementOrSelf(tensor.getType()).getIntOrFloatBitWidth() / 8;
}

BlockArgument tegula::findEpilogueOperand(const RowwiseKernel &program) {
  SmallVector<RowAccess> reads = findReads(program);
  if (reads.empty() || !reads.front().shape.hasRows || !fitsWords(program))
    return {};
  int64_t bytes = getBytes(reads.front().tensor);
  return bytes == 2 || bytes == 4 ? reads.front().tensor : BlockArgument();
}

/// A function that says a number which is known.
static void emitNumber(ModuleOp module, Location loc, StringRef name,
                       int64_t number, unsigned bits) {
  OpBuilder builder(module.getBodyRegion());
  builder.setInsertionPointToEnd(module.getBody());
  Type type = builder.getIntegerType(bits);
  auto function = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType({}, type));
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value value = arith::ConstantIntOp::create(builder, loc, type, number);
  func::ReturnOp::create(builder, loc, value);
}

void tegula::emitMatmulEpilogue(ModuleOp module, func::FuncOp kernel,
                                const RowwiseKernel &program) {
  StoreEmitter(module, kernel, program, "tegulaMatmulEpilogueSingles", 1)
      .emit();
  StoreEmitter(module, kernel, program, "tegulaMatmulEpiloguePairs", 2).emit();
  StoreEmitter(module, kernel, program, "tegulaMatmulEpilogueEights", 8).emit();
  StoreEmitter(module, kernel, program, "tegulaMatmulReadEights", 8).emitRead();
  StoreEmitter(module, kernel, program, "tegulaMatmulPrefetch", 1)
      .emitPrefetch();
  emitNumber(module, kernel.getLoc(), "tegulaMatmulIsLong",
             program.computesFunctions(), 1);
  int64_t count = llvm::count_if(
      findReads(program), [](const auto &read) { return read.shape.hasRows; });
  emitNumber(module, kernel.getLoc(), "tegulaMatmulCountReads", count, 32);
  BlockArgument epilogueOperand = findEpilogueOperand(program);
  emitNumber(module, kernel.getLoc(), "tegulaMatmulEpilogueOperandBytes",
             epilogueOperand ? getBytes(epilogueOperand) : 0, 32);
}
