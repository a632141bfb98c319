"""Mathematics as text: LaTeX, Unicode over several lines for a terminal, and one plain line.

    >>> from costderive.symbols import p
    >>> latex((5 * p - 2) / (6 * p)), inline((5 * p - 2) / (6 * p))
    ('\\\\frac{5 p - 2}{6 p}', '(5p − 2)/(6p)')
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import Any

import sympy
from sympy import Expr, Symbol
from sympy.printing.latex import LatexPrinter
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.pretty_symbology import pretty_symbol
from sympy.printing.pretty.stringpict import prettyForm, stringPict
from sympy.printing.str import StrPrinter

from costderive.export.layout import (
    Call,
    Choice,
    Definite,
    Fraction,
    Leaf,
    Node,
    Power,
    Product,
    Relation,
    Root,
    Sum,
    layout,
    terms,
)

_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split()
)
_ESCAPES = {c: f"\\{c}" for c in "{}$&#%_"} | {"\\": "\\backslash ", "^": "\\wedge ", "~": "\\sim ", " ": "\\ "}

# Name of a function in LaTeX and in plain text.
_NAMES: dict[type, tuple[str, str]] = {
    sympy.log: (r"\ln", "ln"),
    sympy.asin: (r"\arcsin", "arcsin"),
    sympy.acos: (r"\arccos", "arccos"),
    sympy.atan: (r"\arctan", "arctan"),
    sympy.asinh: (r"\operatorname{arsinh}", "arsinh"),
    sympy.acosh: (r"\operatorname{arcosh}", "arcosh"),
    sympy.atanh: (r"\operatorname{artanh}", "artanh"),
    sympy.sin: (r"\sin", "sin"),
    sympy.cos: (r"\cos", "cos"),
    sympy.tan: (r"\tan", "tan"),
    sympy.sinh: (r"\sinh", "sinh"),
    sympy.cosh: (r"\cosh", "cosh"),
    sympy.tanh: (r"\tanh", "tanh"),
    sympy.erf: (r"\operatorname{erf}", "erf"),
    sympy.erfc: (r"\operatorname{erfc}", "erfc"),
    sympy.gamma: (r"\Gamma", "Γ"),
    sympy.loggamma: (r"\ln\Gamma", "lnΓ"),
    sympy.digamma: (r"\psi", "ψ"),
    sympy.beta: (r"\mathrm{B}", "B"),
    sympy.lowergamma: (r"\gamma", "γ"),
    sympy.uppergamma: (r"\Gamma", "Γ"),
    sympy.betainc: (r"\mathrm{B}", "B"),
    sympy.betainc_regularized: (r"\mathrm{I}", "I"),
    sympy.Min: (r"\min", "min"),
    sympy.Max: (r"\max", "max"),
}
_SIGNS = {"<=": (r"\le", "≤"), ">=": (r"\ge", "≥"), "<": ("<", "<"), ">": (">", ">"), "==": ("=", "="), "!=": (r"\ne", "≠")}


def latex(expr: sympy.Basic) -> str:
    """Return LaTeX for an expression, without delimiters."""
    return _tex(layout(expr))


def unicode(expr: sympy.Basic) -> str:
    """Return an expression in Unicode mathematics, over as many lines as it needs."""
    return str(_picture(layout(expr)).render(wrap_line=False))


def inline(expr: sympy.Basic) -> str:
    """Return an expression as one line of plain text."""
    return _line(layout(expr))


def _call(node: Call) -> tuple[type, tuple[Node, ...], tuple[Node, ...]]:
    """Return the name, subscripts and arguments with which a function is written."""
    args = node.args
    if node.function is sympy.polygamma and args[0] == Leaf(sympy.S.Zero):
        return sympy.digamma, (), args[1:]
    if node.function in (sympy.betainc, sympy.betainc_regularized):
        below = args[3:] if args[2] == Leaf(sympy.S.Zero) else args[2:]
        return node.function, below, args[:2]
    return node.function, (), args


# ---- names


def symbol_tex(name: str) -> str:
    """Return LaTeX for a name: Greek letters, digits as subscripts, longer names in one italic word, all escaped.

    >>> symbol_tex("k2"), symbol_tex("theta_max"), symbol_tex("a$")
    ('k_2', '\\\\theta_{\\\\mathit{max}}', '\\\\mathit{a\\\\$}')
    """
    parts = re.fullmatch(r"([A-Za-z]+)_?([0-9]*|[A-Za-z]+[0-9]*)", name)
    if parts is None:
        return rf"\mathit{{{_escaped(name)}}}"
    head, index = parts.groups()
    return _word(head) + (f"_{_braced(index if index.isdigit() else _word(index))}" if index else "")


def _word(text: str) -> str:
    if text in _GREEK:
        return f"\\{text}"
    return text if len(text) == 1 else rf"\mathit{{{text}}}"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(c, c if c.isascii() and c.isprintable() else "?") for c in text)


def _braced(text: str) -> str:
    return text if len(text) == 1 else f"{{{text}}}"


# ---- LaTeX


class _Latex(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer for what the layout leaves to it; whatever is inside comes back to the layout."""

    def _print_Symbol(self, expr: Symbol, style: str = "plain") -> str:
        return symbol_tex(expr.name)

    def _laid_out(self, expr: Expr, *_: Any) -> str:
        return _tex(layout(expr))

    _print_Add = _print_Mul = _print_Pow = _laid_out

    def _print_And(self, expr: sympy.And) -> str:
        return r" \text{ and } ".join(_tex(layout(arg)) for arg in sympy.utilities.iterables.ordered(expr.args))

    def _print_BooleanTrue(self, expr: sympy.Basic) -> str:
        return r"\text{otherwise}"


