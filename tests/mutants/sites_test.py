#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The generator of mutants: what it finds in small texts, and that what it writes compiles and can be switched."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import cpp_sites  # noqa: E402
import py_sites  # noqa: E402
import sample  # noqa: E402


def found(text, module=cpp_sites):
    return {(site["kind"], site["old"], site["new"]) for site in module.sites(text)}


class Cpp(unittest.TestCase):
    def test_operands_end_where_precedence_says(self):
        sites = found("void f() { if (a + 1 < b[i] && c) x += min(y, 3); }")
        self.assertIn(("boundary", "a + 1 < b[i]", "a + 1 <= b[i]"), sites)
        self.assertIn(("logic", "a + 1 < b[i] && c", "a + 1 < b[i] || c"), sites)
        self.assertIn(("negated condition", "a + 1 < b[i] && c", "!(a + 1 < b[i] && c)"), sites)
        self.assertIn(("accumulate", "x += min(y, 3)", "x = min(y, 3)"), sites)
        self.assertIn(("off by one", "3", "2"), sites)
        self.assertIn(("deleted statement", "x += min(y, 3);", ""), sites)

    def test_brackets_of_templates_references_and_texts_are_left_alone(self):
        kinds = {kind for kind, _, _ in found('std::vector<int>&& f(const A& a, B&& b) { return g<int>("a < b"); }')}
        self.assertEqual(kinds, set())

    def test_declarations_are_no_statements(self):
        self.assertEqual(found("class A { int b; void f(int x); }; using T = int; int g();"), set())

    def test_loops_and_extremes(self):
        sites = found("void f() { for (int x : all) { g(x); } y = std::max<int>(a, b); }")
        self.assertIn(("first instead of all", "for (int x : all)", "... break after the first"), sites)
        self.assertIn(("min and max", "std::max<int>(a, b)", "std::min<int>(a, b)"), sites)

    def test_constants_can_depend_on_the_switch(self):
        site, = (site for site in cpp_sites.sites("constexpr int kMost = 7;") if site["new"] == "8")
        text = sample.with_branches("a.cpp", "// x\nconstexpr int kMost = 7;", [
            site | {"number": 4, "edits": [(start + 5, end + 5, new) for start, end, new in site["edits"]]}])
        self.assertEqual(text.split("\n")[1], "const int kMost = (FATWOOD_LIVE(4) ? 8 : 7);")

    def test_a_program_changes_with_the_number(self):
        program = """// first line
#include <algorithm>
#include <cstdio>
#include <vector>
int f(const std::vector<int>& all) {
  int sum = 0;
  for (const int x : all) {
    if (x > 2 && x != 5) sum += std::min(x, 4);
  }
  return sum;
}
int main() { std::printf("%d", f({1, 2, 3, 5, 9})); }
"""
        sites = [site | {"number": number} for number, site in enumerate(cpp_sites.sites(program), 1)
                 if site["kind"] in ("boundary", "equality", "min and max", "first instead of all")]
        results = {}
        for site in sites:
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "fatwood_mutant.h").write_text(sample.SWITCH)
                (folder / "a.cpp").write_text(sample.with_branches("a.cpp", program, [site]))
                subprocess.run(["c++", "-std=c++20", "-I.", "a.cpp", "-o", "a"], cwd=folder, check=True)
                run = [subprocess.run(["./a"], cwd=folder, capture_output=True, text=True, env={"FATWOOD_MUTANT": number}).stdout
                       for number in ("0", str(site["number"]))]
            self.assertEqual(run[0], "7")
            results[site["kind"], site["new"]] = run[1]
        self.assertEqual(results, {("boundary", "x >= 2"): "9", ("equality", "x == 5"): "4",
                                   ("min and max", "std::max(x, 4)"): "13",
                                   ("first instead of all", "... break after the first"): "0"})


class Python(unittest.TestCase):
    def test_expressions(self):
        sites = found("def f(a, b):\n    if a < 3 and b:\n        g(min(a, b))\n    return a is None\n", py_sites)
        self.assertIn(("boundary", "a < 3", "a <= 3"), sites)
        self.assertIn(("logic", "a < 3 and b", "(a < 3) or (b)"), sites)
        self.assertIn(("negated condition", "a < 3 and b", "not (a < 3 and b)"), sites)
        self.assertIn(("deleted statement", "g(min(a, b))", ""), sites)
        self.assertIn(("equality", "a is None", "a is not None"), sites)


class Sample(unittest.TestCase):
    def test_a_seed_repeats_and_folders_all_have_their_share(self):
        root = HERE.parent.parent
        first, again, other = (sample.draw(root, seed, 120, True) for seed in (3, 3, 4))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(len(first), 120)
        self.assertGreaterEqual({site["folder"] for site in first},
                                {"core", "topology", "traffic", "routing", "verify", "analysis", "sim", "io", "report", "cli",
                                 "c_api", "check", "python"})


if __name__ == "__main__":
    unittest.main()
