// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_CUDA_ATTRS
#define TEGULA_BACKENDS_CUDA_ATTRS

include "mlir/IR/AttrTypeBase.td"

def Cuda_Dialect : Dialect {
  let name = "cuda";
  let cppNamespace = "::tegula::cuda";
  let summary = "The variants that a kernel has on NVIDIA GPUs";
  let description = [{
    A kernel may have variants besides its fallback: a matmul or attention on
    tensor cores, or one that keeps rows in registers. Passes that find one note
    it on the module under the attribute's own name; the host code of the kernel
    carries the same fields to the launch (tegula/launch/gpu). A field that is
    not set is not printed.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class VariantFields<string struct>
    : AttrParameter<struct, "the fields", "const " # struct # " &"> {
  let comparator = "::tegula::toBytes($_lhs) == ::tegula::toBytes($_rhs)";
}

// An attribute of the fields of `struct` (tegula/launch/Fields.h), with their
// checks.
class Cuda_VariantAttr<string name, string word, string struct>
    : AttrDef<Cuda_Dialect, name> {
  let mnemonic = word;
  let parameters = (ins VariantFields<struct>:$variant);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &parser,
                                       ::mlir::Type) {
      return parseVariant<$cppClass, }] # struct # [{>(parser);
    }
    void $cppClass::print(::mlir::AsmPrinter &printer) const {
      ::tegula::printField(printer, getVariant());
    }
    ::llvm::LogicalResult $cppClass::verify(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        }] # struct # [{ variant) {
      return checkVariant(emitError, variant);
    }
  }];
}

def Cuda_MatmulVariantAttr
    : Cuda_VariantAttr<"MatmulVariant", "matmul", "::tegula::GpuMatmul"> {
  let summary = "The kernel is one matmul and an epilogue";
  let description = [{
    On the module of the kernel. Operands are named by the numbers of their
    parameters.

    ```mlir
    #cuda.matmul<lhs = 0, rhs = 1, transpose_rhs, precision = bf16>
    ```
  }];
}

def Cuda_AttentionVariantAttr
    : Cuda_VariantAttr<"AttentionVariant", "attention",
                       "::tegula::GpuAttention"> {
  let summary = "The kernel is attention";
  let description = [{
    On the module of the kernel. The scale is a parameter or a number.

    ```mlir
    #cuda.attention<queries = 0, keys = 1, values = 2, result = 3,
        scale = 1.250000e-01, head_size = 64, heads_per_key_head = 4, bf16, causal>
    ```
  }];
}

def Cuda_RowwiseVariantAttr
    : Cuda_VariantAttr<"RowwiseVariant", "rowwise", "::tegula::GpuRows"> {
  let summary = "The kernel does the same with every row";
  let description = [{
    On the module of the kernel. Its schedules are functions of the device that
    have a `#cuda.schedule`; a matmul has none.

    ```mlir
    #cuda.rowwise<reduces, tensors = [<tensor = 0, rows, columns>,
        <tensor = 1, rows>]>
    ```
  }];
}

def Cuda_RowScheduleAttr
    : Cuda_VariantAttr<"RowSchedule", "schedule", "::tegula::GpuRowVariant"> {
  let summary = "How a warp or a block holds a row in registers";
  let description = [{
    On a function of the device, whose name is the symbol of the schedule.

    ```mlir
    #cuda.schedule<by_warp, groups = 4, group_size = 4, layout = aligned,
        full_groups = 0>
    ```
  }];
}

// Why something has not the variant that a pass looked for: what it met first,
// and where. For those who ask; no code depends on it.
class Cuda_RejectionAttr<string name, string word>
    : AttrDef<Cuda_Dialect, name> {
  let mnemonic = word;
  let parameters = (ins StringRefParameter<"the reason">:$why,
                        "::mlir::LocationAttr":$at);
  let assemblyFormat = "`<` $why `at` $at `>`";
}

def Cuda_RowRejectionAttr
    : Cuda_RejectionAttr<"RowRejection", "row_rejection"> {
  let summary = "Why the kernel is neither row-wise nor one matmul";
  let description = [{
    On the module of the kernel, by tegula-cuda-find-rows.

    ```mlir
    #cuda.row_rejection<"rows of a matmul are summed up" at loc("k.py":3:5)>
    ```
  }];
}

def Cuda_AttentionRejectionAttr
    : Cuda_RejectionAttr<"AttentionRejection", "attention_rejection"> {
  let summary = "Why the kernel is not attention";
  let description = [{
    On the module of the kernel, by tegula-cuda-find-attention.

    ```mlir
    #cuda.attention_rejection<"tensors are BF16 or FP16" at loc("k.py":3:5)>
    ```
  }];
}

def Cuda_LoopRejectionAttr
    : Cuda_RejectionAttr<"LoopRejection", "loop_rejection"> {
  let summary = "Why tiles of a loop are kept in memory";
  let description = [{
    On a loop whose iterations blocks take, by tegula-cuda-assign-layouts.

    ```mlir
    #cuda.loop_rejection<"an extent depends on data" at loc("k.py":3:5)>
    ```
  }];
}

#endif // TEGULA_BACKENDS_CUDA_ATTRS