_LATEX = _Latex()


def _tex(node: Node) -> str:
    match node:
        case Leaf(expr=sympy.E):
            return r"\mathrm{e}"
        case Leaf(expr=expr):
            return str(_LATEX.doprint(expr))
        case Sum(terms=parts):
            return _signs([(negative, _tex(part)) for negative, part in parts], "-")
        case Product(factors=factors):
            return _tex_product([_tex_in(factor, Sum) for factor in factors])
        case Fraction(top=top, bottom=bottom):
            return rf"\frac{{{_tex(top)}}}{{{_tex(bottom)}}}"
        case Power(base=base, exponent=exponent):
            return f"{_tex_in(base, Sum, Product, Fraction, Power, Root, Call)}^{_braced(_tex_flat(exponent))}"
        case Root(degree=degree, inside=inside):
            return rf"\sqrt{'' if degree == 2 else f'[{degree}]'}{{{_tex(inside)}}}"
        case Call():
            return _tex_call(node)
        case Definite(body=body, variable=variable, low=low, high=high):
            bounds = f"_{_braced(_tex(low))}^{_braced(_tex(high))}"
            return rf"\int{bounds} {_tex_in(body, Sum)} \, d{_tex(variable)}"
        case Choice(rows=rows):
            lines = r" \\ ".join(f"{_tex(value)} & {_condition(condition)}" for value, condition in rows)
            return rf"\begin{{cases}} {lines} \end{{cases}}"
        case Relation(left=left, sign=sign, right=right):
            return f"{_tex(left)} {_SIGNS[sign][0]} {_tex(right)}"


def _condition(node: Node) -> str:
    return _tex(node) if node == Leaf(sympy.true) else rf"\text{{if }} {_tex(node)}"


def _signs(parts: list[tuple[bool, str]], minus: str) -> str:
    """Write terms with their signs between them."""
    first = (minus if parts[0][0] else "") + parts[0][1]
    return first + "".join(f" {minus if negative else '+'} {text}" for negative, text in parts[1:])


def _tex_in(node: Node, *enclosed: type) -> str:
    """Write a node inside another, in parentheses if it is one of those kinds."""
    return tex_parentheses(_tex(node)) if isinstance(node, enclosed) else _tex(node)


def tex_parentheses(text: str) -> str:
    """Put LaTeX in parentheses that are as high as it needs."""
    tall = re.search(r"\\(frac|int|begin)", text)
    return rf"\left({text}\right)" if tall else f"({text})"


def _tex_product(texts: list[str]) -> str:
    """Write factors side by side, with a dot where two numbers would run together."""
    product = texts[0]
    for before, text in zip(texts, texts[1:], strict=False):
        dot = before[-1].isdigit() and re.match(r"[0-9]|\\frac\{[0-9]+\}\{[0-9]+\}", text)
        word = text.startswith(r"\mathit") or re.search(r"\\mathit\{[^{}]*\}$", before)
        product += (r" \cdot " if dot else r" \, " if word else " ") + text
    return product


