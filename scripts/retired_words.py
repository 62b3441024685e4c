# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of check-words.py: words that are no longer used in a sense, where they are allowed, ordinary English."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Retired:
    """A word that is no longer used in a sense, matched without regard to case."""

    word: str
    write: str
    # Matched in the parts of an identifier, with blanks between them; empty if only prose is checked.
    names: str = ""
    # Matched in prose, with any white space for each blank.
    prose: str = ""
    # Matched in a file's path: the only files where `names` holds.
    only: str = ""
    # The same for `prose`.
    where: str = ""


@dataclass(frozen=True)
class Allowed:
    """Identifiers that have a retired word in another sense, or that are not the project's."""

    names: str
    reason: str
    # Matched in a file's path: the only files where this holds.
    only: str = ""


MATRIX = r"(matri(x|ces)|factors?|operands?|tiles?|weights|keys)"
GPU_FILES = r"gpu|cuda|hopper|emulat"
# Where a product, a factor or a sum is that of a matmul, unless `ORDINARY` says otherwise.
MATMUL_FILES = (
    r"device/(hopper|tiles)/|emulator/Wgmma|cuda/(KernelLibrary|MatmulEpilogue|TileStore|CudaMachine)|cuda/layout/"
    r"|gpu/(abi/(MatmulAbi|TileAbi|GpuOperandType)|GpuTiles|GpuMatmul|DescribeGpuCall)|cpu/matmul/|test/gpu/matmul"
    r"|test_emulated_(bytes|matmuls|tf32)|find-matmul|bench/(matmul|linear|gpu)|results/matmul|[Mm]achine(Model)?\."
)
VARIANT_FILES = r"tegula/(backends/(cuda|cpu/matmul)|launch/gpu|transforms/rows)/|test/launch/Gpu"

