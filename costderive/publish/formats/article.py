"""A derivation as a LaTeX article: conventions, theorems with proofs, and what was checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from costderive.core.errors import ExportError
from costderive.derivation.certificates.document import Certified
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.proof.claims import Report
from costderive.publish.formats.typeset import (
    array,
    cases,
    continues,
    display,
    goes_on,
    is_equation,
    slashed,
    stop,
    with_whole_arguments,
)
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.notation import tex
from costderive.publish.words import preliminary, sources
from costderive.publish.words.document_blocks import (
    Block,
    Cases,
    Cite,
    Code,
    Display,
    Front,
    Heading,
    Maths,
    Paragraph,
    Proof,
    Prose,
    Ref,
    Run,
    Source,
    Story,
    Table,
    Theorem,
    aligned,
    before_appendix,
    plain,
    signed,
)
from costderive.publish.words.paper import story

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{array,longtable}
\usepackage[margin=25mm]{geometry}
\usepackage[hidelinks]{hyperref}
\newtheorem{theorem}{Theorem}
\newtheorem{corollary}[theorem]{Corollary}
\theoremstyle{remark}
\newtheorem{remark}[theorem]{Remark}
\hyphenation{theorem corollary}
\allowdisplaybreaks
\raggedbottom
\emergencystretch=2em
\setlength{\LTpre}{\bigskipamount}
\setlength{\LTpost}{\medskipamount}
\AtBeginDocument{\abovedisplayshortskip=.5\abovedisplayskip}% between displays that follow each other
\clubpenalty=10000
\widowpenalty=10000
\displaywidowpenalty=10000 % no line alone above a display
\relpenalty=2000
\binoppenalty=3000
\tolerance=1000 % looser lines rather than breaks in formulas
\renewcommand{\qed}{\ifmmode\mathqed\else\leavevmode\unskip\nobreak\quad\hfill\hbox{\qedsymbol}\fi}
\makeatletter
\def\raised\newpage\null\vskip 2em{\newpage\null\vskip-1em}% the title
\let\asinclass\@maketitle
\def\@maketitle{\expandafter\raised\asinclass}
\newcommand{\room}[1]{\par\penalty0 \dimen@=\pagegoal \advance\dimen@-\pagetotal
  \ifdim\dimen@<#1\baselineskip\ifdim\dimen@>0pt \vfil\fi\break\fi}
\let\heading\section
\renewcommand{\section}{\room{4}\heading}% no heading with a line or two at the foot of a page
\newbox\statement
\newif\ifproofnext
\newenvironment{unbroken}% a statement that is no longer than half a page stays on one
  {\par\if@nobreak\else\addvspace{\topsep}\fi\setbox\statement=\vbox\bgroup\@nobreaktrue}
  {\par\unskip\egroup\edef\height{\the\ht\statement}%
  \ifdim\height>\ifdim\spare<-1pt 0pt\else.5\textheight\fi\unvbox\else\box\fi\statement
  \ifproofnext\ifdim\height<.2\textheight\nobreak\@nobreaktrue\fi\fi\addvspace{\topsep}}
\newenvironment{unbroken*}% and a short one on that where its proof starts
  {\proofnexttrue\unbroken}{\endunbroken}
\newdimen\spare % of the pages before, in the next run, for what stands alone on a last page: up to 16mm,
\newdimen\spared % then -16mm, which lets statements break too, and about 0 if that does not do
\AtBeginDocument{\spared=\ifdim\spare<0pt -\fi\spare
  \ifdim\spared>1pt \advance\topmargin-.5\spared \advance\textheight\spared
  \@colht\textheight \@colroom\textheight \vsize\textheight\fi}
\AtEndDocument{\par\count@=\c@page \dimen@=\pagetotal
  \ifdim\dimen@>\textheight \advance\dimen@-\textheight \else\advance\count@-1 \fi
  \ifnum\count@>0\ifdim\dimen@<.27\textheight
    \ifdim\spare<0pt \spare=-1sp \else\ifdim\spare=16mm \spare=-16mm
      \else\advance\spare\dimexpr(\dimen@+2\baselineskip)/\count@\relax\ifdim\spare>16mm \spare=16mm \fi\fi\fi
  \fi\fi\immediate\write\@auxout{\global\spare=\the\spare\relax}}
\newcommand{\balanced}[1]{\setbox0\hbox{#1}% a title of several lines in lines of one length
  \ifdim\wd0<.95\textwidth #1\else
    \ifdim\wd0<1.7\textwidth \dimen@=.56\wd0 \count@=5 \else \dimen@=.39\wd0 \count@=7 \fi
    \setbox2\hbox{\parbox{\dimen@}{\centering #1}}% a long word may have broken off one more line
    \ifdim\dimexpr\ht2+\dp2\relax>\dimexpr\baselineskip*\count@/2\relax \dimen@=1.15\dimen@ \fi
    \parbox{\dimen@}{\centering #1}\fi}
\AtBeginDocument{\let\plaintitle\@title \def\@title{\balanced{\plaintitle}}}
\makeatother
"""

