# SPDX-License-Identifier: BSD-3-Clause
"""Places in C++ text where a mutant can be put, found with a tokenizer and the spacing of clang-format.

A mutant is a list of edits (start, end, text) of one file. LIVE(n) in a text stands for "mutant n is chosen".
Candidates that do not compile (constant expressions, unusual types) are dropped by the build.
"""
import re

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^(]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
  | (?P<number>\.?\d(?:[\w.']|(?<=[eEpP])[+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><=>|->\*|\.\.\.|<<=|>>=|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|[^\s\w])
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

PAIRS = {"(": ")", "[": "]", "{": "}"}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
# What ends an operand of a comparison, and of && or ||, on either side.
ENDS = {",", ";", "?", ":", "return", "co_return", "throw", "case", "else", "do", *ASSIGNMENTS}
KEYWORDS = {"return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "using",
            "namespace", "template", "typename", "class", "struct", "enum", "static", "const", "constexpr", "inline",
            "auto", "public", "private", "protected", "friend", "operator", "new", "delete", "throw", "goto", "try",
            "catch", "static_assert", "extern", "virtual", "explicit", "requires", "concept", "thread_local"}


class Token:
    __slots__ = ("kind", "text", "start", "end", "mate")

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end, self.mate = kind, text, start, start + len(text), None


def tokens_of(text):
    tokens = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "mark" else "string"
        if kind != "space":
            tokens.append(Token(kind, match.group(), match.start()))
    opened = []
    for number, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in PAIRS:
            opened.append(number)
        elif token.text in PAIRS.values():
            if not opened or PAIRS[tokens[opened[-1]].text] != token.text:
                return []  # macros that open and do not close: leave the file alone
            token.mate = opened.pop()
            tokens[token.mate].mate = number
    return tokens if not opened else []


class Finder:
    def __init__(self, text):
        self.text, self.tokens, self.found = text, tokens_of(text), []

    def spaced(self, i):
        """Binary operators have a space on both sides; angle brackets, references and pointers do not."""
        token = self.tokens[i]
        return self.text[token.start - 1].isspace() and self.text[token.end].isspace()

    def span(self, i, ends):
        """Token numbers [first, last] of the operands around operator i."""
        first = i
        while first > 0:
            token = self.tokens[first - 1]
            if token.text in (")", "]", "}") and token.kind == "sign":
                if token.text == "}" and self.tokens[token.mate - 1].text in (")", ";", "{", "}", "else", "const"):
                    break  # the end of a block, not of a braced value
                if token.text == ")" and self.tokens[token.mate - 1].text in ("if", "while", "for", "switch"):
                    break
                first = token.mate
            elif token.text in PAIRS or token.text in ends and token.kind != "string":
                break
            else:
                first -= 1
        last = i
        while last + 1 < len(self.tokens):
            token = self.tokens[last + 1]
            if token.text in PAIRS and token.kind == "sign":
                last = token.mate
            elif token.text in (")", "]", "}") or token.text in ends and token.kind != "string":
                break
            else:
                last += 1
        return first, last

    def add(self, kind, first, last, new, edits=()):
        start, end = self.tokens[first].start, self.tokens[last].end
        old = self.text[start:end]
        if "#" in old or "[[" in old:
            return
        self.found.append({"kind": kind, "start": start, "end": end, "old": old, "new": new,
                           "edits": list(edits) or [(start, end, f"(LIVE ? ({new}) : ({old}))")]})

    def swapped(self, first, last, i, sign):
        token = self.tokens[i]
        return self.text[self.tokens[first].start:token.start] + sign + self.text[token.end:self.tokens[last].end]

    def operators(self):
        for i, token in enumerate(self.tokens):
            if token.kind != "sign" or i == 0 or i + 1 == len(self.tokens) or not self.spaced(i):
                continue
            before = self.tokens[i - 1].text
            if before == "operator":
                continue
            if token.text in COMPARISONS:
                first, last = self.span(i, ENDS | {"&&", "||", *COMPARISONS, "<=>"})
                if first < i < last:
                    kind = "equality" if token.text in ("==", "!=") else "boundary"
                    self.add(kind, first, last, self.swapped(first, last, i, COMPARISONS[token.text]))
            elif token.text in ("&&", "||"):
                ends = ENDS | ({"||"} if token.text == "&&" else set())
                first, last = self.span(i, ends)
                if first < i < last:
                    self.add("logic", first, last, self.swapped(first, last, i, "||" if token.text == "&&" else "&&"))
            elif token.text in ("+=", "-=", "|=", "*="):
                first, last = self.left_side(i - 1), self.span(i, {",", ";"})[1]
                if first is not None and last > i:
                    sign = "=" if token.text != "-=" else "+="
                    self.add("accumulate", first, last, self.swapped(first, last, i, sign))

    def left_side(self, i):
        """The first token of the expression a.b[c]->d that ends with token i."""
        while i >= 0:
            token = self.tokens[i]
            if token.text in ("]", ")"):
                i = token.mate - 1
                if self.tokens[i].kind != "name" and self.tokens[i].text not in ("]", ")"):
                    return None
            elif token.kind == "name" and token.text not in KEYWORDS:
                if self.tokens[i - 1].text not in (".", "->", "::"):
                    return i - 1 if self.tokens[i - 1].text == "*" and self.tokens[i - 2].text in (";", "{", "}", ")") else i
                i -= 2
            else:
                return None
        return None

    def literals(self):
        for i, token in enumerate(self.tokens):
            if token.text in ("true", "false") and token.kind == "name":
                self.literal(i, "false" if token.text == "true" else "true", "constant")
            if token.kind != "number" or self.tokens[i - 1].text == "case":
                continue
            match = re.fullmatch(r"(\d+)([uUlLzZ]*)", token.text)
            if match:
                value = int(match[1])
                self.literal(i, f"{value + 1}{match[2]}", "off by one")
                if value > 0:
                    self.literal(i, f"{value - 1}{match[2]}", "off by one")
            elif re.fullmatch(r"\d+\.\d*", token.text):
                self.literal(i, f"(2 * {token.text})" if float(token.text) else "1.0", "constant")

    def literal(self, i, new, kind):
        """In a constexpr variable the word constexpr becomes const, so that the value can depend on the switch."""
        token, first = self.tokens[i], i
        while first > 0 and self.tokens[first - 1].text not in (";", "{", "}"):
            first -= 1
        words = [word.text for word in self.tokens[first:i]]
        edits = [(token.start, token.end, f"(LIVE ? {new} : {token.text})")]
        if "static_assert" in words or "enum" in words or "template" in words:
            return
        if "constexpr" in words:
            if "=" not in words or "(" in words[:words.index("=")]:
                return
            at = self.tokens[first + words.index("constexpr")]
            edits.append((at.start, at.end, "const"))
        self.add(kind, i, i, new, edits)

    def calls(self):
        for i, token in enumerate(self.tokens[:-4]):
            if token.text == "std" and self.tokens[i + 1].text == "::" and self.tokens[i + 2].text in ("min", "max"):
                name, at = self.tokens[i + 2], i + 3
                if self.tokens[at].text == "<":
                    while self.tokens[at].text != ">":
                        at += 1
                    at += 1
                if self.tokens[at].text == "(":
                    last = self.tokens[at].mate
                    self.add("min and max", i, last, self.swapped(i, last, i + 2, "max" if name.text == "min" else "min"))

    def conditions(self):
        for i, token in enumerate(self.tokens[:-2]):
            if token.text in ("if", "while") and token.kind == "name" and self.tokens[i + 1].text == "(":
                first, last, at = i + 2, self.tokens[i + 1].mate - 1, i + 2
                while at <= last:
                    if self.tokens[at].text == ";":
                        first = at + 1
                    at = self.tokens[at].mate + 1 if self.tokens[at].text in PAIRS else at + 1
                inside = self.text[self.tokens[first].start:self.tokens[last].end] if first <= last else ""
                if inside and not re.search(r"[^=!<>]=[^=]", re.sub(r"\[[^]]*\]", "", inside)):
                    edit = (self.tokens[first].start, self.tokens[last].end, f"LIVE != static_cast<bool>({inside})")
                    self.add("negated condition", first, last, f"!({inside})", [edit])

    def loops(self):
        for i, token in enumerate(self.tokens[:-2]):
            if token.text in ("for", "while") and token.kind == "name" and self.tokens[i + 1].text == "(":
                body = self.tokens[i + 1].mate + 1
                if self.tokens[body].text == "{":
                    close = self.tokens[self.tokens[body].mate].start
                    edit = (close, close, " if (LIVE) break; ")
                    self.add("first instead of all", i, body - 1, "... break after the first", [edit])

    def statements(self):
        for i, token in enumerate(self.tokens):
            if i == 0 or not (self.tokens[i - 1].text in (";", "{", "}", "else") or self.after_condition(i - 1)):
                continue
            last = i
            while last < len(self.tokens) and self.tokens[last].text != ";":
                if self.tokens[last].text == "}":
                    break
                last = self.tokens[last].mate + 1 if self.tokens[last].text in PAIRS else last + 1
            if last >= len(self.tokens) or self.tokens[last].text != ";" or not self.is_expression(i, last):
                continue
            old = self.text[token.start:self.tokens[last].end]
            edit = (token.start, self.tokens[last].end, f"{{ if (!(LIVE)) {{ {old} }} }}")
            self.add("deleted statement", i, last, "", [edit])

    def after_condition(self, i):
        token = self.tokens[i]
        return token.text == ")" and token.mate > 0 and self.tokens[token.mate - 1].text in ("if", "for", "while")

    def is_expression(self, i, last):
        """Whether tokens i to last - 1 are a call, an assignment, ++ or --, continue or break; not a declaration."""
        if self.tokens[i].text in ("continue", "break") and last == i + 1:
            return True
        if self.tokens[i].text in ("++", "--", "*"):
            i += 1
        name = False
        while i < last:
            token = self.tokens[i]
            if token.kind == "name":
                if name or token.text in KEYWORDS:
                    return False
                name = True
            elif token.text in (".", "->", "::"):
                name = False
            elif token.text in ("(", "["):
                i = token.mate
            elif token.text in ASSIGNMENTS or token.text in ("++", "--"):
                return True
            else:
                return False
            i += 1
        return self.tokens[last - 1].text in (")", "]") or self.tokens[last - 1].kind == "name" and last - i > 1


def sites(text):
    finder = Finder(text)
    if finder.tokens:
        for find in (finder.operators, finder.literals, finder.calls, finder.conditions, finder.loops, finder.statements):
            find()
    return finder.found
