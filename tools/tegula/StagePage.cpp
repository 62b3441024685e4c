// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/StagePage.h"

#include "tegula/support/File.h"
#include "tegula/support/SourceFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
using llvm::StringRef;

static constexpr char pageStart[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>TITLE</title>
<style>
:root { color-scheme: light dark; --line: #8884; --marked: #fd05; }
body { margin: 0; font: 13px/1.5 system-ui, sans-serif; }
header { padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
header label { margin-right: 1rem; white-space: nowrap; }
main { display: flex; height: calc(100vh - 3.2rem); }
section { flex: 1 1 0; min-width: 16rem; display: flex; flex-direction: column;
  border-right: 1px solid var(--line); }
section[hidden] { display: none; }
h2 { margin: 0; padding: .2rem .6rem; font-size: 1rem; border-bottom: 1px solid var(--line); }
ol { margin: 0; padding: 0; overflow: auto; flex: 1; list-style: none;
  font: 12px/1.45 ui-monospace, monospace; counter-reset: line; }
li { white-space: pre; min-height: 1.45em; padding-right: 1rem; width: max-content; min-width: 100%; box-sizing: border-box; }
li::before { counter-increment: line; content: counter(line); display: inline-block;
  width: 3.2em; padding-right: .8em; text-align: right; opacity: .45; }
li[data-p] { cursor: pointer; }
li.marked { background: var(--marked); }
@media (max-width: 700px) { main { flex-direction: column; height: auto; } section { min-height: 60vh; } }
</style></head><body>
<header><b>TITLE</b> &nbsp; </header><main>
)html";

static constexpr char pageEnd[] = R"html(</main>
<script>
const header = document.querySelector("header");
for (const section of document.querySelectorAll("section")) {
  const label = document.createElement("label"), box = document.createElement("input");
  box.type = "checkbox";
  box.checked = !section.hidden;
  box.onchange = () => { section.hidden = !box.checked; };
  label.append(box, " " + section.querySelector("h2").textContent);
  header.append(label);
}
function mark(item, isScrolled) {
  for (const old of document.querySelectorAll("li.marked")) old.classList.remove("marked");
  if (!item || !item.dataset.p) return;
  for (const list of document.querySelectorAll("ol")) {
    const found = list.querySelectorAll(`li[data-p="${CSS.escape(item.dataset.p)}"]`);
    for (const other of found) other.classList.add("marked");
    if (isScrolled && found.length && !list.contains(item))
      list.scrollTop = found[0].offsetTop - list.offsetTop - list.clientHeight / 3;
  }
}
document.querySelector("main").addEventListener("mouseover", event => mark(event.target.closest("li"), false));
document.querySelector("main").addEventListener("click", event => mark(event.target.closest("li"), true));
</script></body></html>
)html";

static std::string escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream stream(escaped);
  llvm::printHTMLEscaped(text, stream);
  return escaped;
}

std::string tegula::lineOf(SourceFiles &files, const SourceLocation &location) {
  Expected<const std::string *> text = files.find(location.file);
  if (!text) {
    llvm::consumeError(text.takeError());
    return "";
  }
  llvm::SmallVector<StringRef> lines;
  if (*text)
    StringRef(**text).split(lines, '\n');
  return location.line > 0 && location.line <= lines.size()
             ? lines[location.line - 1].rtrim().str()
             : "";
}

/// A column. `locationOf` gives the place of a line, counted from 0.
static void writeColumn(llvm::raw_ostream &stream, StringRef title,
                        StringRef text, bool isHidden,
                        llvm::function_ref<SourceLocation(size_t)> locationOf) {
  stream << "<section" << (isHidden ? " hidden" : "") << "><h2>"
         << escape(title) << "</h2><ol>";
  llvm::SmallVector<StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    SourceLocation location = locationOf(number);
    stream << "<li";
    if (location.line != 0)
      stream << " data-p=\"" << escape(location.file) << ":" << location.line
             << "\"";
    stream << ">" << escape(line) << "</li>";
  }
  stream << "</ol></section>\n";
}

static std::string withTitle(StringRef page, StringRef title) {
  std::string text;
  llvm::SmallVector<StringRef> parts;
  page.split(parts, "TITLE");
  for (auto [position, part] : llvm::enumerate(parts))
    text += (position ? escape(title) : "") + part.str();
  return text;
}

Expected<int> tegula::writeStagePage(const KernelSource &source,
                                     StringRef target,
                                     llvm::ArrayRef<Argument> arguments,
                                     const std::string &path) {
  Expected<std::vector<std::string>> stages = listStages(target);
  if (!stages)
    return stages.takeError();
  Expected<std::string> text = readFile(source.path, DiskFiles::maxBytes);
  if (!text)
    return text.takeError();
  std::string page;
  llvm::raw_string_ostream stream(page);
  stream << withTitle(pageStart, source.path);
  writeColumn(stream, "source", *text, /*isHidden=*/false, [&](size_t number) {
    return SourceLocation{source.path, static_cast<unsigned>(number + 1), 1};
  });
  for (const std::string &stage : *stages) {
    Expected<StageText> printed = printStageText(source, stage, arguments);
    // Not every kernel has every stage that a target can show.
    if (!printed && !findCommonStage(stage))
      printed = StageText{llvm::toString(printed.takeError()), {}};
    if (!printed)
      return printed.takeError();
    // Text without locations is there for those who ask.
    writeColumn(stream, stage, printed->text, printed->locations.empty(),
                [&](size_t number) {
                  return number < printed->locations.size()
                             ? printed->locations[number]
                             : SourceLocation();
                });
  }
  stream << pageEnd;
  if (Error error = writeFilesAtomically({{path, page}}))
    return error;
  return 0;
}
