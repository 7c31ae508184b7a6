# SPDX-License-Identifier: BSD-3-Clause
"""Places in Python text where a mutant can be put, from the syntax tree; the same form as cpp_sites.sites()."""
import ast

COMPARISONS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
               ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}


def sites(text):
    tree, found = ast.parse(text), []
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()

    def where(node):  # the tree counts bytes; sources are ASCII where it matters
        return (len(data[:starts[node.lineno - 1] + node.col_offset].decode()),
                len(data[:starts[node.end_lineno - 1] + node.end_col_offset].decode()))

    def add(kind, node, new, edit=None):
        start, end = where(node)
        old = text[start:end]
        found.append({"kind": kind, "start": start, "end": end, "old": old, "new": new,
                      "edits": [(start, end, edit or f"(({new}) if LIVE else ({old}))")]})

    def source(node):
        start, end = where(node)
        return text[start:end]

    for node in ast.walk(tree):
        if isinstance(node, (ast.JoinedStr, ast.FormattedValue)):
            for inner in ast.walk(node):
                inner.inside_text = True
    for node in ast.walk(tree):
        if getattr(node, "inside_text", False):
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
            kind = "boundary" if isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) else "equality"
            add(kind, node, f"{source(node.left)} {COMPARISONS[type(node.ops[0])]} {source(node.comparators[0])}")
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            add("logic", node, word.join(f"({source(value)})" for value in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            add("constant", node, str(not node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            add("off by one", node, str(node.value + 1))
        elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
            add("negated condition", node.test, f"not ({source(node.test)})")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            add("min and max", node.func, "max" if node.func.id == "min" else "min")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            add("deleted statement", node, "", f"(None if LIVE else ({source(node)}))")
        elif isinstance(node, ast.AugAssign):
            add("accumulate", node.value, f"({source(node.value)}) + 1")
    return found