def _tex_flat(node: Node) -> str:
    """Write an exponent: fractions with a slash."""
    if isinstance(node, Sum):
        return _signs([(negative, _tex_flat(part)) for negative, part in node.terms], "-")
    if isinstance(node, Fraction):
        return f"{_tex_in(node.top, Sum)}/{_tex_in(node.bottom, Sum, Product, Fraction)}"
    return _tex(node)


def _tex_call(node: Call) -> str:
    function, below, args = _call(node)
    if function not in _NAMES:
        name = rf"\operatorname{{{_escaped(function.__name__)}}}"
    else:
        name = _NAMES[function][0]
    index = f"_{_braced(', '.join(map(_tex, below)))}" if below else ""
    inner = ", ".join(map(_tex, args))
    bare = not node.closed and isinstance(args[0], Leaf | Root)
    return name + index + (f" {inner}" if bare and not inner.startswith("\\") else inner if bare else tex_parentheses(inner))


# ---- one line of plain text


class _Text(StrPrinter):  # type: ignore[misc]
    """SymPy's printer for what the layout leaves to it."""

    def _print_Symbol(self, expr: Symbol) -> str:
        return str(pretty_symbol(expr.name))

    def _print_Infinity(self, expr: Expr) -> str:
        return "∞"

    def _print_Pi(self, expr: Expr) -> str:
        return "π"

    def _print_Exp1(self, expr: Expr) -> str:
        return "e"

    def _print_BooleanTrue(self, expr: sympy.Basic) -> str:
        return "otherwise"

    def _print_And(self, expr: sympy.And) -> str:
        return " and ".join(_line(layout(arg)) for arg in sympy.utilities.iterables.ordered(expr.args))


_TEXT = _Text()
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ROOT_SIGNS = {2: "√", 3: "∛", 4: "∜"}


def _line(node: Node) -> str:
    match node:
        case Leaf(expr=expr):
            return str(_TEXT.doprint(expr))
        case Sum(terms=parts):
            return _signs([(negative, _line(part)) for negative, part in parts], "−")
        case Product(factors=factors):
            if isinstance(factors[0], Fraction):
                return _line(_one_bar(factors[0], factors[1:]))
            return _line_product([_line_in(factor, Sum, Fraction, Definite) for factor in factors])
        case Fraction(top=top, bottom=bottom):
            return f"{_line_in(_shut(top), Sum, Definite)}/{_line_in(bottom, Sum, Product, Fraction, Definite)}"
        case Power(base=base, exponent=exponent):
            return _line_in(base, Sum, Product, Fraction, Power, Root, Call) + _line_exponent(exponent)
        case Root(degree=degree, inside=inside):
            return _line_root(degree, inside)
        case Call():
            function, below, args = _call(node)
            name = _NAMES[function][1] if function in _NAMES else function.__name__
            inner = ", ".join(map(_line, args))
            bare = not node.closed and isinstance(args[0], Leaf | Root)
            index = f"[{', '.join(map(_line, below))}]" if below else ""
            return f"{name}{index} {inner}" if bare else f"{name}{index}({inner})"
        case Definite(body=body, variable=variable, low=low, high=high):
            return f"∫[{_line(low)}, {_line(high)}] {_line_in(body, Sum)} d{_line(variable)}"
        case Choice(rows=rows):
            return "; ".join(f"{_line(x)} {'' if c == Leaf(sympy.true) else 'if '}{_line(c)}" for x, c in rows)
        case Relation(left=left, sign=sign, right=right):
            return f"{_line(left)} {_SIGNS[sign][1]} {_line(right)}"


def _line_in(node: Node, *enclosed: type) -> str:
    return f"({_line(node)})" if isinstance(node, enclosed) else _line(node)


def _one_bar(first: Fraction, rest: tuple[Node, ...]) -> Node:
    """Put the factors beside a fraction above its bar: a slash needs no room."""
    above = rest if first.top == Leaf(sympy.S.One) else (first.top, *rest)
    return Fraction(above[0] if len(above) == 1 else Product(above), first.bottom)


def _shut(node: Node) -> Node:
    """Close a function that a slash follows: ln(p)/p."""
    match node:
        case Call():
            return replace(node, closed=True)
        case Product(factors=factors):
            return Product((*factors[:-1], _shut(factors[-1])))
    return node


