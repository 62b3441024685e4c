#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gathers the pages of the documentation, and what is generated, and makes a site of them: `make docs`. It is read from
the disk; nothing of it comes from elsewhere."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types

import numpy

ROOT = pathlib.Path(__file__).parents[1]
BUILD = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin")).parent
PAGES = BUILD / "site-pages"
SITE = BUILD / "site"
LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)((?:#[^)]*)?)\)")
CELL_END = "-- end of cell --"
# What a cell prints, as comments at its end (update-tutorials.py).
OUTPUT = re.compile(r"\n# Output:\n((?:#.*(?:\n|$))+)\s*\Z")
PICTURE = re.compile(r"!\[[^\]]*\]\((?:\.\./)*pictures/([\w-]+\.svg)\)")
HEADERS = {
    "cpp": ("From C++", ["tegula/runtime/Compiler.h", "tegula/launch/call/Argument.h"]),
    "c": ("From C", ["tegula/runtime/CApi.h"]),
}
FOLDERS = {"Tutorials": "tutorials", "Functions": "ops", "Reference": "reference", "Coming from": "coming-from"}
TIMES = {
    "attention": "Attention",
    "matmul": "Matmul",
    "sorts": "Sort, scan, gather and scatter",
    "gpu": "GPUs",
    "torch": "PyTorch models",
}


def split_cells(text: str) -> list[tuple[bool, int, list[str]]]:
    """The `# %%` cells of a script: whether it is prose, the number of its first line, and its lines."""
    cells: list[tuple[bool, int, list[str]]] = [(False, 2, [])]
    for number, line in enumerate(text.splitlines()[1:], 2):
        if line.startswith("# %%"):
            cells.append(("[markdown]" in line, number + 1, []))
        else:
            cells[-1][2].append(line)
    return cells


def split_output(body: str) -> tuple[str, list[str]]:
    """The code of a cell, and the lines that its comment says it prints."""
    found = OUTPUT.search(body)
    if not found:
        return body, []
    return body[: found.start()], [line.removeprefix("#").removeprefix(" ") for line in found[1].splitlines()]


def convert_tutorial(text: str, outputs: list[str] | None = None) -> str:
    """A script with `# %%` cells as a page, with what each cell prints below it: now, or as its comment says."""
    parts = []
    for position, (is_prose, _, lines) in enumerate(split_cells(text)):
        body = "\n".join(lines).strip("\n")
        if not body:
            continue
        if is_prose:
            parts.append("\n".join(line.removeprefix("#").removeprefix(" ") for line in body.splitlines()))
            continue
        code, shown = split_output(body)
        parts.append(f"```python\n{code}\n```")
        printed = outputs[position].strip() if outputs else "\n".join(shown)
        if printed:
            parts.append(f"Output:\n\n```text\n{printed}\n```")
    return "\n\n".join(parts) + "\n"


def run_tutorial(script: pathlib.Path) -> list[str]:
    """What each cell of a tutorial prints; nothing if it fails, which is a test's to report."""
    command = [sys.executable, __file__, "--cells", script]
    # Nothing is in the cache, so that what is said of compiles is always the same.
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPATH": str(BUILD / "python"), "TEGULA_CACHE_DIR": cache}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        print(f"{script.name} fails, so its page shows no output: {done.stderr[-400:]}", file=sys.stderr)
        return []
    return done.stdout.replace(str(script), script.name).split(CELL_END + "\n")


def run_cells(script: pathlib.Path) -> int:
    """Runs a script cell by cell, each at its own lines, with a mark on standard output after each."""
    main = types.ModuleType("__main__")
    main.__file__ = str(script)
    sys.modules["__main__"] = main
    sys.argv = [str(script)]
    for is_prose, first, lines in split_cells(script.read_text()):
        if not is_prose:
            code = compile("\n" * (first - 1) + "\n".join(lines), script, "exec")
            try:
                exec(code, vars(main))
            except SystemExit as end:
                if end.code:
                    raise
        print(CELL_END, flush=True)
    return 0


def mend_links(text: str, source: pathlib.Path) -> str:
    """Links to pages stay; what is no page of the site is shown as what it is called."""

    def mend(found: re.Match) -> str:
        words, target, anchor = found.groups()
        if "://" in target:
            return found.group()
        path = (source.parent / target).resolve()
        if path.suffix == ".svg":
            return found.group()
        if path.parent.name == "tutorials" and path.suffix == ".py":
            return f"[{words}]({target.removesuffix('.py')}.md{anchor})"
        if path.is_dir() and path.name in ("tutorials", "decisions", "ops") and path.parent.name == "docs":
            return f"[{words}]({target.rstrip('/')}/index.md)"
        if path.suffix == ".md" and path.is_relative_to(ROOT / "docs"):
            return found.group()
        return f"`{path.relative_to(ROOT)}`" if path.is_relative_to(ROOT) and path.exists() else words

    return LINK.sub(mend, text)


def inline_pictures(text: str) -> str:
    """Drawings as part of the page, so that they follow its colours."""

    def draw(found: re.Match) -> str:
        svg = (ROOT / "docs" / "pictures" / found.group(1)).read_text()
        return '<div class="picture">' + re.sub(r"<style>.*?</style>", "", svg).replace("\n", "") + "</div>"

    return PICTURE.sub(draw, text)


def write(name: str, text: str, source: pathlib.Path | None = None) -> None:
    path = PAGES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = inline_pictures(text)
    path.write_text(mend_links(text, source) if source else text)


def title_of(path: pathlib.Path) -> str:
    return next(line for line in path.read_text().splitlines() if line.lstrip("# ").strip() and "# " in line).lstrip(
        "# "
    )


def in_order(folder: pathlib.Path) -> list[pathlib.Path]:
    """The pages of a folder by their numbers, its index first."""
    number = re.compile(r"(\d+)?(.*)")
    return sorted(
        folder.glob("*.md"),
        key=lambda page: (page.name != "index.md", int(number.match(page.stem)[1] or 0), page.name),
    )


def add_pages() -> None:
    for page in sorted((ROOT / "docs").rglob("*.md")):
        write(str(page.relative_to(ROOT / "docs")), page.read_text(), page)
    for script in sorted((ROOT / "docs" / "tutorials").glob("*.py")):
        write(f"tutorials/{script.stem}.md", convert_tutorial(script.read_text(), run_tutorial(script)), script)
    (PAGES / "decisions" / "README.md").replace(PAGES / "decisions" / "index.md")
    for folder, title in (("tutorials", "Tutorials"), ("ops", "Functions")):
        pages = in_order(PAGES / folder)
        entries = [f"- [{title_of(page)}]({page.name})" for page in pages if page.name != "index.md"]
        write(f"{folder}/index.md", f"# {title}\n\n" + "\n".join(entries) + "\n")
    readme = (ROOT / "README.md").read_text().replace("](docs/", "](")
    write("index.md", readme, ROOT / "docs" / "index.md")
    write("contributing.md", (ROOT / "CONTRIBUTING.md").read_text(), ROOT / "CONTRIBUTING.md")


def add_references() -> None:
    """The IR, and the headers of C++ and C as they are."""
    for page in sorted((BUILD / "docs").glob("*.md")):
        write(f"reference/{page.name}", page.read_text())
    for name, (title, headers) in HEADERS.items():
        parts = [f"# {title}\n"]
        for header in headers:
            parts.append(f"## `{header}`\n\n```cpp\n{(ROOT / header).read_text()}```\n")
        write(f"reference/{name}.md", "\n".join(parts))


def add_gallery() -> None:
    """Every example with what it is for, its source, and how long it takes where that was measured."""
    measured = json.loads((ROOT / "bench" / "results" / "latest.json").read_text())["kernels"]
    times: dict[str, list[str]] = {}
    for name, row in measured.items():
        kernel, _, sizes = name.partition(" ")
        text = f"{sizes}: {row['tegula_ms']:.3g} ms; NumPy {row['numpy_ms']:.3g} ms"
        times.setdefault(kernel, []).append(text)
    parts = [
        "# Gallery\n\nThe kernels of `examples`, each with its NumPy reference. Times are those of `make bench`.\n"
    ]
    for title, folder in (("One file", "examples"), ("A decoder", "examples/decoder"), ("Ranks", "examples/ranks")):
        parts.append(f"## {title}\n")
        for path in sorted((ROOT / folder).glob("*.py")):
            text = path.read_text()
            purpose = re.search(r'"""(.*?)"""', text, re.DOTALL)
            timed = "".join(f"\n\n**{line}**" for line in times.get(path.stem, []))
            parts.append(f"### {path.stem}\n\n{purpose.group(1) if purpose else ''}{timed}\n")
            parts.append(f'??? example "{path.relative_to(ROOT)}"\n')
            parts.append("\n".join("    " + line for line in f"```python\n{text}```".splitlines()) + "\n")
    write("gallery.md", "\n".join(parts))
    parts = ["# Benchmarks\n\n![time over size](pictures/time-over-size.svg)\n"]
    for name, title in TIMES.items():
        text = (ROOT / "bench" / "results" / f"{name}.md").read_text()
        parts.append(f"## {title}\n\n" + re.sub(r"^# .*\n", "", text) + "\n")
    write("measured.md", "\n".join(parts))


def add_names() -> None:
    """A page for each system that people come from: what is said of it, and what errors suggest, from their table."""
    command = [BUILD / "bin" / "tegula", "help", "--markdown", "elsewhere"]
    table = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    text = (PAGES / "coming-from.md").read_text()
    _, *sections = re.split(r"^## From ", text, flags=re.MULTILINE)
    for section in sections:
        system, _, body = section.partition("\n")
        rows = [row for row in table[2:] if system != "NumPy" or is_numpy(row)]
        body = body.replace("](language.md", "](../language.md")
        names = "\n".join([*table[:2], *rows])
        page = f"# From {system}\n{body}\n## Names\n\nErrors suggest the same.\n\n{names}\n"
        write(f"coming-from/{system.lower()}.md", page)


def is_numpy(row: str) -> bool:
    names = re.findall(r"`(\w+)`", row.split("|")[1])
    return any(hasattr(numpy, name) or hasattr(numpy.ndarray, name) for name in names)


def keep_at_home() -> None:
    """The one script that would come from elsewhere is ours."""
    for page in SITE.rglob("*.html"):
        here = os.path.relpath(SITE / "site" / "search-worker.js", page.parent)
        page.write_text(page.read_text().replace("https://unpkg.com/iframe-worker/shim", here))


def main() -> int:
    shutil.rmtree(PAGES, ignore_errors=True)
    add_pages()
    add_references()
    add_gallery()
    add_names()
    shutil.copytree(ROOT / "docs" / "pictures", PAGES / "pictures", dirs_exist_ok=True)
    shutil.copytree(ROOT / "docs" / "site", PAGES / "site", dirs_exist_ok=True)
    configuration = json.loads((ROOT / "docs" / "site" / "mkdocs.json").read_text())
    configuration |= {"docs_dir": str(PAGES), "site_dir": str(SITE)}
    for section in configuration["nav"]:
        for title, pages in section.items():
            folder = PAGES / FOLDERS.get(title, "none")
            pages += [str(page.relative_to(PAGES)) for page in in_order(folder)]
    # JSON is YAML.
    (BUILD / "mkdocs.yml").write_text(json.dumps(configuration))
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-f", BUILD / "mkdocs.yml"]
    done = subprocess.run(command, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    if done.returncode == 0:
        keep_at_home()
        print(f"read {SITE / 'index.html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(run_cells(pathlib.Path(sys.argv[2])) if sys.argv[1:2] == ["--cells"] else main())
