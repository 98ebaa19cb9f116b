// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include "fedstein/store/export/export.h"
#include "fedstein/store/export/exported_run.h"

namespace fedstein {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

void append_line(std::string& text, const std::vector<std::string>& fields) {
  const char* separator = "";
  for (const std::string& field : fields) {
    text += separator + quoted(field);
    separator = ",";
  }
  text += "\n";
}

std::vector<std::string> fields_of(const JobFacts& job,
                                   const RoundRecord& record,
                                   const std::set<std::string>& figures) {
  std::vector<std::string> out = {job.case_name,
                                  job.algorithm,
                                  std::to_string(job.trial),
                                  std::to_string(record.round),
                                  number_text(record.seconds),
                                  std::to_string(record.bytes_down),
                                  std::to_string(record.bytes_up),
                                  number_text(record.spread),
                                  std::to_string(record.scheduled.size()),
                                  std::to_string(record.folded.size()),
                                  std::to_string(record.failures.size())};
  for (const std::string& name : figures) {
    const auto found = record.figures.find(name);
    out.push_back(found == record.figures.end() ? "" : number_text(found->second));
  }
  return out;
}

}  // namespace

void export_csv(const RunStore& store, RunId run, const ByteSink& sink) {
  const std::vector<StoredJob> jobs = store.jobs(run);
  const std::set<std::string> figures = figure_names(store, jobs);
  std::vector<std::string> header = {"case",
                                     "algorithm",
                                     "trial",
                                     "round",
                                     "seconds",
                                     "bytes_down",
                                     "bytes_up",
                                     "spread",
                                     "scheduled",
                                     "folded",
                                     "failures"};
  header.insert(header.end(), figures.begin(), figures.end());
  std::string text;
  append_line(text, header);
  for (const StoredJob& job : jobs) {
    for (const RoundRecord& record : store.rounds(job.id)) append_line(text, fields_of(job.facts, record, figures));
    sink(text);
    text.clear();
  }
  sink(text);  // the header of a run without jobs
}

}  // namespace fedstein