def _line_exponent(node: Node) -> str:
    text = _line(node)
    if text.isdigit():
        return text.translate(_RAISED)
    return f"^{text}" if isinstance(node, Leaf) and len(text) == 1 else f"^({text})"


def _line_root(degree: int, inside: Node) -> str:
    closed = _line_in(inside, Sum, Product, Fraction, Power, Root, Call, Definite)
    return _ROOT_SIGNS[degree] + closed if degree in _ROOT_SIGNS else f"{closed}^(1/{degree})"


def _line_product(texts: list[str]) -> str:
    """Write factors side by side; a dot or a space parts those that would run together."""
    product = texts[0]
    for before, text in zip(texts, texts[1:], strict=False):
        product += _between(before, text) + text
    return product


def _between(before: str, text: str) -> str:
    if before[-1].isdigit() and text[0].isdigit():
        return "·"
    words = _letters(before[::-1]) > 1 or _letters(text) > 1
    return " " if words and before[-1] != ")" and text[0] not in "(√∛∜" else ""


def _letters(text: str) -> int:
    """Return how many letters a text starts with."""
    return len(list(takewhile(str.isalpha, text)))


# ---- several lines


class _Pretty(PrettyPrinter):  # type: ignore[misc]
    """SymPy's printer for what the layout leaves to it; whatever is inside comes back to the layout."""

    def __init__(self) -> None:
        super().__init__({"use_unicode": True, "wrap_line": False})

    def _laid_out(self, expr: Expr, *_: Any) -> prettyForm:
        return _picture(layout(expr))

    _print_Add = _print_Mul = _print_Pow = _print_Function = _laid_out


def _picture(node: Node) -> prettyForm:
    match node:
        case Leaf(expr=expr):
            return _Pretty()._print(expr)
        case Sum(terms=parts):
            return _beside(*_picture_signs(parts))
        case Product(factors=factors):
            pictures = [_picture_in(factor, Sum) for factor in factors]
            return _beside(pictures[0], *[x for picture in pictures[1:] for x in (_gap(), picture)])
        case Fraction(top=top, bottom=bottom):
            return _picture(top) / _picture(bottom)
        case Power(base=base, exponent=exponent):
            return _raised_picture(_picture_in(base, Sum, Product, Fraction, Power, Root, Call), _picture(exponent))
        case Root(degree=degree, inside=inside):
            return _picture_root(degree, _picture(inside))
        case Call():
            return _picture_call(node)
        case Definite(body=body, variable=variable, low=low, high=high):
            return _picture_integral(_picture_in(body, Sum), variable, _picture(low), _picture(high))
        case Choice(rows=rows):
            lines = [_beside(_picture(x), prettyForm("  "), _picture_condition(c)) for x, c in rows]
            return prettyForm(*prettyForm(*stringPict.stack(*lines)).parens("{", ""))
        case Relation(left=left, sign=sign, right=right):
            return _beside(_picture(left), prettyForm(f" {_SIGNS[sign][1]} "), _picture(right))


def _beside(*pictures: prettyForm) -> prettyForm:
    return prettyForm(*stringPict.next(*pictures))


def _gap() -> prettyForm:
    return prettyForm("⋅")


def _picture_signs(parts: tuple[tuple[bool, Node], ...]) -> list[prettyForm]:
    row = []
    for index, (negative, part) in enumerate(parts):
        sign = "-" if negative else "+"
        row.append(prettyForm(f" {sign} " if index else sign if negative else ""))
        row.append(_picture(part))
    return row


def _picture_in(node: Node, *enclosed: type) -> prettyForm:
    picture = _picture(node)
    return prettyForm(*picture.parens()) if isinstance(node, enclosed) else picture


def _raised_picture(base: prettyForm, exponent: prettyForm) -> prettyForm:
    """Put an exponent above and to the right of its base."""
    top = prettyForm(*exponent.left(" " * base.width()))
    bottom = prettyForm(*base.right(" " * exponent.width()))
    return prettyForm(*bottom.above(top))


def _picture_root(degree: int, inside: prettyForm) -> prettyForm:
    """Draw a root: in one line if it can be, else with a bar above and a slope before."""
    if inside.height() == 1 and degree in _ROOT_SIGNS:
        closed = inside if inside.width() == 1 else prettyForm(*inside.parens())
        return prettyForm(*closed.left(_ROOT_SIGNS[degree]))
    height = inside.height()
    slope = "\n".join(" " * (height - 1 - i) + "╱" + " " * i for i in range(height - 1))
    corner = "╲╱" + " " * (height - 2)
    sign = prettyForm("\n".join([*slope.split("\n"), corner]), baseline=inside.baseline)
    barred = prettyForm(*inside.above(prettyForm("_" * inside.width())))
    root = prettyForm(*barred.left(sign))
    return root if degree == 2 else prettyForm(*root.left(prettyForm(str(degree))))


