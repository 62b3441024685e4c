# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that retired words are gone from identifiers, file names, messages, comments and documents.

The table `RETIRED` (retired_words.py) has one row per word: what to write instead, the identifiers it is retired from,
and the phrases that show the retired sense in prose. Identifiers are matched by their parts (`isLeftTurned` is
`is Left Turned`), and a part counts wherever it stands, unless `ALLOWED` names the identifier with a reason. Prose is
ordinary English, so there only phrases count that have no ordinary sense (`ORDINARY`), or words in files where they
have none (`where`).

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

from retired_words import ALLOWED, ORDINARY, PHRASES, RENAMED, RETIRED, Allowed, Retired
from tree import ALL, ROOT, files, report, shown

CPP = (".h", ".cpp", ".c", ".td", ".inc")
PYTHON = (".py", ".pyi")
DOCUMENTS = (".md",)
LIT = (".mlir", ".test")
OTHER = (".txt", ".cmake", ".sh", ".toml", ".in", ".js")

PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What must name the words.
NAMING = (
    Path(__file__).resolve(),
    ROOT / "scripts/retired_words.py",
    ROOT / "test/python/test_check_words.py",
    ROOT / "docs/glossary.md",
)
C_API = ROOT / "tegula/runtime/CApi.h"
CPP_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/)|R"(?P<tag>\w*)\((?P<raw>.*?)\)(?P=tag)"'
    r"|\[\{(?P<td>.*?)\}\]"
    r'|(?P<include>#\s*include[^\n]*)|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|'(?:\\.|[^'\\\n])+'|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
PYTHON_TOKEN = re.compile(
    r'(?P<comment>#[^\n]*(?:\n[ \t]*#[^\n]*)*)|(?P<raw>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\')'
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
PLAIN = re.compile(words_in(ORDINARY), re.IGNORECASE)
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

    def __init__(self, path: Path, text: str | None = None):
        self.path = shown(path)
        self.text = path.read_text() if text is None else text
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
        # A name in backticks is looked at where it is declared.
        text = re.sub(r"`[^`\n]+`", lambda match: "`" * len(match[0]), text)
        text = PLAIN.sub(lambda match: "·" * len(match[0]), text)
        for row, pattern in PROSE:
            if row.where and not re.search(row.where, self.path):
                continue
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
        if self.path.endswith(LIT):
            for match in re.finditer(r"(?<=[@%])[A-Za-z_]\w*", self.text):
                self.add_name(match[0], match.start())
        for match in re.finditer(r"(?://|#)[^\n]*(?:\n[ \t]*(?://|#)[^\n]*)*", self.text):
            self.add_prose(match[0], match.start(), "comment")

    def read(self) -> list[Use]:
        stem, *_ = Path(self.path).name.split(".")
        for row in judge(stem, self.path):
            self.uses.append(Use(self.path, 1, stem, row, "file"))
        if self.path.endswith(CPP):
            self.read_code(CPP_TOKEN)
        elif self.path.endswith(PYTHON):
            self.read_code(PYTHON_TOKEN)
        elif self.path.endswith(DOCUMENTS) or "bench/results/" in self.path:
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
    # Tables and plots that the benchmarks write.
    paths += files(["bench/results"], (".svg",))
    paths = [path for path in paths if path not in NAMING]
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


if __name__ == "__main__":
    main()
