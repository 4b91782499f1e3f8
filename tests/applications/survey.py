#!/usr/bin/env python3
"""Designs and proves public applications, and prints docs/APPLICATIONS.md's table.

    tests/applications/survey.py target/release/helenus FOLDER [NAME ...]

FOLDER has a file NAME.sql for each application: the `pg_dump -s -O -x` of its own migrations, then
its own sqlc query files. A statement that is refused is left out, with its reason, and the others
are designed and proven again, until none is refused. SURVEY_SECONDS limits a run; SURVEY_KEEP names
a folder for the models without the refused statements and for the last output of each.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile
import time

SECONDS = int(os.environ.get("SURVEY_SECONDS", "300"))
KEEP = os.environ.get("SURVEY_KEEP")
NAME = re.compile(r"^--\s*name:\s*(\w+)\s+(:\w+)", re.MULTILINE)
ERROR = re.compile(r"^error\[(MF\d+)\]: (.*)\n\s*--> .*?:(\d+):(\d+)", re.MULTILINE)
WRITE = re.compile(r"^\s*(insert|update|delete)\b", re.IGNORECASE | re.MULTILINE)


def split(text):
    """The schema, and the named statements."""
    places = [match.start() for match in NAME.finditer(text)]
    if not places:
        return text, []
    ends = places[1:] + [len(text)]
    return text[: places[0]], [text[start:end] for start, end in zip(places, ends)]


def run(program, text, folder, name):
    path = os.path.join(folder, name + ".sql")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    begun = time.monotonic()
    try:
        done = subprocess.run(
            [program, "design", path],
            # The verdict in one line.
            env={**os.environ, "COLUMNS": "100000"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, "", time.monotonic() - begun
    return done.returncode, done.stdout + done.stderr, time.monotonic() - begun


def keep(name, model, output):
    os.makedirs(KEEP, exist_ok=True)
    for ending, text in ((".sql", model), (".out", output)):
        with open(os.path.join(KEEP, name + ending), "w", encoding="utf-8") as file:
            file.write(text)


def survey(program, path):
    name = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding="utf-8") as file:
        schema, statements = split(file.read())
    all_writes = sum(1 for statement in statements if WRITE.search(statement))
    total = len(statements)
    refused = []
    last = ""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(40):
            code, output, seconds = run(program, schema + "".join(statements), folder, name)
            errors = ERROR.findall(output)
            if code is None or not errors:
                break
            lines = (schema + "".join(statements)).split("\n")
            gone = {}
            for rule, message, line, _ in errors:
                before = "\n".join(lines[: int(line)])
                at = len(NAME.findall(before)) - 1
                if at >= 0 and at not in gone and rule != "MF005":
                    gone[at] = (rule, message)
            if not gone:
                last = "; ".join(f"{rule} {message}" for rule, message, _, _ in errors[:3])
                break
            for at in sorted(gone, reverse=True):
                statement = statements.pop(at)
                refused.append((NAME.search(statement).group(1), *gone[at]))
    if KEEP:
        keep(name, schema + "".join(statements), output)
    ended = [line for line in output.split("\n") if line.startswith(("proof:", "error"))]
    verdict = ended[-1] if ended else f"no end in {SECONDS} s"
    verdict = last or verdict.removeprefix("proof: ")
    tables = len(re.findall(r"^CREATE TABLE", schema, re.MULTILINE))
    writes = sum(1 for statement in statements if WRITE.search(statement))
    return {
        "name": name,
        "tables": tables,
        "queries": total - all_writes,
        "writes": all_writes,
        "left": (len(statements) - writes, writes),
        "refused": refused,
        "verdict": verdict,
        "code": code,
        "seconds": seconds,
    }


def main():
    program, folder, *names = sys.argv[1:]
    names = names or sorted(
        file[:-4] for file in os.listdir(folder) if re.fullmatch(r"[a-z0-9]+\.sql", file)
    )
    print("| application | tables | queries | writes | designed | refused | seconds | proof |")
    print("|---|---|---|---|---|---|---|---|")
    reasons = collections.Counter()
    for name in names:
        found = survey(program, os.path.join(folder, name + ".sql"))
        reasons.update(rule for _, rule, _ in found["refused"])
        queries, writes = found["left"]
        print(
            f"| {found['name']} | {found['tables']} | {found['queries']} | {found['writes']} |"
            f" {queries} + {writes} | {len(found['refused'])} | {found['seconds']:.0f} |"
            f" {found['verdict']} |",
            flush=True,
        )
        for statement, rule, message in found["refused"]:
            print(f"  {found['name']}: {statement}: {rule} {message}", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for rule, count in reasons.most_common():
        print(f"{count:5} {rule}", file=sys.stderr)


if __name__ == "__main__":
    main()
