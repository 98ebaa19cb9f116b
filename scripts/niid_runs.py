"""What scripts/niid and scripts/niid-curves share: runs as `fedstein export` prints them, and the variant of each method that counts."""
import csv
import math
import re
import statistics
import sys

OURS = "c-dsvgd"


def read(paths):
    """{task: {label: {trial: [rows by round, evaluated or not]}}}, in the files' order. A run in two files is refused."""
    found = {}
    source = {}
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                task = re.sub(r"^[a-z0-9-]+, ", "", row["case"], count=1)  # the dataset, which the name says again
                key = (task, row["algorithm"], row["trial"])
                if source.setdefault(key, path) != path:
                    sys.exit(f"{path}: {', '.join(key)} is in {source[key]} too; give each run once")
                found.setdefault(task, {}).setdefault(row["algorithm"], {}).setdefault(row["trial"], []).append(row)
    return found


def last(rows, figure):
    """The last round's value of a figure; minus infinity for a run that has none there, because it diverged."""
    text = rows[-1].get(figure)
    value = float(text) if text else -math.inf
    return value if math.isfinite(value) else -math.inf


class Entry:
    """A method's chosen variant in one task."""

    def __init__(self, label, trials):
        self.label, self.trials = label, trials

    def values(self, figure):
        return [last(rows, figure) for rows in self.trials.values()]

    def mean(self, figure):
        return statistics.mean(self.values(figure))

    def error(self, figure):
        values = self.values(figure)
        if len(values) < 2 or not all(map(math.isfinite, values)):
            return 0.0
        return statistics.stdev(values) / math.sqrt(len(values))

    def rounds(self):
        return max(int(rows[-1]["round"]) for rows in self.trials.values())

    def reaches(self, target):
        """(rounds, bytes) after which the log-likelihood was at the target for the first time, in the first trial."""
        exchanged = 0
        for row in next(iter(self.trials.values())):
            exchanged += int(row["bytes_down"]) + int(row["bytes_up"])
            if row["log_likelihood"] and float(row["log_likelihood"]) >= target:
                return int(row["round"]), exchanged
        return None


def method_of(label):
    return re.sub(r"( [0-9.e-]+|, shared tuning)$", "", label)


def chosen(task):
    """{method: Entry}: of every method the variant that kept-back rows prefer."""
    best = {}
    for label, trials in task.items():
        entry, method = Entry(label, trials), method_of(label)
        if not any(row.get("validation_log_likelihood") for rows in trials.values() for row in rows):
            sys.exit(f"{label}: no figures of kept-back rows to choose a step size by; run it with federation.validation")
        judged = entry.mean("validation_log_likelihood")
        if method not in best or judged > best[method][0]:
            best[method] = (judged, entry)
    return {method: entry for method, (_, entry) in best.items()}


def variant(entry):
    return entry.label[len(method_of(entry.label)):].strip(" ,")


def tasks_of(paths):
    """{task: {method: Entry}} of the tasks that have c-dsvgd and a rival, all of them with as many rounds."""
    tasks = {name: chosen(task) for name, task in read(paths).items()}
    tasks = {name: methods for name, methods in tasks.items() if OURS in methods and len(methods) > 1}
    if not tasks:
        sys.exit("no task has both c-dsvgd and a rival")
    for name, methods in tasks.items():
        if len({entry.rounds() for entry in methods.values()}) > 1:
            sys.exit(f"{name}: methods ran for different numbers of rounds; they are compared at equal ones")
    return tasks
