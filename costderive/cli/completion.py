"""costderive completion: the shell completes commands and options, as the parser has them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from costderive.cli.arguments import KINDS, command

WITH_KINDS = ("derive", "plot")  # commands whose argument may be a kind of context
_BASH = """\
_costderive() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words
    if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"; else
        case "${{COMP_WORDS[1]}} $before" in
{values}
        *) case "$word,${{COMP_WORDS[1]}}" in
{options}
            esac;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _costderive costderive
"""


def add(commands: Any) -> None:
    """Add the command."""
    purpose = "print what makes a shell complete commands and options"
    parser = command(
        commands, "completion", lambda arguments: _print(arguments.shell, commands.choices), purpose
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell that reads it")
    parser.epilog = 'Example: eval "$(costderive completion bash)", or costderive completion fish | source'


def _print(shell: str, parsers: Mapping[str, argparse.ArgumentParser]) -> int:
    if shell == "fish":
        print("\n".join(_fish(parsers)))
    else:
        zsh = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
        print(zsh + _bash(parsers), end="")
    return 0


def _options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Yield the long options of a command."""
    for action in parser._actions:
        yield from ((option, action) for option in action.option_strings if option.startswith("--"))


def _choices(action: argparse.Action) -> str:
    return " ".join(map(str, action.choices or ()))


def _kinds() -> str:
    return KINDS.replace(",", "")


def _bash(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    chosen = [
        (f'"{name} {option}"', _choices(action))
        for name, parser in parsers.items()
        for option, action in _options(parser)
        if action.choices
    ]
    kinds = [(f'"{name} --context"', _kinds()) for name, parser in parsers.items() if _has_context(parser)]
    kinds += [(f'"{name} {name}"', _kinds()) for name in WITH_KINDS]
    options = [
        (f"--*,{name}", " ".join(option for option, _ in _options(parser)))
        for name, parser in parsers.items()
    ]
    shells = [('"completion completion"', "bash zsh fish")]
    return _BASH.format(
        commands=" ".join(parsers),
        values="\n".join(f'        {case}) words="{words}";;' for case, words in [*chosen, *kinds, *shells]),
        options="\n".join(f'            {case}) words="{words}";;' for case, words in options),
    )


def _has_context(parser: argparse.ArgumentParser) -> bool:
    return any(option == "--context" for option, _ in _options(parser))


def _fish(parsers: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    for name, parser in parsers.items():
        first = "complete -c costderive -n __fish_use_subcommand -f"
        yield f"{first} -a {name} -d {_quoted(parser.description or '')}"
        within = f"complete -c costderive -n '__fish_seen_subcommand_from {name}'"
        for option, action in _options(parser):
            words = _choices(action) or (_kinds() if option == "--context" else "")
            value = f" -x -a '{words}'" if words else " -r" if action.nargs != 0 else ""
            yield f"{within} -l {option.removeprefix('--')}{value} -d {_quoted(action.help or '')}"
        if name in WITH_KINDS:
            yield f"{within} -a '{_kinds()}'"
    yield "complete -c costderive -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'"


def _quoted(text: str) -> str:
    return "'" + text.split(":", maxsplit=1)[0].replace("\\", "\\\\").replace("'", "\\'") + "'"
