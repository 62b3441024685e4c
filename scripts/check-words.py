# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that retired words are gone from identifiers, file names, messages, comments and documents.

The table `RETIRED` has one row per word: what to write instead, the identifiers it is retired from, and the phrases
that show the retired sense in prose. Identifiers are matched by their parts (`isLeftTurned` is `is Left Turned`), and
a part counts wherever it stands, unless `ALLOWED` names the identifier with a reason. Prose is ordinary English, so
there only phrases count that have no ordinary sense.

The kernel language (`pl.*`) and the C interface keep their names.

  --count     a summary by word and by folder
  --fix-list  each identifier and file name once, with the number of its uses
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tree import ALL, ROOT, files, report, shown

CPP = (".h", ".cpp", ".c", ".td", ".inc")
PYTHON = (".py", ".pyi")
DOCUMENTS = (".md",)
LIT = (".mlir", ".test")
OTHER = (".txt", ".cmake", ".sh", ".toml", ".in", ".js")


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


@dataclass(frozen=True)
class Allowed:
    """Identifiers that have a retired word in another sense, or that are not the project's."""

    names: str
    reason: str
    # Matched in a file's path: the only files where this holds.
    only: str = ""


MATRIX = r"(matri(x|ces)|factors?|operands?|tiles?|weights|keys)"
GPU_FILES = r"gpu|cuda|hopper|emulat"