RETIRED = (
    Retired(
        "turn",
        "iteration; 'transposed' of a matrix; 'ping-pong' of warpgroups; 'cooperative' or 'round-robin' of blocks",
        r"turn(s|ed|ing)?",
        rf"{MATRIX} (is |are |that is |that are )?turned|turned {MATRIX}|(takes?|taking) turns"
        r"|(each|every|one|first|last|next|per|another) turn(?! (of phrase|around))"
        r"|turns? of (the|a|its|this|that|an outer|an inner|outer|inner) loops?|loop's turns?"
        r"|turns (may |can |that |which )?(run|at once|in parallel)"
        r"|(number of|all|few|many|several|some|its|their|whose|which|how many|does|between|over|of|per"
        r"|whose last) turns"
        r"|turns? (it|they) (has|have|is in|are in|runs?)|which turn\b"
        r"|turns (are|is|of|has|have|do|does|depend|in a second|on so many|over so many)",
    ),
    Retired(
        "product",
        "matmul; GEMM where a library is meant",
        r"products?",
        r"products? of (two )?(matrices|tiles)|(matrix|tensor-core|tiled|merged|batched|split) products?"
        r"|products? (on|with|by) tensor cores|a second product|factors? of (a |the )?products?"
        r"|(product|products) alone|forms of products",
    ),
    Retired("product", "matmul", "", r"products?", where=MATMUL_FILES),
    Retired(
        "factor",
        "lhs, rhs or operand",
        r"factors?",
        r"(left|right|turned|transposed) factors?|factors? (of|in) (a |the )?(product|matmul|gemm)s?"
        r"|(product|matmul|gemm)('s|s')? factors?|both factors|rounds? (its |the )?factors"
        r"|(?-i:Factors)|factors (are|of|lie|become)",
    ),
    Retired("factor", "lhs, rhs or operand", "", r"factors?", where=MATMUL_FILES),
    Retired(
        "sum",
        "accumulator or acc; 'reduction' of a loop",
        r"beside sums|product sums|sums? (room|bytes|space|registers|lock|columns)|carried sums|keep sums"
        r"|(start|starts) .*sums?|lock sum|split sum|step sums|has sums|lhs sums?",
        r"beside (the )?sums|sums? of (a |the )?(product|matmul)s?|carried sums?|(product|matmul)('s)? sums?"
        r"|tiles? of (the )?sums?|(step|steps) of the sum|along the sum|(operands|factors) and sums|becomes of (the "
        r"|its )?sums"
        r"|sums of (a|the) tile|sums? (leaves?|stays?|begins? before)",
    ),
    Retired("sum", "accumulator; the inner axis or K", "", r"sums|the sum", where=MATMUL_FILES),
    Retired("sums at places", "scatter-add or segment sum", r"sums at places", r"sums? at places|adds? up at places"),
    Retired(
        "place",
        "index; slot of a ring or an allocation; location in a source; device or stream",
        r"places?",
        r"at (its|their|that|this|which|one|other|these) places?(?! of)|at places\b"
        r"|places that are data|places? (of|in) (a |the )?"
        r"(ring|tensor|tile|source|row)s?|by place|index(es)? of places|the same places?"
        r"|at (the|a|an|some|many|few|several|no|fixed|aligned|(the )?(builder|op|given|last|first"
        r"|next)('s)?) places?(?! (of|where|in))"
        r"|(both|two|several|many|few|of|an aligned|the builder's|all|to|from) places?(?! (where|of|that can"
        r"|that knows|in memory))"
        r"|(knows?|with) (no |their |its )?places?|changes? (its|their) places?|places? (along|known|in the source)",
    ),
    Retired(
        "form",
        "variant or schedule; 'fallback' for the plain form; 'closed form' of a formula",
        r"forms?",
        r"plain forms?|faster forms?|form of (its|their) own|forms of (its|their) own"
        r"|(quick|quicker|tuned|Hopper|compiled|row|gpu) forms?|forms? (for|of) (chips|Hopper|tensor cores|kernels"
        r"|matmuls)"
        r"|forms? (for it|for them|that sums?)|no form for|(emits|adds) (one|each) form",
    ),
    Retired("form", "variant, schedule or layout", "", r"forms?", where=VARIANT_FILES),
    Retired(
        "tell",
        "emit or trace; warn; report",
        r"tell(s|ing)?|told",
        r"(is|are|was) told (to the (simulator|user)|with|in)|tells? the (steps|simulator)|tellings?",
    ),
    Retired(
        "meet",
        "barrier or sync; mismatch of extents; join of control flow",
        r"meet(s|ing|ings)?|met",
        r"meetings?|(threads|blocks|warps|ranks|extents|groups|cores|clusters) (do not |must |may |all )?(meet|met)\b"
        r"|where (they|both|all) meet|have met|(before|when|since|as|until) they met|last time they met"
        r"|(accesses|iterations|sums|elements|paths|warps|lanes|rows|others|two|any two|all) (that )?(may |do |must "
        r"|can |could |seldom |would )?"
        r"(not )?meet|(may|can|must) (not )?meet|let them meet",
    ),
    Retired(
        "beside",
        "concurrent; epilogue operand; next to",
        r"beside",
        r"beside",
    ),
    Retired(
        "held",
        "register-resident; bound; persistent",
        r"held|kept (scratch|bytes|sizes|by|rows?|columns?)|(rows|is|num|count|run|put) kept",
        r"held (elements|rows|tensors|tiles|values|constants)|(rows|tiles|elements|values) (are |is )?held",
    ),
    Retired(
        "part",
        "chunk",
        r"pieces?|.+ in parts|parts? (of each|rows|threads|vectors|call|done|bytes|alignment|of tenant)"
        r"|(num|count|peer|combine|least|rows|emit|copy|step|strided|most|stored|scratch in) parts?",
        r"parts? of (a |the |its )?(row|rows|work)|in parts|pieces of (a |the )?(row|rows|work|tile|tiles)"
        r"|by pieces|row in pieces",
    ),
    Retired(
        "spread",
        "distribute",
        r"spread",
        r"spread(s|ing)? (the |its |all |them |it |work |rows |loops )?(over|across|among|to)",
    ),
    Retired(
        "walk",
        "elementwise, row-wise or memory-bound kernel; 'traverse' for memory",
        r"walk(s|ed)?",
        r"walk(s|ed|ing)?",
    ),
    Retired("dear", "expensive", r"dear", r"dear (ops?|ones?|functions?|rows?)|(is|are|too|more) dear"),
    Retired(
        "far",
        "out of cache; streaming",
        r"far",
        r"(comes?|read|rows|are|is|from|lies?|reads) (from )?far\b(?! (from|as|more|less|too|away|apart|above|below))"
        r"|the far\b",
    ),
    Retired("known call", "cached call", r"known (calls?|rows|launch|outputs)", r"known calls?"),
    Retired(
        "word",
        "option; argument of a command",
        r"(product|cpu|ahead|job|option|used|list|source|ir|make job|refuse) words?",
        r"words of (the |an |its )?options?|option words?|words? (in|after|behind) (the |an )?option",
    ),
    Retired(
        "number",
        "scalar",
        r"(is|are|is one|is plain) numbers?( type)?|pl numbers?|(?-i:^Numbers?)( range| constant)?$",
        r"tensors? (and|or|nor|by) numbers?",
    ),
    Retired(
        "permission",
        "precision opt-in",
        r"permissions?|permits?",
        r"permissions? (to|of lower)|permits? (rounding|lower precision|a product)",
    ),
    Retired(
        "processor",
        "SM",
        r"processors?",
        r"(all|its|each|per|a) (GPU's )?processors? of (a|the) (GPU|chip)|GPU's processors?|blocks per processor",
        only=GPU_FILES,
    ),
    Retired(
        "processor",
        "SM",
        "",
        r"(a|each|per|its|few|more|all|other|\d+|132) processors?(?! (of GPUs|runs|rounds))",
        where=r"cuda/|launch/gpu|test/launch/Gpu|bench/gpu|results/gpu",
    ),
    Retired(
        "group of warps",
        "warpgroup",
        "",
        r"(a|the|other|first|last|each|both|two|which|no other|one) groups?",
        where=r"device/hopper/(Matmul|Attention|TileShare|SplitKMatmul)",
    ),
    Retired(
        "group of warps",
        "warpgroup",
        r"groups? (threads|warps|barrier|products|factors|rows)",
        r"groups? of (four )?warps|groups take",
    ),
    Retired(
        "ahead",
        "prefetch",
        r"fetch(es|ed)?|ahead",
        r"asks? for .{0,20}ahead|asked for ahead|(read|fetch(es|ed)?|copied|loaded|made|loads?|copies|rows|bytes"
        r"|steps?|iterations?|tiles?)"
        r" (far )?ahead(?! of time)|how far ahead|look far ahead",
    ),
    Retired(
        "lie",
        "layout; row-major, column-major or contiguous",
        r"lies?|lie",
        r"lies? (in|along|by) (rows|columns)|as (it|they) lies?\b|how (it|they|operands|factors|tensors) lies?"
        r"|lie (side by side|end to end|one behind)",
    ),
    Retired("regroup", "reshape", r"regroup(s|ed)?", r"regroup(s|ed|ing)?"),
    Retired("lead", "'above 1, Tegula is faster'", "", r"above 1 we lead|we lead"),
    Retired("any result", "undefined", "", r"the result is any\b"),
)

