# SPDX-License-Identifier: Apache-2.0
"""Whether runs of one experiment by programs for different instructions agree. Usage: agree.py RUN.csv RUN.csv ..."""

import csv
import sys

# Figure: how far apart the last rounds of two runs may be. Two of 500 test rows may change sides; the rest has a hundred
# times the room that rounding was seen to take.
ALLOWED = {"accuracy": 0.004, "brier": 1e-5, "log_likelihood": 1e-5}


def last_rounds(path):
    with open(path, newline="") as file:
        return {(row["algorithm"], row["trial"]): row for row in csv.DictReader(file)}


first, *others = sys.argv[1:]
expected = last_rounds(first)
apart = {name: 0.0 for name in ALLOWED}
for path in others:
    found = last_rounds(path)
    if found.keys() != expected.keys() or not expected:
        sys.exit(f"agree: {path} has other methods or trials than {first}")
    for key, row in found.items():
        if row["round"] != expected[key]["round"]:
            sys.exit(f"agree: {path}, {key}: {row['round']} rounds, {first}: {expected[key]['round']}")
        for name, allowed in ALLOWED.items():
            difference = abs(float(row[name]) - float(expected[key][name]))
            apart[name] = max(apart[name], difference)
            if not difference <= allowed:
                sys.exit(f"agree: {path}, {key}: {name} {row[name]}, {first}: {expected[key][name]}; allowed: {allowed} apart")
print("agree: at most apart:", ", ".join(f"{name} {value:.2g}" for name, value in apart.items()))
