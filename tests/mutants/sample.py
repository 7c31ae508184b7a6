# SPDX-License-Identifier: BSD-3-Clause
"""Draw a sample of mutants, and write the sources with a branch for each."""
import collections
import random
import re
import subprocess

import cpp_sites
import py_sites

SWITCH = """\
// Written by scripts/mutants: which mutant is chosen (0: none), and which have been reached.
#pragma once
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
inline const int fatwood_mutant = [] {
  const char* number = getenv("FATWOOD_MUTANT");
  return number == nullptr ? 0 : atoi(number);
}();
inline char fatwood_reached_nowhere[4096];
inline char* const fatwood_reached = [] {
  const char* name = getenv("FATWOOD_REACHED");
  if (name == nullptr) return fatwood_reached_nowhere;
  const int file = open(name, O_RDWR | O_CREAT, 0644);
  if (file < 0 || ftruncate(file, 4096) != 0) abort();
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) abort();
  close(file);  // the place of a standard stream that is closed stays free
  return static_cast<char*>(memory);
}();
#define FATWOOD_LIVE(n) (fatwood_reached[n] = 1, fatwood_mutant == (n))
"""

PY_SWITCH = """\
# Written by scripts/mutants, like fatwood_mutant.h.
import os
_chosen = int(os.environ.get("FATWOOD_MUTANT", "0"))


def live(number: int) -> bool:
    name = os.environ.get("FATWOOD_REACHED")
    if name:
        with open(name, "r+b" if os.path.exists(name) else "w+b") as file:
            file.truncate(4096)
            file.seek(number)
            file.write(b"\\1")
    return number == _chosen
"""


def folder_of(name):
    parts = name.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def mutable_files(root, headers):
    folders = ("src", "check", "python/src", "python/fatwood")
    suffixes = {".cpp", ".py", ".hpp"} if headers else {".cpp", ".py"}
    return sorted(str(path.relative_to(root)) for folder in folders for path in (root / folder).rglob("*") if path.suffix in suffixes)


def still_there(root, sites):
    """The sites whose text is where it was."""
    texts = {name: (root / name).read_text() for name in {site["file"] for site in sites} if (root / name).is_file()}
    return [site for site in sites if texts.get(site["file"], "")[site["start"]:site["end"]] == site["old"]]


def draw(root, seed, count, headers, folders=()):
    """[site] with file, folder, line and number. Half are spread evenly over folders, half over all candidates;
    in both, each kind of mistake is equally likely."""
    by_folder = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in mutable_files(root, headers):
        if folders and folder_of(name) not in folders:
            continue
        text = (root / name).read_text()
        for site in (py_sites if name.endswith(".py") else cpp_sites).sites(text):
            site |= {"file": name, "folder": folder_of(name), "line": text.count("\n", 0, site["start"]) + 1}
            by_folder[site["folder"]][site["kind"]].append(site)
    everywhere = collections.defaultdict(list)
    for kinds in by_folder.values():
        for kind, sites in kinds.items():
            everywhere[kind] += sites
    rng, chosen, taken = random.Random(seed), [], collections.defaultdict(list)
    names = sorted(by_folder)
    for turn in range(100 * count):
        if len(chosen) == count:
            break
        kinds = by_folder[names[turn // 2 % len(names)]] if turn % 2 else everywhere
        site = rng.choice(kinds[rng.choice(sorted(kinds))])
        start, end = min(edit[0] for edit in site["edits"]), max(edit[1] for edit in site["edits"])
        if all(end <= other or start >= until for other, until in taken[site["file"]]):
            taken[site["file"]].append((start, end))
            chosen.append(site | {"number": len(chosen) + 1})
    return chosen


def with_branches(name, text, sites):
    """The text of a file with a branch for each of its mutants; lines keep their numbers."""
    edits = sorted((edit for site in sites for edit in
                    ((start, end, new.replace("LIVE", f"FATWOOD_LIVE({site['number']})")) for start, end, new in site["edits"])),
                   reverse=True)
    for start, end, new in edits:
        text = text[:start] + new + text[end:]
    lines = text.split("\n")
    if name.endswith(".py"):  # the first line is the licence; what comes from __future__ must stay first
        at = max([number for number, line in enumerate(lines) if line.startswith("from __future__")], default=-1)
        if at >= 0:
            lines[at] += "; from fatwood._mutant import live as FATWOOD_LIVE"
        else:
            lines[0] = "from fatwood._mutant import live as FATWOOD_LIVE"
    elif lines[0].startswith("//"):
        lines[0] = '#include "fatwood_mutant.h"'
    else:
        return None
    return "\n".join(lines)


def write_if_other(path, data):
    """Keeps the time of a file that stays the same: Ninja looks at it."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def write_sources(root, source, sites):
    by_file = collections.defaultdict(list)
    for site in sites:
        by_file[site["file"]].append(site)
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=root, check=True, capture_output=True)
    files = [name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file()]
    for name in files:
        data = (root / name).read_bytes()
        if name in by_file:
            data = with_branches(name, data.decode(), by_file[name]).encode()
        write_if_other(source / name, data)
        (source / name).chmod((root / name).stat().st_mode)
    own = ("src/fatwood_mutant.h", "check/fatwood_mutant.h", "python/fatwood/_mutant.py")
    for name in own:
        write_if_other(source / name, (PY_SWITCH if name.endswith(".py") else SWITCH).encode())
    kept = {*files, *own}
    for folder in ("src", "tests", "studies", "check", "python", "bench"):
        for path in (source / folder).rglob("*"):
            if path.is_file() and str(path.relative_to(source)) not in kept and "__pycache__" not in path.parts:
                path.unlink()


def refused(output, source, sites):
    """The sites on lines that errors of the compiler name; all of a file where no line of it fits."""
    lines, wrong = set(), set()
    for name, line, error in re.findall(rf"{re.escape(str(source))}/(\S+?):(\d+)(?::\d+: (error))?", output):
        lines.add((name, int(line)))
        if error:
            wrong.add(name)
    shown = {int(number) for number in re.findall(r"FATWOOD_LIVE\((\d+)\)", output)}
    hit = [site for site in sites  # a site may cover several lines
           if site["number"] in shown
           or any((site["file"], site["line"] + more) in lines for more in range(site["old"].count("\n") + 1))]
    wrong -= {site["file"] for site in hit}
    return hit + [site for site in sites if site["file"] in wrong]
