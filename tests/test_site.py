"""The site runs its examples, leads nowhere in vain, and says of every public object what that says of itself."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from html import unescape
from pathlib import Path

import pytest

import costderive as cd
from costderive import cli, site
from costderive.cli import main
from costderive.cli.arguments import joined
from costderive.core.errors import ExportError
from costderive.core.expressions.law_names import LAWS
from costderive.site import entries, explorer, incremental, ledger, listings, markdown, notebooks, reference
from costderive.site.examples import runners
from costderive.site.frame import NAVIGATION, Page, document
from costderive.site.links import dangling

ROOT = Path(__file__).parents[1]
PAGES = Path(site.__file__).parent / "pages"


# ---- the decision guide


def answers() -> dict[str, list[tuple[str, str]]]:
    """Return the sections of the guide that say what is known, each with its examples: language and text."""
    sections = re.split(r"^## (.*)$", (PAGES / "choose.md").read_text(encoding="utf-8"), flags=re.M)
    found = {
        title: re.findall(r"```(\w+)\n(.*?)```", body, flags=re.S)
        for title, body in zip(sections[1::2], sections[2::2], strict=True)
    }
    others = {"If none of this fits", "What stays out of reach"}
    return {title: examples for title, examples in found.items() if title not in others}


@pytest.mark.parametrize("title", answers())
def test_an_answer_ends_with_a_command_and_a_line_of_python_that_derive_the_same(
    title: str, tmp_path: Path
) -> None:
    examples = answers()[title]
    assert [language for language, _ in examples[-2:]] == ["sh", "python"]
    with runners(main) as run:
        for language, text in examples[:-2]:
            run[language](text)
        names: dict[str, object] = {"cd": cd}
        exec(examples[-1][1], names)
        certificate = tmp_path / "certificate.json"
        command = [*shlex.split(examples[-2][1])[1:], "--json", str(certificate)]
        assert main(command) == 0
    assert cd.Derivation.from_json(certificate.read_text(encoding="utf-8")) == names["derivation"]


def test_the_guide_leads_to_each_answer() -> None:
    text = (PAGES / "choose.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) == {markdown.slug(title) for title in answers()}


def test_the_guide_lists_each_law_with_its_parameters() -> None:
    text = (PAGES / "choose.md").read_text(encoding="utf-8").partition("## Laws that have names")[2]
    listed = {
        found
        for row in re.findall(r"^\| (`.*?) \|", text, flags=re.M)
        for found in re.findall(r"`(.*?)`", row)
    }
    assert {f"{name}({parameters})" for name, parameters in LAWS.items()} <= listed


# ---- pages in Markdown


def test_an_example_is_followed_by_what_it_prints() -> None:
    text = (
        "```python\nx = 2\n```\n\n```python\nprint(x + 1, '<')\n```\n\n```python shown only\nprint(x)\n```\n"
    )
    with runners(main) as run:
        found = markdown.html(text, run)
    assert found.count('<pre class="code python"') == 3
    assert re.findall(r'<pre class="output"[^>]*>(.*?)</pre>', found) == ["3 &lt;"]


def test_commands_of_an_example_are_run_in_one_folder_that_is_gone_afterwards() -> None:
    before = Path.cwd()
    with runners(main) as run:
        folder = Path.cwd()
        assert run["sh"]("costderive derive additive \\\n  --json brier.json") != ""
        assert (folder / "brier.json").is_file()
        assert "PROVED" in run["sh"]("costderive check brier.json")
    assert Path.cwd() == before and not folder.exists()


def test_every_command_on_a_page_can_be_read() -> None:
    """Whether it then works is seen when the site is built, which takes minutes."""
    for source in PAGES.iterdir():
        for block in re.findall(
            r"```sh(?: quiet)?\n(.*?)```", source.read_text(encoding="utf-8"), flags=re.S
        ):
            for line in block.replace("\\\n", " ").splitlines():
                try:
                    cli._parsed(joined(shlex.split(line)[1:]))
                except SystemExit:
                    pytest.fail(f"{source.name}: {line}")


def test_a_site_with_a_failing_example_is_not_built(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        runners(main) as run,
        pytest.raises(ExportError, match="an example failed: costderive derive nonsense"),
    ):
        markdown.html("```sh\ncostderive derive nonsense\n```", run)
    with runners(main) as run, pytest.raises(ExportError, match="an example is not run: ls"):
        markdown.html("```sh\nls\n```", run)
    with runners(main) as run, pytest.raises(ZeroDivisionError):
        markdown.html("```python\n1 / 0\n```", run)
    assert "nonsense" in capsys.readouterr().err


def test_a_quiet_example_is_run_and_what_it_prints_is_not_shown() -> None:
    with runners(main) as run:
        found = markdown.html("```python quiet\nx = 2\nprint(x)\n```\n\n```python\nprint(x + 1)\n```\n", run)
    assert re.findall(r'<pre class="output"[^>]*>(.*?)</pre>', found) == ["3"]


def test_html_in_a_page_is_text_and_mathematics_is_mathml() -> None:
    found = markdown.html("# A $b < c$\n\n<script>x</script> and $d < e$\n\n$$ f > g $$\n")
    assert "<script>" not in found and "&lt;script&gt;" in found
    assert '<math alttext="d &lt; e"><mi>d</mi><mo>&lt;</mo><mi>e</mi></math>' in found
    assert '<math display="block" alttext="f &gt; g">' in found


def test_a_formula_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ExportError, match=r"the formula 'a \\\\foo' cannot be read from"):
        markdown.html(r"So $a \foo$.")


def test_cells_of_a_table_have_no_styles_of_their_own_and_no_empty_head() -> None:
    found = markdown.html("|  | n |\n| --- | ---: |\n| a | 1 |\n")
    assert "style=" not in found
    assert re.findall(r"<(t[dh])\b([^>]*)>", found) == [
        ("td", ""), ("th", ' class="right"'), ("td", ""), ("td", ' class="right"'),
    ]  # fmt: skip


def test_the_page_on_citing_names_this_version() -> None:
    assert f"version = {{{cd.__version__}}}" in (PAGES / "cite.md").read_text(encoding="utf-8")


def test_what_archives_read_names_this_version_and_its_date() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    cited = dict(re.findall(r"^([a-z-]+): (.+)$", citation, flags=re.M))
    deposit = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{cd.__version__}] - {cited['date-released']}\n" in changes
    assert cited["version"] == deposit["version"] == cd.__version__
    assert deposit["publication_date"] == cited["date-released"]
    assert cited["title"].strip('"') == deposit["title"]
    assert all(f"  - {word}\n" in citation for word in deposit["keywords"])
    named = re.findall(r"^    (?:doi|url): (.+)$", citation, flags=re.M)
    related = [
        one["identifier"].replace("arXiv:", "https://arxiv.org/abs/")
        for one in deposit["related_identifiers"]
    ]
    assert related == named


def test_a_listing_keeps_its_text_whatever_colours_it_gets() -> None:
    for language, source in (
        ("python", "\nx = 'a < b'\n\tif None:  # &amp;"),
        ("sh", 'costderive derive \\\n  --fp "1 to 3"'),
        ("pycon", ">>> 1 < 2\nTrue"),
        ("sql", "SELECT 1 -- <script>"),
        ("no language", "<b>"),
    ):
        shown = listings.coloured(source, language)
        assert unescape(re.sub(r'</?span( class="[a-z]+")?>', "", shown)) == source


# ---- links


def test_a_link_that_leads_nowhere_is_found() -> None:
    files = {
        "a.html": b'<a href="b/c.html#there"></a><a href="#here" id="here"></a><img src="b/d.svg">',
        "b/c.html": b'<p id="there"><a href="../a.html"></a><a href="../a.html#k=1&amp;m=2"></a>',
        "b/d.svg": b"",
    }
    assert list(dangling(files)) == []
    files["b/c.html"] += b'<a href="../b.html"></a><a href="../a.html#gone"></a><script src="x.js"></script>'
    assert list(dangling(files)) == ["b/c.html: ../b.html", "b/c.html: ../a.html#gone", "b/c.html: x.js"]


def test_a_page_marks_where_it_is_and_asks_for_nothing_from_outside() -> None:
    text = document(Page("gallery/x/index.html", "X < Y", "<p>body</p>"))
    assert "<title>X &lt; Y · costderive</title>" in text
    assert 'href="../../gallery/index.html" aria-current="true"' in text
    assert '<a href="../../tutorial.html">' in text
    assert text.count("aria-current") == 1
    assert re.findall(r'(?:src|href)="(?:https?:|//|/)', text) == []
    assert 'href="./tutorial.html" aria-current="page"' in document(Page("tutorial.html", "T", ""))


# ---- gallery, reference, claims


def test_an_entry_has_its_theorems_its_files_and_its_proof(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "derivations" / "additive", tmp_path / "additive")
    files = entries.files(tmp_path)
    page = files["gallery/additive/index.html"].decode()
    assert '<span class="badge">Coq: from costs to rule</span>' in files["gallery/index.html"].decode()
    assert (
        '<math display="block" alttext="L_0(p) = p^2">' in page
        and "<summary>SQL: losses.sql</summary>" in page
    )
    assert "<b>Theorem 1</b>" in page and "<b>Proof" not in page
    assert re.findall(r'<a href="(proof\.html#[\w:]+)">', page)
    assert files["gallery/additive/certificate.json"] == (tmp_path / "additive/certificate.json").read_bytes()
    linked = set(re.findall(r'<li><a href="([\w.]+)">', page))
    assert {f"gallery/additive/{name}" for name in linked} | {"gallery/additive/index.html"} == {
        path for path in files if path.startswith("gallery/additive/")
    }
    others = {link.split(": ")[1].split("../")[-1] for link in dangling(files)}
    assert others == {path for path in _everywhere() if not path.startswith("gallery/")}


def _everywhere() -> set[str]:
    """Return what every page leads to."""
    linked = {path for links in NAVIGATION.values() for path, _ in links}
    return linked | {"index.html", "assets/search.js", "assets/style.css"}


def test_the_navigation_leads_to_every_written_page() -> None:
    assert {source.with_suffix(".html").name for source in PAGES.iterdir()} <= _everywhere()


def test_a_page_says_what_coq_is_given_of_an_entry(tmp_path: Path) -> None:
    found = {}
    for name in (
        "boosting-exponential",
        "inverse-score-three-classes",
        "fixed-threshold",
        "ordinal-with-reject",
    ):
        shutil.copytree(ROOT / "derivations" / name, tmp_path / name)
        page = entries.files(tmp_path / name)[f"gallery/{name}/index.html"].decode()
        facts = re.search("<dt>Coq</dt><dd>(.*?)</dd>", page)
        assert facts is not None
        found[name] = re.sub("<[^>]*>", "", facts[1])
    assert found == {
        "boosting-exponential": "proof.v proves that the rule is proper, strictly so where it says, the expected loss"
        " as an integral over the scores, and the losses as expected costs under the law of the costs. It leaves out:"
        " total.",
        "inverse-score-three-classes": "proof.v proves that the rule is proper, strictly so where it says, the losses"
        " as expected costs under the law of the costs, and as such with the decision inside of the integrals over all"
        " costs.",
        "fixed-threshold": "proof.v proves that the rule is not proper, the losses as expected costs under the law of"
        " the costs, and the total of that law.",
        "ordinal-with-reject": "proof.v proves that the rule is proper, the losses as costs of the act that is taken,"
        " the forecasts at which each act costs least, and that it is not strictly proper.",
    }


def test_every_theorem_for_coq_has_words() -> None:
    """But for those that name their parts, and that only put others together."""
    proofs = (file.read_text(encoding="utf-8") for file in (ROOT / "derivations").glob("*/proof.v"))
    names = {
        re.sub("[0-9]", "", name) for text in proofs for name in re.findall(r"^Theorem (\w+)", text, re.M)
    }
    of_the_law = {"lawful_costs", "law_is_proper", "law_is_strictly_proper", "law_is_proper_with_ends"}
    of_acts = {"act_is_the_cheapest", "entropy_is_concave", "taken"}
    of_classes = {"lawful", "costs_are_proper"}
    of_prices = {"prices", "mean_is", "lawful_threshold"}
    others = {"better_report", "strictly_proper_with_ends", *of_the_law, *of_acts, *of_classes, *of_prices}
    assert names == others | set(entries.THEOREMS)


def test_a_notebook_is_a_page_with_what_its_cells_say_and_draw() -> None:
    found = notebooks.files(ROOT / "notebooks")
    listed = re.findall(r'<li><a href="(\w+)\.html">', found["notebooks/index.html"].decode())
    assert sorted(listed) == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert listed[0] == "start_here"
    page = found["notebooks/linear_scoring_rules.html"].decode()
    assert ">Linear scoring rules and the AUC</h1>" in page
    assert '<pre class="output" tabindex="0">221 patients held out, 60 of class 1</pre>' in page
    pictures = re.findall(r'<img class="figure" src="([\w-]+\.png)" alt="([^"]+)">', page)
    assert [alt.split(":")[0] for _, alt in pictures] == [f"Figure {k}" for k in (1, 2, 3, 4)]
    assert all(found[f"notebooks/{name}"].startswith(b"\x89PNG") for name, _ in pictures)
    others = {link.split(": ")[1] for link in dangling(found) if link.startswith("notebooks/linear")}
    assert all(link.startswith("../") and not link.startswith("../notebooks") for link in others)


def test_every_public_object_has_its_place_in_the_reference() -> None:
    files = reference.files()
    top = files["reference/index.html"].decode()
    for name in cd.__all__:
        value = getattr(cd, name)
        shown = f'href="{name}.html"' if f"reference/{name}.html" in files else f'id="{name}"'
        assert shown in top, name
        for inner in getattr(value, "__all__", ()):
            if callable(getattr(value, inner)):
                assert f'id="{inner}"' in files[f"reference/{name}.html"].decode(), (name, inner)


def test_examples_of_a_docstring_are_listings_and_its_errors_a_list() -> None:
    page = reference.files()["reference/numeric.html"].decode()
    assert "<strong>Example:</strong>" in page
    assert "&gt;&gt;&gt; brier = compile(derive(Additive(budget=2)))" in re.sub("</?span[^>]*>", "", page)
    assert re.search(
        r"<li><code>CompileTimeError</code>: if that takes longer than <code>time_limit</code>.</li>", page
    )


def test_a_claim_is_shown_with_what_decides_it() -> None:
    chosen = [
        claim for claim in cd.claims.list() if claim.id in ("ahmadian-theorem-5-pbs", "flach-theorem-1")
    ]
    page = ledger.page(map(cd.claims.decide, chosen)).body
    assert "2 claims: 1 confirmed, 1 corrected (1 mathematical error)." in page
    assert '<details class="claim" id="ahmadian-theorem-5-pbs">' in page
    assert '<span class="badge corrected">corrected</span>' in page
    assert "under the belief q = 1/3, the report p = 1/2 is better than the truth" in page
    assert (
        "<q>PBS and PLL are strictly proper scoring rules.</q>" in page
        and "<code>d227fefac13a…</code>" in page
    )


def test_a_folder_that_is_no_gallery_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["site", str(tmp_path / "site"), "--gallery", str(tmp_path)]) == 2
    assert "there is no spec.toml" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


# ---- builds one after the other


def test_what_is_made_from_the_same_files_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COSTDERIVE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("costderive.core.user_cache.WORTH", -1.0)
    (tmp_path / "cache").mkdir()
    first, second, calls = tmp_path / "first.md", tmp_path / "second.md", []

    def build(part: str = "part") -> str:
        return incremental.made(part, [first, second], lambda: calls.append(part) or first.read_text())

    for name, text in ((first, "1"), (first, "1"), (second, "2"), (second, "2"), (first, "2"), (second, "1")):
        second.touch()
        name.write_text(text)
        assert build() == first.read_text()
    assert len(calls) == 4
    assert build("another part") == "2"
    assert len(calls) == 5


def test_rules_of_the_explorer_that_are_in_the_gallery_are_read_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = cd.FixedCosts("a", "d")
    for known in (context, cd.FixedCosts(1, 2)):
        folder = tmp_path / f"known-{len(known.parameters)}"
        folder.mkdir()
        costs = f'kind = "fixed"\nc0 = "{known.c0}"\nc1 = "{known.c1}"\n'
        (folder / "spec.toml").write_text(f'title = "Known costs"\n[context]\n{costs}', encoding="utf-8")
        (folder / "certificate.json").write_text(cd.derive(known).to_json(), encoding="utf-8")
    monkeypatch.setattr(explorer, "contexts", lambda: {"known": context})
    derived = explorer.models()
    monkeypatch.setattr(explorer, "derive", lambda _: pytest.fail("derived again"))
    monkeypatch.setattr(explorer, "made", lambda _, inputs, make: f"{len(inputs)} inputs: {make()}")
    found = explorer.files(tmp_path)["assets/models.js"].decode()
    assert found == f"2 inputs: {derived}"
