# SPDX-License-Identifier: BSD-3-Clause
"""Runs a notebook as Jupyter would, without Jupyter: its cells one after the other in one namespace.

    notebook.py [--write] FILE...    runs them; --write puts what they show into the files

What the last line of a cell gives is shown: as HTML where it has some, else as text.
"""

import ast
import contextlib
import io
import json
import sys


def run_cell(source, names, where):
    """What the cell prints and shows, as a notebook keeps it."""
    code = ast.parse(source, where)
    last = code.body.pop() if code.body and isinstance(code.body[-1], ast.Expr) else None
    printed = io.StringIO()
    shown = None
    with contextlib.redirect_stdout(printed):
        exec(compile(code, where, "exec"), names)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), where, "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if shown is not None:
        data = {"text/plain": repr(shown).splitlines(True)}
        if hasattr(shown, "_repr_html_"):
            data["text/html"] = shown._repr_html_().splitlines(True)
        outputs.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return outputs


def run(path):
    """The notebook with what its cells show now."""
    with open(path) as file:
        book = json.load(file)
    names = {"__name__": "__main__"}
    number = 0
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        cell["execution_count"] = number
        cell["outputs"] = run_cell("".join(cell["source"]), names, f"{path}, cell {number}")
    return book


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if name == "--write":
            continue
        done = run(name)
        if "--write" in sys.argv:
            with open(name, "w") as out:
                json.dump(done, out, indent=1)
                out.write("\n")
