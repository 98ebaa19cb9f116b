// SPDX-License-Identifier: Apache-2.0
// Rows out of the store. The caller has seen to it that run and job are there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fedstein/federated/observer.h"
#include "fedstein/store/run_facts.h"
#include "fedstein/store/sqlite.h"

namespace fedstein {

bool has_run(Connection& connection, RunId run);
bool has_job(Connection& connection, JobId job);

std::vector<StoredRun> read_runs(Connection& connection);
std::vector<StoredJob> read_jobs(Connection& connection, RunId run);
std::optional<Checkpoint> read_checkpoint(Connection& connection, JobId job);
std::vector<RoundRecord> read_rounds(Connection& connection, JobId job, Index after);
std::vector<Index> read_rounds_with_particles(Connection& connection, JobId job);
std::optional<Particles> read_particles(Connection& connection, JobId job, Index round);
std::optional<Matrix> read_density(Connection& connection, JobId job, Index round);
std::vector<StoredReliability> read_reliability(Connection& connection, JobId job);
std::map<std::string, std::string> read_details(Connection& connection, JobId job);

// Every page and every reference of the file; throws StoreError for the first that is wrong.
void read_everything(Connection& connection);

}  // namespace fedstein
