"""How often the small local model makes the right calls of the example tools.

Each question of ``questions.json`` is asked in a new conversation. It is right if the calls the
model makes, over at most three rounds, are the expected ones, each once and no other: the same
tools, with arguments that the tools take and that mean the same (numbers by value, units and
files by what they name). Where none is expected, none may be made.

``python -m benchmarks.questions`` prints the answers, and writes ``questions-results.json``.
"""

import json
import sys
import tempfile
from pathlib import Path

from pydantic import ValidationError

from toolreg.examples import _unit, registry
from toolreg.local import CONFIDENCE, LocalModel

HERE = Path(__file__).parent
ROUNDS = 3
REQUIRED = 0.7
FILES = {
    "notes.txt": "Call the bank on Monday.\nBuy milk, bread and apples.\n",
    "todo.md": "- wash the car\n- book the train\n",
    "report.csv": "month,visits\nJanuary,120\nFebruary,95\n",
    "archive/2025.txt": "Last year's notes.\n",
}


def lay_out(folder):
    """Write the files that the questions speak of."""
    for name, text in FILES.items():
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text)


def meaning(call):
    """Return what a call means, equal for all its spellings; None if its arguments are refused."""
    name, arguments = call["name"], call["arguments"]
    try:
        values = registry[name].model.model_validate(arguments).model_dump()
    except (KeyError, ValidationError):
        return None
    for key in ("from_unit", "to_unit"):
        if key in values:
            values[key] = _unit(values[key]).name
    if name == "open_file":
        values = {"file": (Path(values["subfolder"]) / values["file"]).as_posix()}
    if name == "list_files":
        values = {"subfolder": Path(values["subfolder"]).as_posix()}
    return name, tuple(sorted(values.items()))


def is_right(made, expected):
    """Tell whether the calls made are the expected ones, each in one of its spellings."""
    left = [
        {meaning(spelling) for spelling in (call, *call.get("alternatives", ()))}
        for call in expected
    ]
    for call in made:
        match = next((spellings for spellings in left if meaning(call) in spellings), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def ask(model, question, folder):
    """Return the calls a model makes for a question, round by round."""
    model.reset()
    reply = model.ask(question)
    rounds = []
    while reply.calls and len(rounds) < ROUNDS:
        results = registry.execute_all(reply.calls, context={"folder": folder})
        rounds.append(
            [
                {"name": call.name, "arguments": call.arguments, "output": result.output}
                for call, result in zip(reply.calls, results, strict=True)
            ]
        )
        reply = model.answer(results)
    return rounds


def measure(folder):
    """Ask all questions, and return a record of each."""
    model = LocalModel(registry.specs())
    records = []
    for question in json.loads((HERE / "questions.json").read_text()):
        rounds = ask(model, question["question"], folder)
        made = [call for calls in rounds for call in calls]
        right = is_right(made, question["calls"])
        records.append({"id": question["id"], "right": right, "rounds": rounds})
        print(
            "right" if right else "WRONG", question["id"], question["question"].partition("\n")[0]
        )
        for call in made:
            print(
                "         ", call["name"], json.dumps(call["arguments"]), "->", call["output"][:60]
            )
    return records


def main():
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        records = measure(Path(folder))
    right = sum(record["right"] for record in records)
    share = right / len(records)
    results = {
        "right": right,
        "of": len(records),
        "share": share,
        "confidence": CONFIDENCE,
        "answers": records,
    }
    text = json.dumps(results, indent=1, ensure_ascii=False)
    (HERE / "questions-results.json").write_text(f"{text}\n")
    print(f"{right} of {len(records)} right: {share:.1%}, {REQUIRED:.0%} are required")
    return share < REQUIRED


if __name__ == "__main__":
    sys.exit(main())
