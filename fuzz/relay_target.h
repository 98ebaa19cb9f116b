// SPDX-License-Identifier: Apache-2.0
// What the fuzzer does with its bytes between the relays: as a node's answer to each of the server's questions, and as
// a server's message to an agent. A message may be refused with BadState or in a line of the log; anything else that is
// thrown, and anything unsound that is kept or answered, is a finding.
#pragma once

#include <array>
#include <stdexcept>
#include <thread>
#include <vector>

#include "../tests/exchange/toy_sides.h"
#include "../tests/support/temporary_folder.h"
#include "fedstein/exchange/memory_journal.h"
#include "fedstein/numeric/check.h"
#include "fedstein/relay/agent_relay.h"
#include "fedstein/relay/relay_hub.h"
#include "fedstein/serving/server_desk.h"
#include "fedstein/store/agent_folder.h"
#include "relay_parcels.h"
#include "shows.h"

namespace fedstein {

inline void demand_relayed(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

enum class RelayPlace { kName, kHello, kWork, kNewAgent, kOldAgent };
inline constexpr int kRelayPlaces = 5;

// A server of two agents without disk or network, up to the moment at which the bytes come: from the first node.
class FuzzedHub {
 public:
  FuzzedHub() : desk_(desk_options(), journal_), hub_(desk_, {.most_bytes = 1 << 20}, nullptr) {
    hub_.see({{"node-0", ""}, {"node-1", ""}}, now_);
  }
  ~FuzzedHub() { stop(); }
  FuzzedHub(const FuzzedHub&) = delete;
  FuzzedHub& operator=(const FuzzedHub&) = delete;

  // The serial number of the question that the bytes answer.
  std::int64_t ask(RelayPlace place) {
    std::vector<RelayDispatch> asked = hub_.dispatches(now_);
    if (place == RelayPlace::kName) return asked.at(0).serial;
    for (const RelayDispatch& one : asked) hub_.take(one.serial, parcel_of(named(one)), now_);
    asked = hub_.dispatches(now_);
    if (place == RelayPlace::kHello) return asked.at(0).serial;
    for (const RelayDispatch& one : asked) hub_.take(one.serial, parcel_of(arriving(one)), now_);
    begin();
    wait_for_work(1);
    return work_.at(0).serial;
  }
  // Behind ask(kWork): what the round has of both agents when both have answered well.
  std::vector<Reply> answered() {
    wait_for_work(2);
    for (const RelayDispatch& one : work_) {
      RelayAnswer done = arriving(one);
      const Token token = one.node == "node-0" ? 1 : 2;
      done.arrival->hello = {.run = "run", .settled = 0, .in_hand = Attempt{1, token}};
      done.upload = Upload{token, Update{1, 0, {Matrix::Constant(1, 1, 5)}}};
      hub_.take(one.serial, parcel_of(done), now_);
    }
    rounds_.join();
    return replies_;
  }
  void take(std::int64_t serial, const Parcel& parcel) {
    hub_.take(serial, parcel, now_);
    hub_.take(serial, parcel, now_);  // an answer that comes twice
    hub_.dispatches(now_ + std::chrono::hours(1));
  }
  // At the end.
  void check() {
    stop();
    for (const std::string& line : told_) demand_relayed(shows(line) && line.size() < 5000, "a line does not print");
    const JournalContents contents = journal_.load();
    for (const auto& [agent, held] : contents.replies) {
      demand_relayed(agent == 0, "another agent's reply appeared");
      const auto* update = std::get_if<Update>(&held.reply);
      if (update == nullptr) continue;
      demand_relayed(held.token == 1 && update->round == 1 && update->agent == 0, "a stranger's update was kept");
      demand_relayed(ToyServer().objection(*update).empty(), "an update that cannot be folded was kept");
    }
  }

  static RelayAnswer named(const RelayDispatch& asked) {
    return {.serial = asked.serial, .name = asked.node == "node-0" ? "north" : "south"};
  }
  static RelayAnswer arriving(const RelayDispatch& asked) {
    RelayAnswer out = named(asked);
    out.arrival = RelayArrival{{.algorithm = "toy", .dimension = 1, .rows = 12, .features = 2, .evaluates = true}, {}};
    return out;
  }

 private:
  void stop() {
    desk_.stop();
    if (rounds_.joinable()) rounds_.join();
  }
  DeskOptions desk_options() {
    return {.agents = {"north", "south"},
            .document = "[experiment]",
            .algorithm = "toy",
            .dimension = 1,
            .enrolment = {.features = 2},
            .limits = {.most_bytes = 1024, .norm_bound = 1e6},
            .evaluation = {.shape = {.bins = 1, .fewest_rows = kFewestEvaluatedRows}},
            .on_event = [this](const std::string& line) { told_.push_back(line); }};
  }
  void begin() {
    desk_.wait_for_enrolment();
    desk_.begin(std::make_shared<ToyServer>());
    rounds_ = std::thread([this] {
      try {
        replies_ = desk_.exchange(ToyServer().plan(1, {0, 1}), Clock::time_point::max());
      } catch (const ServingStopped&) {
      }
    });
  }
  // The first node's first.
  void wait_for_work(std::size_t nodes) {
    const Clock::time_point late = Clock::now() + std::chrono::seconds(8);
    while (work_.size() < nodes || work_.front().node != "node-0") {
      demand_relayed(Clock::now() < late, "there was no work");
      for (const RelayDispatch& one : hub_.dispatches(now_)) {
        work_.insert(one.node == "node-0" ? work_.begin() : work_.end(), one);
      }
      if (work_.empty()) hub_.bell().wait_until(Clock::now() + std::chrono::milliseconds(50));
    }
  }

  const Clock::time_point now_ = Clock::now();
  std::vector<std::string> told_;  // under the desk's lock
  MemoryJournal journal_{"run"};
  ServerDesk desk_;
  RelayHub hub_;
  std::vector<RelayDispatch> work_;
  std::vector<Reply> replies_;  // when the thread is done
  std::thread rounds_;
};

// An agent that knows no configurations: what the document says is for other fuzzers.
class ToyWorkshop : public AgentWorkshop {
 public:
  AgentFacts prepare(const Charter& /*charter*/) override {
    return {.algorithm = "toy", .dimension = 1, .rows = 12, .features = 2};
  }
  std::unique_ptr<AgentSide> make_side(const Beginning& /*beginning*/) override {
    return std::make_unique<ToyAgent>(Index{0});
  }
  std::string objection(const Task& task) const override {
    return objection_to(Update{task.round, task.agent, task.belief}, {Matrix::Zero(1, 1)});
  }
  std::optional<EvaluationReport> evaluate(Index round, const Matrix& /*particles*/) override {
    return EvaluationReport{.round = round, .sums = {.rows = 12, .bins = {{12, 6, 6.5}}}};
  }
  void on_event(const std::string& /*event*/) override {}
};

inline AgentRecord old_agent() {
  return {.run = "run",
          .agent = 0,
          .settled = 3,
          .rows = {},
          .side_state = ToyAgent(0).save(),
          .pending = Upload{7, Update{4, 0, {Matrix::Constant(1, 1, 5)}}}};
}

inline void fuzz_agent(const Parcel& parcel, bool is_old) {
  static const TemporaryFolder folder;
  const std::string state = folder.path("agent");
  {
    AgentFolder disk(state);
    std::filesystem::remove(state + "/agent.state");
    if (is_old) disk.replace(bytes_of(old_agent()));
  }
  ToyWorkshop workshop;
  const AgentRelayOptions options{.name = "north", .state = state};
  const Parcel answer = AgentRelayWork(workshop, options).answer(parcel);
  const RelayAnswer said = answer_from(answer, 0);
  demand_relayed(said.serial == message_from(parcel).serial && said.name == "north", "the answer is to something else");
  demand_relayed(shows(said.trouble), "the trouble does not print");
  demand_relayed(said.trouble.empty() || !(said.arrival || said.upload), "an agent in trouble uploads");
  const std::optional<std::string> kept = AgentFolder(state).read();
  demand_relayed(kept.has_value() || !is_old, "the state is gone");
  if (!kept) return;
  const AgentRecord record = agent_record_from(*kept);
  demand_relayed(record.agent == 0 || !is_old, "the state became another agent's");
  if (!is_old) return;
  demand_relayed(record.run == "run" && record.settled >= 3, "the state went back");
}

inline void fuzz_relay(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto place = static_cast<RelayPlace>(static_cast<unsigned char>(bytes[0]) % kRelayPlaces);
  const Parcel parcel = sealed_parcel(bytes.substr(1));
  if (place == RelayPlace::kNewAgent || place == RelayPlace::kOldAgent) {
    try {
      fuzz_agent(parcel, place == RelayPlace::kOldAgent);
    } catch (const BadState&) {
    }
    return;
  }
  FuzzedHub hub;
  hub.take(hub.ask(place), parcel);
  hub.check();
}

// Good ones, from which the others need not be found by chance.
inline std::vector<std::string> relay_seeds() {
  std::vector<std::string> out;
  const auto keep = [&](RelayPlace place, const auto& message) {
    out.push_back(unsealed(static_cast<char>(place), parcel_of(message)));
  };
  const auto serial_at = [](RelayPlace place) { return FuzzedHub().ask(place); };
  const auto asked = [&](RelayPlace place) { return RelayDispatch{.serial = serial_at(place), .node = "node-0"}; };
  keep(RelayPlace::kName, FuzzedHub::named(asked(RelayPlace::kName)));
  keep(RelayPlace::kHello, FuzzedHub::arriving(asked(RelayPlace::kHello)));
  RelayAnswer trouble = FuzzedHub::named(asked(RelayPlace::kHello));
  trouble.trouble = "its own log says why";
  trouble.failures = {{0, 0, Failure::Kind::kBroken, "it cannot take part"}};
  keep(RelayPlace::kHello, trouble);
  RelayAnswer done = FuzzedHub::arriving(asked(RelayPlace::kWork));
  done.arrival->hello = {.run = "run", .settled = 0, .in_hand = Attempt{1, 1}};
  done.upload = Upload{1, Update{1, 0, {Matrix::Constant(1, 1, 5)}}};
  done.evaluations = {{1, {.rows = 12, .log_likelihood = -1.5, .bins = {{12, 6, 6.5}}}}};
  keep(RelayPlace::kWork, done);
  done.upload = Upload{1, Failure{1, 0, Failure::Kind::kDiverged, "it did"}};
  done.leaves = true;
  keep(RelayPlace::kWork, done);

  const Charter charter{"run", 0, 2, "[experiment]", 2.5};
  keep(RelayPlace::kNewAgent, RelayMessage{.serial = 1, .instance = 9});
  keep(RelayPlace::kNewAgent, RelayMessage{.serial = 2, .instance = 9, .charter = charter});
  const Beginning beginning{2, 24, "", 0, 1};
  const Offer first{1, Task{1, 0, 0, {Matrix::Constant(1, 1, 1)}, {}}, {}};
  keep(RelayPlace::kNewAgent,
       RelayMessage{
           .serial = 3, .instance = 9, .charter = charter, .addressed = Hello{}, .letters = {beginning, first}});
  const Offer next{8, Task{5, 0, 4, {Matrix::Constant(1, 1, 2)}, Verdict{4, 0, true, 0.5}}, Matrix::Constant(1, 1, 2)};
  for (const Standing::Kind kind : {Standing::Kind::kFolded, Standing::Kind::kDropped, Standing::Kind::kWanted}) {
    keep(RelayPlace::kOldAgent,
         RelayMessage{.serial = 4,
                      .instance = 9,
                      .charter = charter,
                      .addressed = hello_of(old_agent()),
                      .letters = {beginning, Notice{{4, 7}, {kind, 0.5, "because"}}, next}});
  }
  keep(RelayPlace::kOldAgent,
       RelayMessage{.serial = 5,
                    .instance = 9,
                    .charter = charter,
                    .addressed = hello_of(old_agent()),
                    .letters = {beginning,
                                Notice{{4, 7}, {Standing::Kind::kFolded, 0.5, ""}},
                                Farewell{4, {Matrix::Constant(1, 1, 2)}}}});
  return out;
}

}  // namespace fedstein