def _picture_call(node: Call) -> prettyForm:
    function, below, args = _call(node)
    name = _NAMES[function][1] if function in _NAMES else function.__name__
    index = f"[{', '.join(map(_line, below))}]" if below else ""
    row = [_picture(args[0])] + [x for arg in args[1:] for x in (prettyForm(", "), _picture(arg))]
    return _beside(prettyForm(name + index), prettyForm(*_beside(*row).parens()))


def _picture_integral(body: prettyForm, variable: Node, low: prettyForm, high: prettyForm) -> prettyForm:
    height = max(body.height(), 2)
    sign = prettyForm("⌠\n" + "⎮\n" * (height - 2) + "⌡", baseline=body.baseline if body.height() > 1 else 0)
    sign = prettyForm(*prettyForm(*sign.above(high)).below(low))
    return _beside(sign, prettyForm(" "), body, prettyForm(" d"), _picture(variable))


def _picture_condition(node: Node) -> prettyForm:
    return prettyForm("otherwise") if node == Leaf(sympy.true) else _beside(prettyForm("if "), _picture(node))


# ---- how wide, and where to break


def width(expr: Expr) -> float:
    """Return about how wide the LaTeX of an expression is in display style, in digits."""
    return _width(layout(expr))


def _width(node: Node) -> float:
    match node:
        case Leaf(expr=expr):
            return _leaf_width(expr)
        case Sum(terms=parts):
            return sum(_width(part) + 2.3 for _, part in parts) - (0 if parts[0][0] else 2.3)
        case Product(factors=factors):
            return sum(_width(factor) + (1.6 if isinstance(factor, Sum) else 0.2) for factor in factors)
        case Fraction(top=top, bottom=bottom):
            return max(_width(top), _width(bottom)) + 0.5
        case Power(base=base, exponent=exponent):
            return _width(base) + 0.75 * _width(exponent) + (0 if isinstance(base, Leaf) else 1.6)
        case Root(inside=inside):
            return _width(inside) + 1.7
        case Call(function=function, args=args):
            name = _NAMES[function][1] if function in _NAMES else function.__name__
            return len(name) + sum(_width(arg) + 1 for arg in args) + 1
        case Definite(body=body):
            return _width(body) + 5
        case Choice(rows=rows):
            return max(_width(x) + _width(c) for x, c in rows) + 5
        case Relation(left=left, right=right):
            return _width(left) + _width(right) + 2.5


def _leaf_width(expr: sympy.Basic) -> float:
    text = str(_TEXT.doprint(expr))
    return 1.1 * len(text)


def broken(expr: Expr, limit: float) -> list[str]:
    """Return the LaTeX of an expression in lines that are at most about ``limit`` digits wide.

    A sum breaks before its signs; a fraction whose numerator is too long becomes a factor before a bracket.
    """
    if width(expr) <= limit:
        return [latex(expr)]
    if isinstance(expr, sympy.Add):
        return _packed([(bool(term.as_coeff_Mul()[0].is_negative), term) for term in terms(expr)], limit)
    long = max((x for x in sympy.Mul.make_args(expr) if isinstance(x, sympy.Add)), key=width, default=None)
    if long is None or long == expr:
        return [latex(expr)]
    rest = sympy.Mul(*[x for x in sympy.Mul.make_args(expr) if x != long])
    lines = broken(long, limit - width(rest) - 3)
    return [rf"{latex(rest)} \Bigl({lines[0]}", *lines[1:-1], rf"{lines[-1]}\Bigr)"]


def _packed(signed: list[tuple[bool, Expr]], limit: float) -> list[str]:
    lines, room = [""], limit
    for negative, term in signed:
        size = abs(term) if term.is_number else (-term if negative else term)
        text, wide = latex(size), width(size) + 2.3
        if wide > room and lines[-1]:
            lines.append("{}")
            room = limit
        sign = "-" if negative else "+"
        lines[-1] += (f" {sign} " if lines[-1] else sign if negative else "") + text
        room -= wide
    return lines
