// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/federation_server.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "fedstein/experiment/trained.h"
#include "fedstein/federated/coordinator.h"
#include "fedstein/files/read_file.h"
#include "fedstein/numeric/check.h"
#include "fedstein/serving/column_sums.h"
#include "fedstein/serving/guarded_server.h"
#include "fedstein/serving/served_posterior.h"
#include "fedstein/serving/watched_journal.h"
#include "fedstein/store/sqlite_journal.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournalName = "journal.sqlite";

// A folder that is there already keeps its rights: it is the user's.
void make_private_folder(const std::string& folder) {
  std::error_code problem;
  const bool made = fs::create_directories(folder, problem);
  if (!problem && made) fs::permissions(folder, fs::perms::owner_all, problem);
  if (problem) throw StoreError(folder + ": cannot be made: " + problem.message());
}

// What the agents sent is nobody else's business, whatever rights new files have in the process that we are a guest of.
// Side files of SQLite have those of the file that they belong to.
void close_to_others(const std::string& folder) {
  for (const std::string name : {kStoreName, kJournalName}) {
    for (const char* ending : {"", "-wal", "-shm", "-lock", "-head"}) keep_to_owner(folder + "/" + name + ending);
  }
}

// What a journal must have been begun with: a run goes on with the agents that it had.
std::string agreement(const FederationPlan& federation, const RowShape& shape) {
  std::string out = federation.charter(shape.features, shape.classes);
  for (const std::string& name : federation.server.agents) out += "# " + name + "\n";
  return out;
}

}  // namespace

std::string journal_file(const std::string& state) {
  return state + "/" + kJournalName;
}

std::unique_ptr<SqliteJournal> open_journal(const FederationPlan& federation) {
  return std::make_unique<SqliteJournal>(journal_file(federation.server.state),
                                         agreement(federation, row_shape(federation)));
}

struct FederationServer::State {
  explicit State(const FederationPlan& federation) : opened(open_journal(federation)), contents(journal.load()) {}

  std::unique_ptr<SqliteJournal> opened;
  SqliteJournal& journal = *opened;
  JournalContents contents;  // as this process found it
  WatchedJournal watched{journal};
  std::optional<ServingRecord> record;
  std::optional<ServerDesk> desk;  // tells the record of what agents evaluate
};

FederationServer::FederationServer(FederationPlan federation, FederationServerOptions options)
    : federation_(std::move(federation)), options_(std::move(options)), shape_(row_shape(federation_)) {
  model_ = federation_.make_model(shape_.features, shape_.classes);
  const AlgorithmPlan& algorithm = federation_.algorithm();
  most_bytes_ =
      payload_cap(largest_belief(belief_shapes(*algorithm.method, algorithm.settings, *model_, federation_.agents)));
  make_private_folder(federation_.server.state);
  make_private_folder(federation_.server.state + "/" + kPosteriorFolder);
  close_to_others(federation_.server.state);  // an earlier version may have left them open
  state_ = std::make_unique<State>(federation_);
  drop_enrolments();
  state_->record.emplace(
      federation_, federation_.server.state, state_->journal.records(), [this](const RoundRecord& record) {
        if (options_.on_round) options_.on_round(record, federation_);
      });
  close_to_others(federation_.server.state);
  state_->desk.emplace(desk_options(), state_->watched);
}

FederationServer::~FederationServer() = default;

ServerDesk& FederationServer::desk() {
  return *state_->desk;
}

const ServerDesk& FederationServer::desk() const {
  return *state_->desk;
}

std::int64_t FederationServer::most_message_bytes() const {
  constexpr std::int64_t kHeaders = 64 << 10;  // everything in a message that is not a belief
  return most_bytes_ + kHeaders;
}

Index FederationServer::closed_round() const {
  return state_->contents.closed_round;
}

std::string FederationServer::trouble() const {
  return state_->watched.trouble();
}

std::map<std::string, double> FederationServer::last_figures() const {
  return state_->record->last_figures();
}

RunStore& FederationServer::store() {
  return state_->record->store();
}

RunId FederationServer::stored_run() const {
  return state_->record->run();
}

std::unique_ptr<ServerSide> FederationServer::make_side(const std::vector<Index>& rows) const {
  const ServerContext context{.model = model_.get(), .rows = rows, .seed = federation_.seed};
  const AlgorithmPlan& algorithm = federation_.algorithm();
  return std::make_unique<GuardedServer>(algorithm.method->make_server(context, algorithm.settings), *model_);
}

