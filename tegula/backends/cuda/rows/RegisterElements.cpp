// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/rows/RegisterElements.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Where in the program something is made, and where it is used last.
struct Life {
  size_t first, last;
  int64_t registers;
};

} // namespace

static int64_t countRegisters(Value value) {
  constexpr unsigned wordBits = 32;
  Type element = pl::getElementOrSelf(value.getType());
  return element.getIntOrFloatBitWidth() > wordBits ? 2 : 1;
}

/// What has the registers: shapes take none, a tensor is read once, and what is
/// cast is as good as the cast.
static Value findRegisterValue(const RowwiseKernel &program, Value value) {
  for (;;) {
    value = program.resolve(value);
    Operation *maker = value.getDefiningOp();
    if (isa_and_nonnull<pl::LoadOp>(maker))
      return program.accesses.find(maker)->second.tensor;
    if (!isa_and_nonnull<pl::BroadcastOp, pl::RelaxOp, pl::ReshapeOp,
                         pl::TransposeOp, pl::WithExtentsOp, pl::CastOp>(maker))
      return value;
    value = maker->getOperand(0);
  }
}

/// Of what has one element for each column.
static llvm::MapVector<Value, Life> findLives(const RowwiseKernel &program) {
  llvm::MapVector<Value, Life> lives;
  for (auto [i, op] : llvm::enumerate(program.steps)) {
    for (Value operand : op->getOperands()) {
      // Where a tensor is written nothing is used that was read of it.
      bool isTile = isa<pl::TileType>(operand.getType());
      if (auto life = lives.find(findRegisterValue(program, operand));
          isTile && life != lives.end())
        life->second.last = i;
    }
    if (op->getNumResults() != 1 || isa<pl::FullOp>(op) ||
        !program.shapes.lookup(op->getResult(0)).hasColumns)
      continue;
    Value made = op->getResult(0), resident = findRegisterValue(program, made);
    if (resident == made || isa<pl::LoadOp>(op))
      lives.insert({resident, {i, i, countRegisters(resident)}})
          .first->second.last = i;
  }
  return lives;
}

int64_t tegula::countRegistersPerColumn(const RowwiseKernel &program) {
  llvm::MapVector<Value, Life> lives = findLives(program);
  int64_t most = 0;
  for (auto [i, op] : llvm::enumerate(program.steps)) {
    if (!isa<pl::ReduceOp>(op))
      continue;
    int64_t kept = 0, read = 0;
    for (const auto &[resident, life] : lives) {
      if (life.first < i && life.last > i)
        kept += life.registers;
      if (life.first < i && isa<pl::TensorViewType>(resident.getType()))
        read += life.registers;
    }
    most = std::max({most, kept, read});
  }
  return most;
}