_NEEDS = r"""% Needs \usepackage{amsmath,amssymb,amsthm} and, in the preamble of your document, environments named as by
% \newtheorem{theorem}{Theorem}
% \newtheorem{corollary}[theorem]{Corollary}
% \newtheorem{remark}[theorem]{Remark}
% Its sources have addresses, which need \usepackage{url}
"""

NO_FRONT = Front()
AND = r" \and "

# Without BibTeX the entries below are printed. When BibTeX has been run, its file of entries takes their place.
_BIBLIOGRAPHY = r"""\bibliographystyle{plain}
\IfFileExists{\jobname.bbl}{\bibliography{NAME}}{% until BibTeX has been run, these entries stand in
\immediate\write\csname @auxout\endcsname{\string\bibdata{NAME}}%
"""

_ESCAPES = {c: f"\\{c}" for c in "{}$&#%_"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "−": r"\ensuremath{-}",
    "á": r"\'a",
    "é": r"\'e",
    "è": r"\`e",
}


def latex(
    derivation: Certified,
    report: Report | None = None,
    *,
    fragment: bool = False,
    bibliography: str = "",
    self_contained: bool = False,
    front: Front = NO_FRONT,
    figure: str = "",
    made_of: CostsOfParts | None = None,
) -> str:
    """Return a LaTeX article on a derivation; with ``fragment`` only its setting, theorems and proofs.

    Without a report the derivation is checked first. An article whose claims are not all proved says so under
    its title, in the headings of its theorems and in its appendix. What holds for all costs is cited from the
    ``preliminaries``, unless an article is ``self_contained``; a fragment is. ``front`` has what its author
    puts before it: title, authors, abstract and more; ``figure`` names a picture to show. ``bibliography`` names a
    file (without its ``.bib``) that holds what ``bibtex`` returns: the article then takes its references from there
    once BibTeX has been run, and until then, or without a name, prints them itself. A fragment starts with a
    comment that says what it needs; it cites by the keys of ``bibtex``. ``made_of`` has the parts that the costs were
    written in, for the section on the cost context.

    Raises:
        ExportError: if two parameters are written the same, a name is no plain file name, or ``made_of`` has parts of
            other costs.

    >>> import costderive
    >>> article = latex(costderive.derive(costderive.Additive()))
    >>> article.splitlines()[0]
    '\\\\documentclass[11pt,a4paper]{article}'
    """
    for name in (bibliography, figure):
        if not re.fullmatch(r"[\w.-]*", name, re.ASCII):
            what = "bibliography" if name is bibliography else "figure"
            problem = f"{name!r} cannot name a {what}"
            raise ExportError(problem, "Use letters, digits, dots, hyphens and underscores.")
    whole = self_contained or fragment
    paper = signed(story(derivation, report, self_contained=whole, made_of=made_of), front)
    return "\n".join(_fragment(paper) if fragment else _article(paper, bibliography, figure)) + "\n"


