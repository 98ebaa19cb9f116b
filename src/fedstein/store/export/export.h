// SPDX-License-Identifier: Apache-2.0
// A run's numbers in forms that other programs read. One job is in memory at a time, not the run.
#pragma once

#include "fedstein/files/byte_sink.h"
#include "fedstein/store/run_store.h"

namespace fedstein {

// One line per job and round: case, algorithm, trial, round, seconds, bytes_down, bytes_up, spread, scheduled, folded,
// failures (these three as counts), then every figure that the run has, by name. A figure that a round lacks is empty;
// numbers read back exactly; nan, inf and -inf are spelled so. Fields are quoted as RFC 4180 says where they must be.
void export_csv(const RunStore& store, RunId run, const ByteSink& sink);

// One object: what the run was, and per job its rounds and reliability bins. JSON has no NaN and no infinity: these are
// the texts "nan", "inf" and "-inf". Particles are named by their rounds only.
void export_json(const RunStore& store, RunId run, const ByteSink& sink);

// NumPy's archive. Equally long, one element per job and round in the CSV's order: job, case, algorithm, trial, round,
// seconds, bytes_down, bytes_up, spread, and figure/NAME (NaN where a round lacks it). Then particles/JOB/ROUND (N x d,
// in this build's precision), density/JOB/ROUND (a toy's belief on its grid, or a packed map), reliability/JOB/ROUND
// (bins x low, high, count, correct, confidence_sum) and `run`, a text: the JSON of what the run was.
void export_npz(const RunStore& store, RunId run, const ByteSink& sink);

}  // namespace fedstein