RETIRED = (
    Retired(
        "turn",
        "iteration; 'transposed' of a matrix; 'ping-pong' of warpgroups; 'cooperative' or 'round-robin' of blocks",
        r"turn(s|ed|ing)?",
        rf"{MATRIX} (is |are |that is |that are )?turned|turned {MATRIX}|(takes?|taking) turns"
        r"|(each|every|one|first|last|next|per|another) turn(?! (of phrase|around))"
        r"|turns? of (the|a|its|this|that|an outer|an inner|outer|inner) loops?|loop's turns?"
        r"|turns (may |can |that |which )?(run|at once|in parallel)"
        r"|(number of|all|few|many|several|its|whose|between|over) turns",
    ),
    Retired(
        "product",
        "matmul; GEMM where a library is meant",
        r"products?",
        r"products? of (two )?(matrices|tiles)|(matrix|tensor-core|tiled|merged|batched|split) products?"
        r"|products? (on|with|by) tensor cores|a second product|factors? of (a |the )?products?",
    ),
    Retired(
        "factor",
        "lhs, rhs or operand",
        r"factors?",
        r"(left|right|turned|transposed) factors?|factors? (of|in) (a |the )?(product|matmul|gemm)s?"
        r"|(product|matmul|gemm)('s|s')? factors?|both factors|rounds? (its |the )?factors",
    ),
    Retired(
        "sum",
        "accumulator or acc; 'reduction' of a loop",
        r"beside sums|product sums|sums? (room|bytes|space|registers|lock|columns)|carried sums|keep sums"
        r"|(start|starts) .*sums?|lock sum|split sum|step sums|has sums|lhs sums?",
        r"beside (the )?sums|sums of (a |the )?(product|matmul)s?|carried sums?|(product|matmul)('s)? sums?",
    ),
    Retired("sums at places", "scatter-add or segment sum", r"sums at places", r"sums? at places|adds? up at places"),
    Retired(
        "place",
        "index; slot of a ring or an allocation; location in a source; device or stream",
        r"places?",
        r"at (its|their|that|this|which|one|other|these) places?(?! of)|places that are data|places? (of|in) (a |the )?"
        r"(ring|tensor|tile|source|row)s?|by place|index(es)? of places|the same places?",
    ),
    Retired(
        "form",
        "variant or schedule; 'fallback' for the plain form; 'closed form' of a formula",
        r"forms?",
        r"plain forms?|faster forms?|form of (its|their) own|forms of (its|their) own"
        r"|(quick|quicker|tuned|Hopper|compiled|row|gpu) forms?|forms? for (chips|Hopper|tensor cores)",
    ),
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
        r"|where (they|both|all) meet|have met",
    ),
    Retired(
        "beside",
        "concurrent; epilogue operand; next to",
        r"beside",
        r"beside (the |its )?(sums?|accumulators?|products?|matmuls?|results?)|(runs?|read|copied|computed) beside",
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
        r"walks (on|of|over|and|are|with|at)\b|(and|of|elementwise|for|the) walks(?![.-])|walked (by|over|along)",
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
        "group of warps",
        "warpgroup",
        r"groups? (threads|warps|barrier|products|factors|rows)",
        r"groups? of (four )?warps|groups take",
    ),
    Retired(
        "ahead",
        "prefetch",
        r"fetch(es|ed)?|ahead",
        r"asks? for .{0,20}ahead|asked for ahead|(read|fetched|copied|loaded) ahead(?! of time)",
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
        r"ir/.*(InferTypes|Matmul|PlIndexOps|PlMatmulOps|PlOps)\.|frontend/emit/|LowerShapes|WarnExtentMismatch|plan/(CheckPlan|MemoryContents)",
    ),
    Allowed(r"Meet (Describes The Lesser Extent|Of Exact And Bounded Is Bounded)", "the meet of a lattice", r"DimTest"),
    Allowed(
        r"meet",
        "`pl.distributed.meet`",
        r"language/distributed\.pyi$|builtins/BuiltinsRanks\.td$|PlRankOps\.td$|PrintSourceOpsTest|Inputs/host_ops\.py$",
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
        r"tegula/ir/|tegula/frontend/(constants|unparse|emit/(Reshape|Operator)Emitter)|tegula/support/|LowerReshape|LowerTensors"
        r"|ParallelWork|VectorBody|VectorCode\.cpp|ScratchBounds|DevicePrints|PerIterationSlots|LoopReductions|TraceSource"
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
        r"MachineLimits|bench/Peak|PerIterationSlots|LoopReductions|tegula/frontend/(constants|emit/(Reshape|Operator)Emitter)"
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

PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Phrases with a retired word that are ordinary English; they are taken out of prose before it is looked at.
ORDINARY = re.compile(
    r"in turn\b|turns? (into|out|to|on|off|around|it|them)\b|turned (into|out|to|on|off|around)|takes? place"
    r"|in place\b|in the first place|out of place|product of (sizes|extents|dimensions|integers|two (numbers|scalars))"
    r"|so far\b|by far\b|far (from|more|less|too|apart|away)|parts of speech|in parts per",
    re.IGNORECASE,
)
# What must name the words.
NAMING = (Path(__file__).resolve(), ROOT / "docs/glossary.md")
C_API = ROOT / "tegula/runtime/CApi.h"
CPP_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<tag>\w*)\((?P<raw>.*?)\)(?P=tag)"'
    r"|\[\{(?P<td>.*?)\}\]"
    r'|(?P<include>#\s*include[^\n]*)|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|'(?:\\.|[^'\\\n])+'|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
PYTHON_TOKEN = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<raw>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\')'
    r"|\"(?P<text>(?:\\.|[^\"\\\n])*)\"|'(?P<other>(?:\\.|[^'\\\n])*)'"
    r"|(?P<language>\bpl(?:\.\w+)+)|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
# What a document writes as code: `name`, and fenced blocks.
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
NAME = re.compile(r"(?<![\w.-])(?:pl(?:\.\w+)+|[A-Za-z_]\w*)")
# Names of passes, stages, ops and attributes in tests, strings and documents.
FLAG = re.compile(r"--?(?:tegula|cpu|cuda|npu|pl)-[\w-]+|(?<![\w.])(?:tegula|cpu|cuda|npu)\.[a-z]\w*(?!\()")
# A string that is one name: a mnemonic, an attribute, a key, a flag.
TOKEN = re.compile(r"[A-Za-z_][\w.-]*")


@dataclass(frozen=True)
class Use:
    """A retired word that is still used."""

    path: str
    line: int
    text: str
    rule: Retired
    kind: str


def words_in(phrase: str) -> str:
    """Returns the pattern of a row, with any white space or line start of a comment for each blank."""
    return phrase.replace(" ", r"(?:\s+(?:(?:///?|#|\*)\s*)?)")


# One pattern for all rows finds candidates; the rows are tried only for those.
NAMES = [(row, re.compile(rf"(?:^|(?<= ))(?:{row.names})(?= |$)", re.IGNORECASE)) for row in RETIRED if row.names]
PROSE = [
    (row, re.compile(rf"(?<![\w-])(?:{words_in(row.prose)})(?!\w)", re.IGNORECASE)) for row in RETIRED if row.prose
]
CANDIDATE = re.compile(
    r"turn|product|factor|sum|place|form|tell|told|meet|met\b|beside|held|part|piece|spread|walk|dear|far\b|known|word"
    r"|number|permi|processor|group|ahead|lie|we lead|is any",
    re.IGNORECASE,
)
FREE = [(each, re.compile(each.names, re.IGNORECASE)) for each in ALLOWED]
CHANGED = [
    (re.compile(rf"(?:^|(?<= )){' '.join(PART.findall(old))}(?= |$)", re.IGNORECASE), Retired(old, new))
    for old, new in RENAMED.items()
]


@cache
def interface() -> set[str]:
    """Returns the names that the C interface declares."""
    return set(re.findall(r"\b[Tt]egula\w+", C_API.read_text()))


@cache
def judge_anywhere(name: str) -> tuple[tuple[Retired, ...], tuple[Allowed, ...]]:
    """Returns the rows that `name` breaks in some file, and what allows it in some file."""
    parts = " ".join(PART.findall(name))
    judged = PHRASES.sub("·", parts)
    broken = [row for row, pattern in NAMES if pattern.search(judged)]
    broken += [row for pattern, row in CHANGED if pattern.search(parts)]
    if not broken or name in interface():
        return (), ()
    return tuple(broken), tuple(each for each, pattern in FREE if pattern.fullmatch(parts))


def judge(name: str, path: str) -> Iterator[Retired]:
    """Gives the rows that the identifier `name` breaks in the file `path`."""
    broken, free = judge_anywhere(name)
    if broken and not any(not each.only or re.search(each.only, path) for each in free):
        yield from (row for row in broken if not row.only or re.search(row.only, path, re.IGNORECASE))


class File:
    """One file and what was found in it."""

    def __init__(self, path: Path):
        self.path = shown(path)
        self.text = path.read_text()
        self.starts = [match.end() for match in re.finditer("\n", self.text)]
        self.uses: list[Use] = []

    def line_of(self, at: int) -> int:
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.starts[middle] <= at else (low, middle)
        return low + 1

    def add_name(self, name: str, at: int) -> None:
        for row in judge(name, self.path):
            self.uses.append(Use(self.path, self.line_of(at), name, row, "identifier"))

    def add_prose(self, text: str, at: int, kind: str) -> None:
        if not CANDIDATE.search(text):
            return
        text = ORDINARY.sub(lambda match: "·" * len(match[0]), text)
        for row, pattern in PROSE:
            for match in pattern.finditer(text):
                phrase = re.sub(r"\s+(?:(?:///?|#|\*)\s*)?", " ", match[0])
                self.uses.append(Use(self.path, self.line_of(at + match.start()), phrase, row, kind))

    def add_flags(self, text: str, at: int) -> None:
        for match in FLAG.finditer(text):
            self.add_name(match[0], at + match.start())

    def add_string(self, text: str, at: int) -> None:
        """Looks at a string: one name counts as an identifier, anything else as a message."""
        if TOKEN.fullmatch(text):
            if not text.startswith("pl."):
                self.add_name(text, at)
        else:
            self.add_prose(text, at, "message")
            self.add_flags(text, at)

    def read_code(self, token: re.Pattern[str]) -> None:
        for match in token.finditer(self.text):
            kind = match.lastgroup
            if kind == "name":
                self.add_name(match[0], match.start())
            elif kind == "comment":
                self.add_prose(match[0], match.start(), "comment")
            elif kind == "include":
                # The file it names is looked at itself.
                continue
            elif kind in ("text", "other"):
                self.add_string(match[kind], match.start(kind))
            elif kind in ("raw", "td", "tag"):
                kind = "td" if match.groupdict().get("td") is not None else "raw"
                self.add_prose(match[kind], match.start(kind), "message")
                self.add_flags(match[kind], match.start(kind))

    def read_document(self) -> None:
        for match in CODE.finditer(self.text):
            for name in NAME.finditer(match[0]):
                # One lower-case part is a kernel's own variable, or a file's or option's name seen elsewhere.
                if not name[0].startswith("pl.") and len(PART.findall(name[0])) > 1:
                    self.add_name(name[0], match.start() + name.start())
            self.add_flags(match[0], match.start())
        prose = CODE.sub(lambda match: re.sub(r"[^\n]", "`", match[0]), self.text)
        self.add_prose(prose, 0, "document")

    def read_other(self) -> None:
        self.add_flags(self.text, 0)
        for match in re.finditer(r"(?://|#)[^\n]*", self.text):
            self.add_prose(match[0], match.start(), "comment")

    def read(self) -> list[Use]:
        stem, *_ = Path(self.path).name.split(".")
        for row in judge(stem, self.path):
            self.uses.append(Use(self.path, 1, stem, row, "file"))
        if self.path.endswith(CPP):
            self.read_code(CPP_TOKEN)
        elif self.path.endswith(PYTHON):
            self.read_code(PYTHON_TOKEN)
        elif self.path.endswith(DOCUMENTS):
            self.read_document()
        else:
            self.read_other()
        return self.uses


def folders_of(paths: list[Path]) -> list[Use]:
    """Returns the folders whose own name has a retired word."""
    found = {parent for path in paths for parent in Path(shown(path)).parents}
    return [
        Use(parent.as_posix(), 1, parent.name, row, "file")
        for parent in sorted(found)
        for row in judge(parent.name, parent.as_posix())
    ]


def all_uses() -> list[Use]:
    paths = files(ALL, (*CPP, *PYTHON, *DOCUMENTS, *LIT, *OTHER)) + sorted(ROOT.glob("*.md"))
    # Tables that the benchmarks write.
    written = ROOT / "bench/results"
    paths = [path for path in paths if written not in path.parents and path not in NAMING]
    return [use for path in paths for use in File(path).read()] + folders_of(paths)


def count(uses: list[Use]) -> None:
    """Prints how many uses are left, by word and by folder."""
    print(f"{len(uses)} uses: {dict(Counter(use.kind for use in uses))}")
    for title, key in (
        ("word", lambda use: use.rule.word),
        ("folder", lambda use: "/".join(Path(use.path).parts[:2])),
    ):
        kinds: dict[str, Counter[str]] = {}
        for use in uses:
            kinds.setdefault(key(use), Counter())[use.kind] += 1
        print(f"\n{'by ' + title:26} {'all':>7} {'names':>7} {'files':>7} {'prose':>7}")
        for name, each in sorted(kinds.items(), key=lambda item: -item[1].total()):
            prose = each["message"] + each["comment"] + each["document"]
            print(f"{name:26} {each.total():7} {each['identifier']:7} {each['file']:7} {prose:7}")


def list_names(uses: list[Use]) -> None:
    """Prints each identifier and file name, the word it has, and how often it is used."""
    found = Counter((use.kind, use.rule.word, use.text) for use in uses if use.kind in ("identifier", "file"))
    for (kind, word, text), times in sorted(found.items(), key=lambda item: (item[0][1], -item[1], item[0])):
        print(f"{word:16} {kind:10} {times:5} {text}")


def main() -> None:
    uses = all_uses()
    if "--count" in sys.argv:
        count(uses)
    elif "--fix-list" in sys.argv:
        list_names(uses)
    else:
        report([f"{use.path}:{use.line}: '{use.text}' -> {use.rule.write}" for use in uses])


main()