def preliminaries() -> str:
    """Return the LaTeX article that others cite: costs, scoring rules, and what holds whatever the law of the costs."""
    return "\n".join(_article(preliminary.story(), "", "")) + "\n"


def bibtex(
    derivation: Certified,
    report: Report | None = None,
    *,
    fragment: bool = False,
    self_contained: bool = False,
) -> str:
    """Return the sources that the article on a derivation cites, as the text of a ``.bib`` file."""
    return sources.bibtex(story(derivation, report, self_contained=self_contained or fragment).sources)


def bibliography_entries(derivation: Certified, report: Report, *, self_contained: bool = False) -> str:
    """Return what BibTeX would make of the sources of an article: the text of its ``.bbl`` file."""
    return _entries(story(derivation, report, self_contained=self_contained).sources) + "\n"


def _article(paper: Story, bibliography: str, figure: str) -> Iterator[str]:
    main = before_appendix(paper.blocks)
    yield _PREAMBLE + (_GRAPHICS if figure else "") + _metadata(paper)
    yield rf"\title{{{_text(paper.title)}}}"
    yield rf"\author{{{AND.join(map(escaped, paper.authors or (paper.by,)))}}}"
    yield rf"\date{{{escaped(paper.by) if paper.authors else ''}}}"
    yield "\\begin{document}\n\\maketitle"
    yield f"\\begin{{abstract}}\n{_text(paper.abstract)}\n\\end{{abstract}}"
    yield from _classified(paper)
    yield _WRITER.blocks(main)
    if figure:
        yield _FIGURE.replace("NAME", figure)
    yield _bibliography(paper.sources, bibliography)
    if len(paper.blocks) > len(main):
        yield "\\appendix\n\\footnotesize"
        yield replace(_WRITER, size="footnotesize").blocks(paper.blocks[len(main) :])
    yield r"\end{document}"


_GRAPHICS = "\\usepackage{graphicx}\n"
_FIGURE = r"""
\begin{figure}[ht]
\centering
\includegraphics[width=\linewidth]{NAME}
\caption{The costs, and the threshold weight, the losses and the entropy that follow from them.}
\end{figure}
"""


def _metadata(paper: Story) -> str:
    """Say in the PDF what its title, authors, keywords and subjects are."""
    written = {
        "pdftitle": re.sub("[–−]", "-", plain(paper.title)),  # TeX would write two hyphens, or mathematics
        "pdfauthor": ", ".join(paper.authors) or paper.by,
        "pdfkeywords": ", ".join(paper.keywords),
        "pdfsubject": f"MSC 2020: {', '.join(paper.msc)}" if paper.msc else "",
    }
    fields = ",\n".join(f"  {name}={{{escaped(text)}}}" for name, text in written.items() if text)
    return f"\\hypersetup{{\n{fields}\n}}\n"


def _classified(paper: Story) -> Iterator[str]:
    """Yield keywords and codes of subjects, if there are some."""
    for name, values in (("Keywords", paper.keywords), ("MSC 2020", paper.msc)):
        if values:
            yield rf"\noindent\textbf{{{name}:}} {escaped(', '.join(values))}." + "\n"


def _fragment(paper: Story) -> Iterator[str]:
    """Yield notation, setting, theorems and proofs, without sections."""
    yield f"% {escaped(paper.by)}"
    yield _NEEDS + f"% Cites {', '.join(source.key for source in paper.sources)}."
    yield _Writer().blocks(
        tuple(block for block in before_appendix(paper.blocks) if not isinstance(block, Heading))
    )


def _bibliography(cited: tuple[Source, ...], name: str) -> str:
    own = _entries(cited)
    return f"{_BIBLIOGRAPHY.replace('NAME', name)}{own}\n}}" if name else own


def _entries(cited: tuple[Source, ...]) -> str:
    entries = [
        f"\\bibitem{{{x.key}}} {escaped(sources.authors(x))} ({x.year}). {escaped(x.title)}. {_venue(x)}.{_address(x)}"
        for x in cited
    ]
    return "\n".join([r"\begin{thebibliography}{9}", _LOOK_OF_ENTRIES, *entries, r"\end{thebibliography}"])


