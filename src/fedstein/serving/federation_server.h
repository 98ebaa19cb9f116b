// SPDX-License-Identifier: Apache-2.0
// A networked federation's server, put together: journal, desk, record and round loop. What carries the agents' calls
// (rpc/) is given its desk.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fedstein/serving/federation_plan.h"
#include "fedstein/serving/server_desk.h"
#include "fedstein/serving/serving_record.h"

namespace fedstein {

class SqliteJournal;

// The journal of a state folder, and how it is opened: with the agreement that it was begun with. Throws StoreError for
// another one's.
std::string journal_file(const std::string& state);
std::unique_ptr<SqliteJournal> open_journal(const FederationPlan& federation);

struct FederationServerOptions {
  std::string data_folder = {};  // where a named dataset may lie
  // Agents whose enrolment is taken back before anything else; only before the first round is over.
  std::vector<std::string> drop_enrolments = {};
  EventLog::Tell on_event = {};  // the log's lines
  // After every round.
  std::function<void(const RoundRecord& record, const FederationPlan& federation)> on_round = {};
};

class FederationServer {
 public:
  // Opens the state folder, and makes it where there is none. Throws StoreError, InvalidArgument, BadConfiguration.
  FederationServer(FederationPlan federation, FederationServerOptions options);
  ~FederationServer();

  ServerDesk& desk();
  const ServerDesk& desk() const;
  const FederationPlan& federation() const { return federation_; }
  // What no message of an agent may exceed.
  std::int64_t most_message_bytes() const;
  // Rounds that were over when this object was made.
  Index closed_round() const;
  std::map<std::string, double> last_figures() const;
  // Where the rounds are kept, and as which run of that store. Before run(): whoever wants to hear of new rounds.
  RunStore& store();
  RunId stored_run() const;
  // Why no reply can be taken at the moment: the journal cannot be written. Empty: all is well.
  std::string trouble() const;

  // Waits for all agents, does the rounds that are left, says goodbye. Throws ServingStopped after desk().stop(),
  // NobodyLeft, DataError for sums that do not go together. Once.
  ServedRun run();

 private:
  std::unique_ptr<ServerSide> make_side(const std::vector<Index>& rows) const;
  DeskOptions desk_options() const;
  EvaluationRules evaluation_rules() const;
  void drop_enrolments();

  FederationPlan federation_;
  FederationServerOptions options_;
  RowShape shape_;
  std::unique_ptr<Model> model_;
  std::int64_t most_bytes_ = 0;  // of the numbers of one update
  struct State;                  // journal, desk and record, in the order in which they need each other
  std::unique_ptr<State> state_;
};

}  // namespace fedstein
