// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/federation.h"

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

namespace {

// Counts every round, hands it to those who watch, and keeps its record.
class Watch : public Observer {
 public:
  Watch(const RunOptions& options, Observer* observer, Index& rounds, RunSummary& summary)
      : options_(options), observer_(observer), rounds_(rounds), summary_(summary) {}

  Next on_round(RoundRecord& record, const Particles& particles) override {
    rounds_ = record.round;  // first: an observer may save the federation
    bool stop = observer_ != nullptr && observer_->on_round(record, particles) == Next::kStop;
    stop = (options_.on_round && options_.on_round(record, particles) == Next::kStop) || stop;
    ++summary_.rounds;
    if (record.folded.empty()) {
      ++summary_.lost_rounds;
      summary_.loss = record.failures.empty() ? "no agent was asked" : record.failures.back().reason;
    }
    if (options_.keep_records) summary_.records.push_back(record);
    summary_.stopped = stop;
    return stop ? Next::kStop : Next::kContinue;
  }

 private:
  const RunOptions& options_;
  Observer* observer_;
  Index& rounds_;
  RunSummary& summary_;
};

constexpr Index kMostRounds = Index{1} << 53;

// A side whose own state it refuses has nothing better to go back to.
template <typename Side>
void put_back(Side& side, const std::string& state) {
  try {
    side.restore(state);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the first refusal is on its way
  }
}

}  // namespace

std::string RunSummary::message() const {
  std::string text = std::to_string(rounds) + (rounds == 1 ? " round" : " rounds") + (stopped ? ", then stopped" : "");
  if (lost_rounds == 0) return text + ".";
  return text + "; " + std::to_string(lost_rounds) + " of them took nobody's update in, the last because " + loss + ".";
}

std::unique_ptr<Scheduler> usual_scheduler(bool several_a_round, Index agents) {
  if (!several_a_round) return std::make_unique<RoundRobin>(agents);
  return std::make_unique<RandomFraction>(agents, /*fraction=*/1.0, /*seed=*/0);  // of everybody nothing is drawn
}

Federation::Federation(const Algorithm& algorithm,
                       const Model& model,
                       const std::vector<Batch>& shards,
                       const FederationOptions& options)
    : Federation(algorithm, Settings(algorithm.settings), model, shards, options) {}

Federation::Federation(const Algorithm& algorithm,
                       const Settings& settings,
                       const Model& model,
                       const std::vector<Batch>& shards,
                       const FederationOptions& options)
    : several_a_round_(algorithm.parallel) {
  check_argument(algorithm.make_server && algorithm.make_agent, "Federation", [&] {
    return "the algorithm '" + algorithm.name + "' has no make_server or no make_agent; it needs both";
  });
  for (const Setting& setting : algorithm.settings) {
    check_argument(settings.has(setting.key), "Federation", [&] {
      return "the settings have no key '" + setting.key + "' of " + algorithm.name + "; make them from its settings";
    });
  }
  check_argument(!shards.empty(), "Federation", "no shards; at least 1 agent is needed");
  check_argument(!algorithm.centralised || shards.size() == 1, "Federation", [&] {
    return algorithm.name + " is centralised and takes 1 shard, not " + std::to_string(shards.size());
  });
  if (algorithm.objection) {
    const std::string objection = algorithm.objection(model);
    check_argument(objection.empty(), algorithm.name.c_str(), objection);
  }
  ServerContext at_server{.model = &model, .rows = {}, .seed = options.seed, .unlabelled = options.unlabelled};
  Index total = 0;
  for (const Batch& shard : shards) {
    model.check_data(shard);
    at_server.rows.push_back(shard.x.rows());
    total += shard.x.rows();
  }
  server_ = algorithm.make_server(at_server, settings);
  for (std::size_t k = 0; k < shards.size(); ++k) {
    const AgentContext at_agent =
        context_of(model, shards[k], static_cast<Index>(k), {static_cast<Index>(shards.size()), total}, options.seed);
    agents_.push_back(algorithm.make_agent(at_agent, settings));
  }
}

std::vector<AgentSide*> Federation::agent_pointers() const {
  std::vector<AgentSide*> pointers;
  for (const auto& agent : agents_) pointers.push_back(agent.get());
  return pointers;
}

RunSummary Federation::run(const RunOptions& options) {
  return run_watched(options, nullptr);
}

RunSummary Federation::run(const RunOptions& options, Observer& observer) {
  return run_watched(options, &observer);
}

RunSummary Federation::run_watched(const RunOptions& options, Observer* observer) {
  check_argument(options.rounds >= 0 && options.rounds <= kMostRounds - rounds_, "run", [&] {
    return "rounds is " + std::to_string(options.rounds) + "; it must be at least 0 and, with those done, at most " +
           std::to_string(kMostRounds);
  });
  const auto usual = usual_scheduler(several_a_round_, agents());
  const Scheduler& scheduler = options.scheduler != nullptr ? *options.scheduler : *usual;
  InProcessTransport transport(agent_pointers());
  RunSummary summary;
  Watch watch(options, observer, rounds_, summary);
  coordinate(*server_,
             scheduler,
             transport,
             watch,
             {.first_round = rounds_ + 1, .rounds = rounds_ + options.rounds, .retries = options.retries});
  return summary;
}

std::string Federation::save() const {
  StateWriter writer("federation");
  writer.text(server_->save());
  writer.integer(agents());
  for (const auto& agent : agents_) writer.text(agent->save());
  writer.integer(rounds_);
  return std::move(writer).finish();
}

void Federation::restore(const std::string& bytes, Index rounds_before) {
  StateReader reader(bytes, "federation");
  const std::string server = reader.text();
  if (const std::int64_t count = reader.integer(); count != agents()) {
    throw BadState("saved state: " + std::to_string(count) + " agents; this federation has " +
                   std::to_string(agents()));
  }
  std::vector<std::string> states;
  for (Index k = 0; k < agents(); ++k) states.push_back(reader.text());
  const Index rounds = reader.at_end() ? rounds_before : reader.integer();
  reader.finish();
  if (rounds < 0 || rounds > kMostRounds) throw BadState("saved state: " + std::to_string(rounds) + " rounds");
  // All or nothing: a part that is refused takes the parts before it back with it.
  const std::string server_before = server_->save();
  std::vector<std::string> states_before;
  for (const auto& agent : agents_) states_before.push_back(agent->save());
  std::size_t tried = 0;
  try {
    server_->restore(server);
    for (; tried < states.size(); ++tried) agents_[tried]->restore(states[tried]);
  } catch (...) {
    put_back(*server_, server_before);
    for (std::size_t k = 0; k < tried; ++k) put_back(*agents_[k], states_before[k]);
    throw;
  }
  rounds_ = rounds;
}

}  // namespace fedstein