_LOOK_OF_ENTRIES = r"\footnotesize\raggedright\setlength{\itemsep}{2pt plus 1pt}"


def _address(source: Source) -> str:
    return rf" \url{{{source.url}}}" if source.url else ""


def _venue(source: Source) -> str:
    name, rest = map(escaped, sources.venue(source))
    return rf"\emph{{{name}}}{rest}" if name else rest


# ---- text


def escaped(text: str) -> str:
    """Return plain text as LaTeX that prints it; a character that fonts lack is written as its code point.

    >>> escaped("50% of $a_1")
    '50\\\\% of \\\\$a\\\\_1'
    """
    apart = re.split("(?<=-)(?=-)", text)  # two hyphens would be a dash
    return "{}".join("".join(map(_escaped, part)) for part in apart)


def _escaped(c: str) -> str:
    plain = c.isascii() and (c.isprintable() or c == "\n")
    return _ESCAPES.get(c, c if plain else f"[U+{ord(c):04X}]")


def _text(text: Prose) -> str:
    written = "".join(_run(run) for run in text).replace(r"}, \cite{", ",")
    tied = re.sub(r"(?<= and) (?=\\\([0-9]\\\)|[0-9]([,.;:]|$))", "~", written)  # no line starts with "1,"
    tied = re.sub(r"(Theorem|Corollary) (?=\\ref)", r"\1~", tied)
    tied = re.sub(r" (?=\([0-9]+\)(;|$))", "~", tied)  # a number alone on the last line of a cell
    return re.sub(r"(?<=\\\))-(?=\w{1,6}\b)", r"\\nobreakdash-", tied)  # after a longer end a line may break


def _run(run: Run) -> str:
    match run:
        case Maths(formula=formula):
            return rf"\({tex(with_whole_arguments(slashed(formula)))}\)"
        case Cite(key=key, place=place):
            return rf"\cite[{_tied(place)}]{{{key}}}" if place else rf"\cite{{{key}}}"
        case Ref(label=label):
            return rf"\eqref{{{label}}}" if is_equation(run) else rf"\ref{{{label}}}"
        case Code(text=text):
            return rf"\texttt{{{_breakable(text)}}}"
    return _breakable(run)


def _tied(place: str) -> str:
    """Escape a place in a source, and keep each of its numbers on the line of the word before.

    >>> _tied("Theorem 3")
    'Theorem~3'
    """
    return re.sub(r" (?=[(\d])", "~", escaped(place))


def _breakable(text: str) -> str:
    """Escape a text whose long names and hashes may be broken."""
    hashed = re.sub(r"[0-9a-f]{8}(?=[0-9a-f]{8})", r"\g<0>\\allowbreak{}", escaped(text))
    return re.sub(r"(?<=[a-z]{2})\\_(?=[a-z0-9]{2})", r"\\_\\allowbreak{}", hashed)