void FederationServer::drop_enrolments() {
  const std::vector<std::string>& names = federation_.server.agents;
  for (const std::string& name : options_.drop_enrolments) {
    const auto found = std::find(names.begin(), names.end(), name);
    check_argument(
        found != names.end(), "--drop-enrolment", [&] { return "'" + name + "' is no agent of this federation"; });
    check_argument(closed_round() == 0 && state_->contents.attempts.empty(), "--drop-enrolment", [&] {
      return "round 1 has begun, and everybody's rows are scaled and weighted by what '" + name +
             "' enrolled with; only before the first round can it be dropped. Revoke its certificate, or begin anew "
             "with another state folder";
    });
    const Index agent = found - names.begin();
    if (options_.on_event) {
      options_.on_event(state_->contents.enrolments.contains(agent) ? "the enrolment of '" + name + "' is dropped"
                                                                    : "'" + name + "' had not enrolled");
    }
    state_->journal.drop_enrolment(agent);
    state_->contents.enrolments.erase(agent);
  }
}

EvaluationRules FederationServer::evaluation_rules() const {
  const EvaluationPlan& plan = federation_.setting().evaluation;
  EvaluationRules out{
      .predicts = model_->predictive() != nullptr,
      .every = plan.every,
      .from = state_->record->evaluations_from(),
      .on_evaluated = [record = &*state_->record](const EvaluatedRound& round) { record->evaluated(round); }};
  // A prediction for any row says whether there are classes.
  if (out.predicts) {
    const Prediction any =
        model_->predictive()->predict(Matrix::Zero(1, model_->dimension()), Matrix::Zero(1, shape_.features));
    if (any.probabilities.size() > 0) out.shape.bins = plan.bins;
  }
  return out;
}

DeskOptions FederationServer::desk_options() const {
  const ServerPlan& plan = federation_.server;
  const DatasetPlan& dataset = federation_.setting().dataset;
  DeskOptions out{
      .agents = plan.agents,
      .document = federation_.charter(shape_.features, shape_.classes),
      .algorithm = federation_.algorithm().method->name,
      .dimension = model_->dimension(),
      .enrolment = {.features = shape_.features, .most_rows = plan.most_rows},
      .lease_seconds = plan.lease_seconds,
      .on_lapse = plan.skips_lapsed ? OnLapse::kSkip : OnLapse::kWait,
      .quorum = plan.quorum,
      .limits = {.most_bytes = most_bytes_, .norm_bound = plan.norm_bound, .update_bound = plan.update_bound},
      .evaluation = evaluation_rules(),
      .on_event = options_.on_event};
  if (!dataset.own_file || is_fixed(dataset.scaling)) return out;
  const SummedColumns columns = summed_columns(shape_.features, dataset.file.labels);
  out.enrolment.objection = [columns](const AgentFacts& facts, const std::map<Index, Enrolment>& enrolled) {
    return sums_objection(facts, columns, enrolled);
  };
  out.enrolment.total = [columns, names = plan.agents](const std::vector<std::string>& of_each_agent) {
    return total_of_sums(of_each_agent, columns, names);
  };
  return out;
}

ServedRun FederationServer::run() {
  State& state = *state_;
  const ServerPlan& plan = federation_.server;
  const AlgorithmPlan& algorithm = federation_.algorithm();
  std::vector<Index> rows;
  for (const Enrolment& enrolment : state.desk->wait_for_enrolment()) rows.push_back(enrolment.rows);
  const std::shared_ptr<ServerSide> side = make_side(rows);
  if (!state.contents.server_state.empty()) side->restore(state.contents.server_state);
  const std::string statistics = state.desk->begin(side);

  CoordinatorOptions options{.first_round = closed_round() + 1, .rounds = algorithm.rounds};
  if (plan.deadline_seconds > 0) options.patience = std::chrono::duration<double>(plan.deadline_seconds);
  coordinate(*side, *make_scheduler(algorithm.scheduler, rows, federation_.seed), *state.desk, *state.record, options);

  state.record->finish(side->particles());
  ServedRun out = state.record->summary();
  out.particles = side->particles();
  out.posterior =
      save_served_posterior({&federation_, shape_, rows, statistics, options_.data_folder}, side->particles());
  const auto linger = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(plan.linger_seconds));
  state.desk->finish({algorithm.rounds, {side->particles()}}, Clock::now() + linger);
  state.desk->stop();
  state.record->flush();
  return out;
}

}  // namespace fedstein