# Names that changed although their words are ordinary, with the name that says the same in the field's words.
RENAMED = {
    "TakeRowsWhole": "CoalesceColumnLoops",
    "LoopOverRows": "FuseRowLoops",
    "SpreadRows": "TileRowOps",
    "KeepSumsInOrder": "SerializeInPlaceReductions",
    "RequireCountedPlaces": "RequireInt32Indices",
    "WriteInTarget": "ElideCopies",
    "RegroupInMemory": "ReshapeInMemory",
    "HandOver": "CoreTransfers",
    "OwnSlots": "PerIterationSlots",
    "CarriedSums": "LoopReductions",
    "RowKernel": "RowwiseKernel",
    "FormRefusal": "VariantRejection",
    "StagedRows": "StridedStaging",
    "PassesLeftOut": "SkippedLlvmPasses",
    "UnitRecorder": "LoweringHooks",
    "TryLoops": "AssumeParallelLoops",
}

ALLOWED = (
    # Other projects' names.
    Allowed(r"walk|Walk (Result|Order)|(pre|post)?walk (pre|post)? ?order", "MLIR and Python traverse IR and trees"),
    Allowed(r"fetch (add|sub|or|and|max|min)|Py Err Fetch", "atomic and Python functions"),
    Allowed(r"get All Processor Descriptions", "LLVM's name"),
    Allowed(r"get Arg Number|get Result Number|get Operand Number", "MLIR's names"),
    Allowed(r"(set )?permissions", "std::filesystem and LLVM have permissions of files"),
    Allowed(r"(inner|outer|dot|cartesian) product", "a term of algebra"),
    Allowed(r"product", "itertools.product", r"\.py$"),
    Allowed(r"tell", "the position in a file", r"\.py$"),
    Allowed(r"fetch", "the browser's function", r"\.js$"),
    # The kernel language and what implements one of its functions under its name.
    Allowed(r"(Pl )?Meet (Op|Call)|(lower|build) Meet|pl meet|tegula Meet|distributed meet", "`pl.distributed.meet`"),
    Allowed(r"part (add|argmax|argmin|max|min|mul)", "`pl.part_add` and its like"),
    # Terms of the field.
    Allowed(r"(ast|program) walk|walk (exprs?|functions|groups|statements)", "traverses a tree or IR"),
    Allowed(r"(unroll|scale|tile|thinning|linear)? ?factors?", "a scalar that multiplies", r"LinearForm|IndexRange"),
    Allowed(r"(unroll|scale) factors?", "a scalar that multiplies"),
    Allowed(r"meet( dims| extents)?", "the meet of a lattice", r"Extent|DimTest|/Dim\."),
    # Other senses of a retired word.
    Allowed(r"forms", "an alias of `constructs`", r"tools/tegula/Help\.cpp$"),
    Allowed(
        r"meet|Meet",
        "the meet of a lattice: of extents, of what memory holds",
        r"ir/.*(InferTypes|Matmul|PlIndexOps|PlMatmulOps|PlOps)\.|frontend/emit/|LowerShapes|WarnExtentMismatch"
        r"|plan/(CheckPlan|MemoryContents)",
    ),
    Allowed(r"Meet (Describes The Lesser Extent|Of Exact And Bounded Is Bounded)", "the meet of a lattice", r"DimTest"),
    Allowed(
        r"meet",
        "`pl.distributed.meet`",
        r"language/distributed\.pyi$|builtins/functions/BuiltinsRanks\.td$|PlRankOps\.td$|PrintSourceOpsTest"
        r"|Inputs/host_ops\.py$",
    ),
    Allowed(r"Tegula Trace Meet", "public C++ (support/TraceAbi.h): the question behind `pl.distributed.meet`"),
    Allowed(r"place", "a field of the requests to `tegula serve`", r"serve/Job|test_serve\.py$"),
    Allowed(
        r"_?scaled dot product( \w+)*|(nn functional |aten )?scaled dot product attention( default)?", "PyTorch's names"
    ),
    Allowed(r"itertools product", "Python's name"),
    Allowed(r"tegula product", "the C function of a kernel called `product`", r"test_npu_source\.py$"),
    Allowed(
        r"(format|add|collect|of|upper of|call|relate)? ?products?|product of size and number",
        "a product of scalars or extents",
        r"tegula/ir/|tegula/frontend/(constants|unparse|emit/(Reshape|Operator)Emitter)|tegula/support/|LowerReshape"
        r"|LowerTensors"
        r"|ParallelWork|VectorBody|VectorCode\.cpp|ScratchBounds|DevicePrints|PerIterationSlots|LoopReductions"
        r"|TraceSource"
        r"|tegula/torch/|test/(ir|frontend|launch/)",
    ),
    Allowed(r"compares products|two unknowns in one product", "a product of unknowns", r"^test/"),
    Allowed(
        r"test (axes that are products|constants and products|product of two symbols|symbol found from a product)",
        "a product of numbers",
        r"\.py$",
    ),
    Allowed(
        r"products?|product (py|so|c)|factors?( py)?",
        "a kernel's own name or variable",
        r"^(test|examples|bench|python)/.*\.py$|^test/.*\.cpp$",
    ),
    Allowed(
        r"(is |cut |left |right |other |unroll |scale )?factors?",
        "a number that scales",
        r"MachineLimits|bench/Peak|PerIterationSlots|LoopReductions|tegula/frontend/(constants|emit/(Reshape"
        r"|Operator)Emitter)"
        r"|tegula/sim/|tegula/ir/|LowerTensors|MatmulKernel|math/|cuda/Math|DeviceExactSums|tegula/torch/|test/",
    ),
    Allowed(r"\w* ?permissions?( \w+)*", "permissions of files", r"DiskCacheTest|TuningsTest"),
    Allowed(r"held|is held", "`held=` of Kernel.export, and what the torch back end passes to it", r"^python/"),
    Allowed(r"Is Known Call", "the function `pl.is_known`"),
    Allowed(r"Part Call", "the function `pl.part`"),
    Allowed(r"Number", "a kind of token, and a kind of JSON value", r"frontend/syntax|torch/ReadGraph"),
    Allowed(r"is number", "the TOML library's method", r"sim/machine/ParseMachine"),
    Allowed(r"test forms of other pages are refused", "forms of HTML", r"test_serve\.py$"),
    Allowed(r"test a terminal shows how far a sweep is|test positions are numbers", "ordinary English"),
    # Ordinary English.
    Allowed(r"met|is met", "a condition is met"),
)