# ---- blocks


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes blocks; ``kept`` statements stay on one page, which takes what the preamble of an article defines.

    ``size`` is that of long tables.
    """

    kept: bool = False
    size: str = "small"

    def blocks(self, blocks: tuple[Block, ...]) -> str:
        """Write blocks one below the other; what follows a display continues its paragraph."""
        blocks = aligned(blocks)
        texts = []
        for before, block, following in zip((None, *blocks), blocks, (*blocks[1:], None), strict=False):
            if before is not None and not continues(before, block):
                texts.append("")
            texts.append(self._block(block, following) + _KEPT * _introduces(block, following))
        return "\n".join(texts)

    def _block(self, block: Block, following: Block | None) -> str:
        mark = stop(following)
        match block:
            case Heading(text=text, label=label):
                return rf"\section{{{_text(text)}}}" + _label(label)
            case Paragraph(text=text, lead=lead):
                run_in = rf"{_APART}\textbf{{{escaped(lead)}}} " if lead else ""
                return run_in + _text(text)
            case Display():
                shown = _displayed(display(block, mark), block.label)
                tied = self.kept and goes_on(following) and not _names_a_case(following)
                return f"{_UNENDED}\n{shown}}}%" if tied else shown
            case Cases():
                return _unnumbered(cases(block, mark))
            case Table(wide=wide):
                return _long(block, self.size) if wide else _unnumbered(array(block))
            case Theorem():
                return self._theorem(block, proved=isinstance(following, Proof))
            case Proof(blocks=blocks, remark=remark):
                name = f"[Proof ({escaped(remark)})]" if remark else ""
                beside = _with_end(self.blocks(blocks)).removeprefix(_APART)  # the word "Proof"
                return f"\\begin{{proof}}{name}\n{beside}\n\\end{{proof}}"

    def _theorem(self, block: Theorem, *, proved: bool) -> str:
        title = "; ".join(filter(None, (block.title, block.remark)))
        kind = block.kind.lower()
        head = rf"\begin{{{kind}}}[{escaped(title)}]{_label(block.label)}"
        text = f"{head}\n{self.blocks(block.statement)}\n\\end{{{kind}}}"
        kept = self.kept and not any(isinstance(part, Table) and part.wide for part in block.statement)
        whole = "unbroken*" if proved else "unbroken"
        return f"\\begin{{{whole}}}\n{text}\n\\end{{{whole}}}" if kept else text


_WRITER = _Writer(kept=True)
_UNENDED = r"{\postdisplaypenalty=10000"  # of a display in the middle of a sentence
_APART = r"\medskip\noindent"
_KEPT = r"\nopagebreak"  # with what follows


def _introduces(block: Block, following: Block | None) -> bool:
    """Return whether a paragraph leads to cases, the first of which starts a paragraph of its own."""
    opens = isinstance(block, Paragraph) and not block.apart
    return opens and isinstance(following, Paragraph) and following.apart


def _names_a_case(block: Block | None) -> bool:
    """Return whether a paragraph says where other formulas hold than those before it, at which a page may break."""
    return isinstance(block, Paragraph) and block.text[:1] == ("where ",) and block.text[-1:] == (",",)


def _with_end(proof: str) -> str:
    """Put the mark that ends a proof beside a display that ends it, so that it does not stand alone.

    Beside a table it stands by the last row.
    """
    if not proof.endswith(END):
        return proof
    if proof.endswith(f"\\end{{array}}{END}"):
        before, array, rows = proof.rpartition(r"\begin{array}")
        proof = f"{before}{array}[b]{rows}"
    return f"{proof.removesuffix(END)}\\qedhere{END}"


def _label(label: str) -> str:
    return rf"\label{{{label}}}" if label else ""


END = "\n\\]"  # of a display


def _displayed(formula: Row, label: str) -> str:
    numbered = f"\\begin{{equation}}{_label(label)}\n{tex(formula)}\n\\end{{equation}}"
    return numbered if label else _unnumbered(formula)


def _unnumbered(formula: Row) -> str:
    return f"\\[\n{tex(formula)}{END}"


_SHARES = {2: ("0.36", "0.58"), 3: ("0.175", "0.5", "0.245")}  # of the line, if all columns are wide


def _long(table: Table, size: str) -> str:
    """A table over several pages, whose wide columns hold text that breaks."""
    head, *rows = [" & ".join(_text(cell) for cell in row) for row in (table.head, *table.rows)]
    all_wide = len(table.wide) == len(table.head)
    shares = _SHARES[len(table.wide)] if all_wide else ("0.32", "0.48")
    widths = dict(zip(table.wide, shares, strict=False))
    spec = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{widths[i]}\linewidth}}" if i in widths else "l"
        for i in range(len(table.head))
    )
    gap = "\\noalign{\\vskip 2pt}"  # a space after \\\\ would go into the last line of the tallest cell
    body = f" \\\\ {gap}\n".join(rows)
    return (
        f"\\begin{{{size}}}\n\\begin{{longtable}}{{{spec}}}\n{head} \\\\ "
        f"\\hline {gap}\n\\endhead\n{body}\n\\end{{longtable}}\n\\end{{{size}}}"
    )
