"""Reads the public status file as a stranger would, knowing nothing but its contract.

    reader.py FILE          reads again and again until stdin ends, then says how often
    reader.py --once FILE   reads once

A file that breaks the contract ends it with status 1 and the reason. A file that is not there yet
is no offence before the first was seen.
"""

import json
import select
import sys

KINDS = {"active", "running", "waiting", "idle", "error"}


class Broken(Exception):
    pass


def need(ok, why):
    if not ok:
        raise Broken(why)


def integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def fields(obj, where, **types):
    need(isinstance(obj, dict), f"{where} is no object")
    for name, ok in types.items():
        need(name in obj, f"{where} has no {name}")
        need(ok(obj[name]), f"{where}: {name} is {obj[name]!r}")


def text(value):
    return isinstance(value, str)


def line(value):
    return text(value) and len(value) <= 80 and not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in value)


def truth(value):
    return isinstance(value, bool)


def items(value):
    return isinstance(value, list)


def check(raw):
    data = json.loads(raw.decode("utf-8"))
    # Seconds, not milliseconds: the year 2286 is far away.
    fields(data, "the file", generatedAt=lambda v: integer(v) and 0 < v < 10_000_000_000, sessions=items)
    for s in data["sessions"]:
        fields(s, "a session", name=text, attached=truth, windows=items,
               activity=lambda v: integer(v) and v < 10_000_000_000)
        for w in s["windows"]:
            where = f"window {w.get('target')!r}" if isinstance(w, dict) else "a window"
            fields(w, where, index=integer, name=text, command=text, active=truth, summary=line,
                   statusKind=lambda v: v in KINDS, target=text)
            need(w["target"] == f"{s['name']}:{w['index']}", f"{where}: not the target of window {w['index']}")
    return data


def read(path):
    with open(path, "rb") as f:
        return f.read()


def main():
    args = sys.argv[1:]
    if args[:1] == ["--once"]:
        check(read(args[1]))
        return
    reads, seen, raw = 0, set(), b""
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        try:
            raw = read(args[0])
        except FileNotFoundError:
            need(not reads, "the file went away")
            continue
        seen.add(check(raw)["generatedAt"])
        reads += 1
    print(f"{reads} reads, {len(seen)} different")


try:
    main()
except (Broken, ValueError, OSError) as e:
    print(f"broken: {e}")
    sys.exit(1)
