"""Rules are derived, proved and written where NumPy cannot be imported and no process forked, as in a browser."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HERE = """
import json, sys
import costderive as cd
from costderive.core.errors import CostDeriveError
from costderive.programs.program import formulas

def program(rule, language):
    try:
        return formulas(rule, language)
    except CostDeriveError as problem:
        return str(problem)
"""
BARE = """
import signal, sys
for name in ("numpy", "resource", "_multiprocessing", "fcntl"):
    sys.modules[name] = None
for name in ("setitimer", "alarm"):
    delattr(signal, name)
"""
CONTEXTS = {
    "additive": "cd.Additive(budget=2)",
    "inverse score": "cd.IndependentUniform(c0=(0, 1), c1=(0, 1))",
    "words": "cd.Independent(fp='5 to 20', fn='mean 100, sd 40')",
    "joint": "cd.Joint('2', 'c0 + c1 <= 1')",
    "disc": "cd.Joint('1/pi', '(c0 - 2)^2 + (c1 - 2)^2 <= 1')",
    "parabola": "cd.Joint('3/16', ['c1 >= c0^2', 'c1 <= 4'])",
    "curve": "cd.Curve(c0='x', c1='1 - x', density=cd.Density('6*x*(1 - x)', (0, 1)))",
}
DERIVED = """
derivation = cd.derive({context})
report = cd.check(derivation)
print(json.dumps([
    str(report), [finding.verdict.name for finding in report.findings], cd.export.latex(derivation, report),
    cd.export.markdown(derivation, report), cd.export.html(derivation, report),
    *(program(derivation.rule, language) for language in ("javascript", "python", "c")),
]))
"""
REFUSED = """
for context in ("Independent(c0=cd.Density('2*x - 1/2', (0, 1)), c1=1)", "Curve(c0='x - 1/2', c1='1', density='1')",
                "Additive(budget=2, density='2')", "Additive(budget=-1)", "Joint('4*c0 - 1', ((0, 1), (0, 1)))",
                "Joint('3*c0', 'c0 + c1 <= 1')", "Joint('1', '(c0 - 2)^2 + (c1 - 2)^2 <= 1')",
                "Joint('c0 - 3/2', '(c0 - 2)^2 + (c1 - 2)^2 <= 1')", "Joint('1', '(c0 - 2)^2 + c1^2 <= -1')",
                "Joint('exp(-c0 - c1)/2', 'c0 >= c1')"):
    try:
        eval("cd." + context)
    except CostDeriveError as problem:
        print(problem)
print(cd.check(cd.derive(cd.Additive(budget=2), threshold=cd.FixedThreshold("1/2"))))
print(cd.examine("p", "1 - p"))
"""


def said(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("context", CONTEXTS.values(), ids=CONTEXTS)
def test_a_context_is_derived_and_written_the_same_without_numpy(context: str) -> None:
    program = HERE + DERIVED.format(context=context)
    bare, full = (json.loads(said(first + program)) for first in (BARE, ""))
    assert bare == full
    assert bare[0].startswith("PROVED") and set(bare[1]) == {"PROVED"}


def test_what_is_refused_is_refused_the_same_without_numpy() -> None:
    bare, full = (said(first + HERE + REFUSED) for first in (BARE, ""))
    assert bare == full
    assert bare.count("\n") > 8