# Parts of an identifier that are not looked at: the field's words and ordinary English.
PHRASES = re.compile(
    r"\b(?:in place|(?:linear|closed|canonical|normal) forms?|ahead of time|tells? (?:\w+ ){0,2}apart|so far|as far as"
    r"|each in turn|turns? into)\b",
    re.IGNORECASE,
)

# Phrases with a retired word that are ordinary English; they are taken out of prose before it is looked at.
ORDINARY = (
    r"in turn\b|turn(s|ed)? (into|out|to|on|off|around|round)\b|takes? (the "
    r"|their |its )?place"
    r"|turn(s|ed)? (?:(?!it\b|they\b|are\b|is\b|of\b|has\b|have\b|may\b|can\b|that\b)[\w`*-]+ ){1,5}?(into|off)\b"
    r"|turns? (it|them) (into|out|to|on|off|around|round)\b"
    r"|(cross|dot|inner|outer|scalar) products?|products? (along an axis|of (an|each) axis|over (a|the) row)|(scale"
    r"|unroll) factors?"
    r"|a factor (`|from|of \d|\d)|by a factor\b|rescaling factor|factor of two"
    r"|partial sums?|(row|column|cumulative|segment|running) sums|sums? (up|along|of (rows|all|``|(the|its) (lanes"
    r"|terms'?|costs|digits|steps|weights)))|sum of costs"
    r"|lowered forms?|(closed|linear|canonical|normal|written|source) forms?|able to form|form clusters"
    r"|walk(s|ing|ed)? (through |over )?(the |a )?(uses|ops|operations|tree|IR|AST|module|graph|blocks|functions)"
    r"|the walk (behind|ends)"
    r"|ends the walk|extents that meet|prefetch(es|ed)? (?:[\w,]+ ){0,8}ahead|to place\b"
    r"|in (the |its |their |one )?places?\b|in the first place|out of place|(the )?one place|in (two|several) places"
    r"|fixed places|products? of (sizes|extents|dimensions|integers|two (numbers|scalars))"
    r"|so far\b|by far\b|far (from|more|less|too|apart|away)|parts of speech|in parts per"
)
