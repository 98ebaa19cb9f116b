// SPDX-License-Identifier: Apache-2.0
// Rows into an open transaction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fedstein/federated/observer.h"
#include "fedstein/store/run_facts.h"
#include "fedstein/store/sqlite.h"

namespace fedstein {

RunId insert_run(Connection& connection, const RunFacts& facts, const std::vector<JobFacts>& jobs);

// Prepared once for the rounds of one flush. Each call replaces what was there for the same job and round.
class RowWriter {
 public:
  explicit RowWriter(Connection& connection);

  void round(JobId job, const RoundRecord& record);
  // More of a round that is there already, or others of the same names.
  void figures(JobId job, Index round, const std::map<std::string, double>& figures);
  void particles(JobId job, Index round, const Particles& particles);
  void density(JobId job, Index round, const Matrix& values);
  void reliability(JobId job, Index round, const std::vector<ReliabilityBin>& bins);
  void detail(JobId job, const std::string& name, const std::string& text);
  void checkpoint(JobId job, Index round, const std::string& state);
  void job_status(JobId job, JobStatus status, const std::string& error);
  void run_finished(RunId run);

 private:
  Statement clear_figures_;
  Statement round_;
  Statement figure_;
  Statement particles_;
  Statement density_;
  Statement clear_bins_;
  Statement bin_;
  Statement detail_;
  Statement checkpoint_;
  Statement drop_checkpoint_;
  Statement job_status_;
  Statement run_finished_;
};

}  // namespace fedstein
