# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of the documentation fit together, pictures are as they would be drawn, the site needs no network."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import pytest
from conftest import BUILD

ROOT = pathlib.Path(__file__).parents[2]
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *ROOT.glob("editors/*/*.md"),
]


def load(name: str):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_are_as_they_would_be_drawn():
    environment = {**os.environ, "TEGULA_BIN": str(BUILD / "bin")}
    script = ROOT / "scripts" / "draw-pictures.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(PICTURES) == 7


@pytest.mark.parametrize("path", PICTURES, ids=[path.stem for path in PICTURES])
def test_words_stay_inside_of_pictures(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    width, height = map(float, root.get("viewBox").split()[2:])
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        x, y, size = (float(text.get(name)) for name in ("x", "y", "font-size"))
        is_code = text.get("font-family") == "monospace"
        length = len(text.text) * size * (0.61 if is_code else 0.56)
        anchor = {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
        assert x - length * anchor > -4 and x + length * (1 - anchor) < width + 4, text.text
        assert size < y < height + 1


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        target_page = (page.parent / path).resolve() if path else page
        assert target_page.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.*)$", target_page.read_text(), re.MULTILINE)
            slugs = [re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads]
            assert anchor in slugs, target


def test_twenty_questions_have_sections():
    """Each names sections, whose anchors the test above finds."""
    rows = re.findall(r"^\| (.*\?.*?) \| (.+) \| (.+) \|$", (ROOT / "docs" / "questions.md").read_text(), re.MULTILINE)
    assert len(rows) == 20
    for question, answer, sections in rows:
        links = re.findall(r"\]\(([^)]+)\)", sections)
        assert answer and links and all("#" in link for link in links), question


def test_tutorials_become_pages():
    site = load("build-site")
    for path in (ROOT / "docs" / "tutorials").glob("*.py"):
        page = site.convert_tutorial(path.read_text())
        assert page.lstrip().startswith("# ") and page.count("```") % 2 == 0
        code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
        compile(code, path, "exec")
        assert "import tegula.language as pl" in code and "# %%" not in page


def test_pages_of_tutorials_show_what_is_printed(monkeypatch):
    monkeypatch.setenv("TEGULA_BIN", str(BUILD / "bin"))
    site = load("build-site")
    script = ROOT / "docs" / "tutorials" / "1_first_kernel.py"
    page = site.convert_tutorial(script.read_text(), site.run_tutorial(script))
    assert page.count("Output:\n\n```text\n") == 3
    assert "out: Out[Tensor[[M, N], FP32]]) compiled 1 time\n```" in page


@pytest.mark.skipif(not importlib.util.find_spec("material"), reason="'make docs' installs what makes the site")
def test_the_site_needs_no_network(tmp_path):
    """It is built, strictly, and read from the disk; the search works there."""
    (tmp_path / "bin").symlink_to(BUILD / "bin")
    environment = {**os.environ, "TEGULA_BIN": str(tmp_path / "bin")}
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "build-site.py"], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        outside = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?://[^"]*', page.read_text())
        assert outside == [], page
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("there is no chromium")
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"]
    uri = (tmp_path / "site" / "index.html").as_uri()
    done = subprocess.run([*command, f"{uri}?q=softmax"], capture_output=True, text=True, timeout=120)
    assert "md-search-result__item" in done.stdout
