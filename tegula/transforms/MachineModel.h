// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What passes may ask about the machine that they prepare a program for, as
/// plain data. Back ends fill it in; no pass asks which one it was.

#ifndef TEGULA_TRANSFORMS_MACHINEMODEL_H
#define TEGULA_TRANSFORMS_MACHINEMODEL_H

#include "tegula/ir/ops/PlDialect.h"
#include "tegula/support/MachineParts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tegula {

/// What whole-array expressions are cut to, in elements. Tiles that an author
/// wrote stay as they are, unless they are too large.
struct TileSizes {
  /// Along every unbounded axis but the last.
  int64_t rows;
  /// Along the last axis, and the steps of reductions.
  int64_t columns;
  /// Along the only axis.
  int64_t elements;
  /// Of a window of a matmul.
  int64_t matmulRows;
  int64_t matmulColumns;
  /// The steps along K.
  int64_t depth;
  /// What is larger is cut, even if its extents are numbers.
  int64_t largest;
  /// Rows that are reduced and finished together where they are short: as many
  /// as `columns` elements are, and no more than these. 0 if that is `rows`.
  int64_t shortRows = 0;
  /// As many as `uncachedColumns` elements are where there are
  /// `uncachedElements` in all: near caches do not hold these, and memory is
  /// not idle for long while rows are read again. 0 if that makes no
  /// difference.
  int64_t uncachedElements = 0;
  int64_t uncachedColumns = 0;
  /// What each element computes by itself goes in four iterations, which
  /// threads may share, if these have so many elements; rows that are combined
  /// with each other go in blocks of 32 times as many. 0 if only `largest`
  /// counts, and there are no blocks.
  int64_t leastIteration = 0;
  /// Columns that are stored as rows, and not computed with, go by so many
  /// rows of up to `largest` elements. 0 if they are cut as other tiles are.
  int64_t transposedRows = 0;
  /// Windows of what is computed element by element, or reduced, have no more
  /// elements: fewer columns for more rows. 0 if that makes no difference.
  int64_t windowElements = 0;
  /// Axes with a bound are cut as well as those without one: where operands
  /// of a matmul do not fit otherwise.
  bool cutsAllAxes = false;
};

/// What a tile is for. Decides where it lies, unless its author says so.
enum class TileRole {
  /// What every op reads and writes.
  Value,
  /// What a matmul takes its operands from.
  Lhs,
  Rhs,
  /// The accumulator of a matmul.
  Accumulator
};

/// A memory that tiles can live in.
struct MachineMemory {
  /// What authors call it.
  pl::MemorySpace space;
  /// What the machine's makers call it, for messages.
  std::string name;
  /// How much of it one core has; 0 if it is as large as memory is.
  int64_t bytes = 0;
  /// What the address of every tile is a multiple of.
  int64_t alignment = 1;
  /// What lies here where no author says otherwise.
  std::vector<TileRole> holds = {};

  bool isBounded() const { return bytes != 0; }
};

/// What a machine takes for other things than ops, in the instructions that
/// ops are counted in: see OpCosts.h.
struct MachineCosts {
  /// To read an element again. What takes longer to compute is better kept.
  int64_t read = 16;
  /// How many partial results of a row are combined concurrently, so that none
  /// waits for the one before.
  int64_t rowPartials = 4;
  /// To call a routine.
  int64_t call = 24;
};

/// A machine.
struct MachineModel {
  /// For messages.
  std::string name;
  TileSizes tiles;
  /// One that holds values is among them, and no two have one space.
  std::vector<MachineMemory> memories;
  /// The kinds of functions that it runs as such. The others become a part of
  /// those that call them.
  std::vector<pl::FunctionKind> functions = {};
  /// What kernels are told that ask how large it is.
  MachineParts parts = {};
  /// How many ops on tiles one loop computes, before registers run out.
  unsigned longestChain = 48;
  /// Whether the iterations of an independent loop run at once, each with a
  /// frame of its own.
  bool runsIterationsAtOnce = true;
  /// Whether matmul operands have to be in memory in the accumulator's element
  /// type.
  bool widensOperands = true;
  /// Whether ops read and write tensors where they lie; else loads and stores
  /// are copies.
  bool computesOnTensors = true;
  /// Whether matmuls see the memories of operands and accumulators only, and
  /// other ops that of values only. What goes from one to the other is moved.
  bool hasSeparateCores = false;
  /// Whether integers of 32 and 64 bits are added to memory by instructions
  /// that no other thread gets in between of.
  bool addsAtomically = false;
  /// Whether it has code for matmuls of whole matrices, which chooses tiles by
  /// the sizes of a call: then such matmuls are never cut.
  bool multipliesWholeMatrices = false;
  /// How many buffers the tiles of a loop that are moved from or to memory take
  /// iterations in, where there is room: while one is moved, others are used.
  int64_t copies = 1;
  /// Elements of the rows that are sorted, or the like, in one iteration: rows
  /// are so many that they have no more together. 0 if how long they are does
  /// not matter.
  int64_t rowElements = 0;
  /// How many reductions of one row there is memory for.
  int64_t rowReductions = 16;
  MachineCosts costs = {};

  /// The memory of that space; null if the machine has none.
  const MachineMemory *findMemory(pl::MemorySpace space) const;
  /// Where tiles of the role lie: where values do, if no memory is made for it.
  const MachineMemory &getMemoryFor(TileRole role) const;
  /// True if there is a memory that may turn out to be too small.
  bool hasBoundedMemory() const;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MACHINEMODEL_H
