// SPDX-License-Identifier: Apache-2.0
// Agents that are slow, silent, late or without their memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <limits>
#include <mutex>
#include <utility>

#include "fedstein/store/agent_folder.h"
#include "fedstein/store/sqlite_journal.h"
#include "rpc/test_federation.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

using testing::HasSubstr;

class Liveness : public testing::Test {
 protected:
  void start(ServeArguments arguments) {
    which_ = arguments.which;
    arguments.state = folder_.path("server");
    arguments.on_serving = [this](int port, ServerDesk& desk) { serving_.set_value({port, &desk}); };
    server_ = std::async(std::launch::async, [arguments] { return serve(arguments); });
    int port = 0;
    std::tie(port, desk_) = serving_.get_future().get();
    address_ = "127.0.0.1:" + std::to_string(port);
  }
  AgentArguments agent(Index k, const std::string& state = {}) const {
    return {.which = which_,
            .agent = k,
            .server = address_,
            .state = folder_.path(state.empty() ? TestFederation::name_of(k) : state)};
  }
  std::future<AgentRunner::Ending> run(const AgentArguments& arguments) const {
    return std::async(std::launch::async, [arguments] { return run_agent(arguments); });
  }
  // Enrols, opens its line, and never says another word.
  std::unique_ptr<AgentLink> silent(Index k) const {
    const TestFederation federation(which_);
    auto link = std::make_unique<GrpcAgentLink>(link_options(agent(k)));
    link->attend(
        k,
        {.algorithm = which_.algorithm, .dimension = federation.dimension(), .rows = federation.rows(k), .features = 3},
        {});
    return link;
  }
  std::vector<std::vector<Index>> realised() const {
    return open_journal(TestFederation(which_).plan(folder_.path("server")))->realised();
  }

  TemporaryFolder folder_;
  TestCase which_;
  std::promise<std::pair<int, ServerDesk*>> serving_;
  std::future<ServeResult> server_;
  ServerDesk* desk_ = nullptr;
  std::string address_;
};

TEST_F(Liveness, ASilentAgentIsSkippedAndTheJournalSaysSo) {
  start({.which = {.algorithm = "dsvgd", .agents = 2, .rounds = 5},
         .lease_seconds = 0.3,
         .on_lapse = OnLapse::kSkip,
         .linger = 2});
  const auto nobody = silent(1);
  auto honest = run(agent(0));
  const ServeResult result = server_.get();
  honest.wait();
  EXPECT_EQ(realised(), (std::vector<std::vector<Index>>{{0}, {}, {0}, {}, {0}}));
  EXPECT_EQ(result.records[1].failures.front().kind, Failure::Kind::kTimedOut);
  EXPECT_GE(result.status.agents[1].lapses, 1);
  EXPECT_TRUE(result.particles == TestFederation(which_).run_in_process(realised()).particles);
}

TEST_F(Liveness, AQuorumIsEnoughAtTheDeadline) {
  start({.which = {.algorithm = "p-dsvgd", .agents = 3, .rounds = 4},
         .lease_seconds = 60,
         .quorum = 0.5,
         .patience = 0.5,
         .linger = 2});
  const auto nobody = silent(2);
  auto first = run(agent(0));
  auto second = run(agent(1));
  const ServeResult result = server_.get();
  first.wait();
  second.wait();
  for (const auto& round : realised()) {
    EXPECT_GE(round.size(), 1U);
    EXPECT_FALSE(std::count(round.begin(), round.end(), 2));
  }
  EXPECT_TRUE(result.particles == TestFederation(which_).run_in_process(realised()).particles);
}

TEST_F(Liveness, ALateAgentIsWaitedForAndALostFactorMustBeGivenUp) {
  start({.which = {.algorithm = "dsvgd", .agents = 2, .rounds = 4}, .lease_seconds = 0.5});
  auto nobody = silent(1);
  {
    // Agent 0 does round 1; round 2 waits for agent 1. Then agent 0's machine is lost.
    GrpcAgentLink link(link_options(agent(0)));
    const TestFederation federation(which_);
    const auto side = federation.make_agent(0, federation.total_rows());
    link.attend(
        0, {.algorithm = "dsvgd", .dimension = federation.dimension(), .rows = federation.rows(0), .features = 3}, {});
    for (bool done = false; !done;) {
      const Letter letter = link.next();
      const auto* offer = std::get_if<Offer>(&letter);
      if (offer == nullptr) continue;
      EXPECT_EQ(link.upload({offer->token, side->update(offer->task)}).kind, Standing::Kind::kHeld);
      done = true;
    }
    while (desk_->status().closed_round < 1) std::this_thread::yield();
  }
  EXPECT_THROW_MESSAGE(run_agent(agent(0, "new machine")), TurnedAway, "its data would count twice");
  EXPECT_EQ(desk_->status().agents[0].refusals.at("hello"), 1);
  AgentArguments forgetful = agent(0, "new machine");
  forgetful.forget_factor = true;
  auto first = run(forgetful);
  nobody.reset();
  auto second = run(agent(1));  // and here it comes at last
  EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  server_.get();
  EXPECT_EQ(realised(), (std::vector<std::vector<Index>>{{0}, {1}, {0}, {1}}));
}

// A machine that was restored from an older backup: its state is given up, and kept.
TEST_F(Liveness, AStateThatIsGivenUpIsSetAsideAndSaidSo) {
  start({.which = {.algorithm = "dsvgd", .agents = 1, .rounds = 2}});
  const std::string state = folder_.path("agent-0");
  const std::string before = bytes_of(AgentRecord{.run = "another federation", .side_state = "lost"});
  AgentFolder(state).replace(before);
  std::string event;
  AgentArguments forgetful = agent(0);
  forgetful.forget_factor = true;
  forgetful.on_event = [&](const std::string& words) {
    if (words.find("is kept as ") != std::string::npos) event = words;
  };
  EXPECT_EQ(run_agent(forgetful), AgentRunner::Ending::kRunIsOver);
  server_.get();
  const std::size_t start = event.find(state);
  ASSERT_NE(start, std::string::npos) << event;
  EXPECT_EQ(read_text(event.substr(start, event.find(';') - start)), before);
}

TEST_F(Liveness, AStateFolderOfAnotherAgentIsNotUsed) {
  start({.which = {.algorithm = "dsvgd", .agents = 2, .rounds = 4}});
  {
    auto nobody = silent(1);
    auto first = run(agent(0));
    while (desk_->status().closed_round < 1) std::this_thread::yield();
    std::filesystem::copy(
        folder_.path("agent-0"), folder_.path("agent-0-copied"), std::filesystem::copy_options::recursive);
    nobody.reset();
    EXPECT_THROW_MESSAGE(run_agent(agent(1, "agent-0-copied")), TurnedAway, "the state folder is that of agent 0");
    auto second = run(agent(1));
    EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
    EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  }
  EXPECT_TRUE(server_.get().particles == TestFederation(which_).run_in_process().particles);
}

TEST_F(Liveness, ABeliefThatCannotBeJudgedEndsNobody) {
  start({.which = {.algorithm = "dsvgd", .agents = 2, .rounds = 4}});
  std::mutex mutex;
  std::vector<std::string> events;
  AgentArguments first = agent(0);
  first.cannot_judge = true;
  first.on_event = [&](const std::string& event) {
    const std::lock_guard lock(mutex);
    events.push_back(event);
  };
  auto one = run(first);
  auto other = run(agent(1));
  EXPECT_EQ(one.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(other.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_TRUE(server_.get().particles == TestFederation(which_).run_in_process().particles);
  EXPECT_THAT(events, testing::Contains(HasSubstr("was not evaluated: log_densities holds nan")));
}

TEST_F(Liveness, ALieOutOfAllProportionIsRefusedAndTheOthersGoOn) {
  start({.which = {.algorithm = "fedavg", .agents = 2, .rounds = 4}, .linger = 2});
  auto honest = run(agent(0));
  const auto liar = silent(1);
  Index lies = 0;
  try {
    for (;;) {
      const Letter letter = liar->next();
      const auto* offer = std::get_if<Offer>(&letter);
      if (offer == nullptr) continue;
      Update lie{offer->task.round, 1, offer->task.belief};
      lie.belief[0].setConstant(std::numeric_limits<Real>::max());
      EXPECT_EQ(liar->upload({offer->token, lie}).kind, Standing::Kind::kDropped);
      ++lies;
    }
  } catch (const LineLost&) {
  }
  EXPECT_EQ(honest.get(), AgentRunner::Ending::kRunIsOver);
  const ServeResult result = server_.get();
  EXPECT_GE(lies, 1);
  EXPECT_EQ(result.status.agents[1].refusals.at("update"), lies);
  EXPECT_LT(result.particles.cwiseAbs().maxCoeff(), 1e3_r);
}

TEST_F(Liveness, AnAgentThatLivesKeepsItsSeatFromASecondOfItsName) {
  start({.which = {.algorithm = "dsvgd", .agents = 2, .rounds = 4}, .lease_seconds = 0.5});
  auto first = run(agent(0));
  while (!desk_->status().agents[0].attached) std::this_thread::yield();
  EXPECT_THROW_MESSAGE(run_agent(agent(0, "copy")), TurnedAway, "another agent named 'agent-0' is connected and alive");
  EXPECT_EQ(desk_->status().agents[0].refusals.at("hello"), 1);
  EXPECT_TRUE(desk_->status().agents[0].attached);
  auto second = run(agent(1));
  EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_TRUE(server_.get().particles == TestFederation(which_).run_in_process().particles);
}

// Long before its next heartbeat, which comes every 150 s here, and although it is at work.
TEST_F(Liveness, ASecondOfItsNameIsToldAtOnceThatTheFirstLives) {
  start({.which = {.algorithm = "dsvgd", .agents = 2, .rounds = 4}, .lease_seconds = 600});
  std::promise<void> working;
  std::promise<void> told;
  AgentArguments busy = agent(0);
  busy.on_evaluate = [&, first_time = true]() mutable {
    if (!std::exchange(first_time, false)) return;
    working.set_value();
    told.get_future().wait();
  };
  auto first = run(busy);
  auto second = run(agent(1));
  working.get_future().wait();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW_MESSAGE(run_agent(agent(0, "copy")), TurnedAway, "another agent named 'agent-0' is connected and alive");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  told.set_value();
  EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_TRUE(server_.get().particles == TestFederation(which_).run_in_process().particles);
}

// Sums that cannot be, of rounds that are not there, over and over: each is refused in a sentence and counted, and the
// figures are those of the honest agent.
TEST_F(Liveness, ALiarsEvaluationsAreRefusedAndLeaveTheOthersFiguresAlone) {
  TestCase which{.algorithm = "fedavg", .agents = 2, .rounds = 3};
  which.fraction = 1;
  start({.which = which, .linger = 2});
  auto honest = run(agent(0));
  const auto liar = silent(1);
  const EvaluationSums good{.rows = 20, .log_likelihood = -12, .bins = {{20, 10, 15}}, .brier = 8};
  std::int64_t lies = 0;
  const auto lie = [&](Index round, const EvaluationSums& sums, const std::string& why) {
    EXPECT_THROW_MESSAGE(liar->report(EvaluationReport{round, sums}), TurnedAway, why);
    ++lies;
  };
  const TestFederation federation(which_);
  const auto side = federation.make_agent(1, federation.total_rows());
  try {
    for (;;) {
      const Letter letter = liar->next();
      const auto* offer = std::get_if<Offer>(&letter);
      if (offer == nullptr) continue;
      const Index round = offer->task.round - 1;
      EvaluationSums bad = good;
      bad.log_likelihood = std::numeric_limits<double>::quiet_NaN();
      if (round > 0) lie(round, bad, "whose log-likelihood adds up to nan over 20 rows");
      bad.log_likelihood = -std::numeric_limits<double>::infinity();
      if (round > 0) lie(round, bad, "whose log-likelihood adds up to -inf over 20 rows");
      bad = good;
      bad.bins[0].count = -20;
      if (round > 0) lie(round, bad, "count -20");
      lie(round + 1, good, "the last round that is over is " + std::to_string(round));
      lie(-5, good, "the last round that is over is " + std::to_string(round));
      liar->upload({offer->token, side->update(offer->task)});
    }
  } catch (const LineLost&) {
  }
  EXPECT_EQ(honest.get(), AgentRunner::Ending::kRunIsOver);
  const ServeResult result = server_.get();
  EXPECT_EQ(lies, 3 * 2 + 2 * 3);
  EXPECT_EQ(result.status.agents[1].refusals.at("report"), lies);
  ASSERT_TRUE(result.status.evaluated);
  EXPECT_EQ(result.status.evaluated->round, 3);
  EXPECT_EQ(result.status.evaluated->agents, (std::set<Index>{0}));
  EXPECT_DOUBLE_EQ(result.status.evaluated->figures().at("log_likelihood"), -0.6);
}

TEST_F(Liveness, AnAgentThatIsSilentForALeaseLosesItsSeatToASecondOfItsName) {
  start({.which = {.algorithm = "dsvgd", .agents = 2, .rounds = 4}, .lease_seconds = 0.5});
  const auto frozen = silent(0);  // its line stays open, as that of a machine that has lost its power
  while (!desk_->status().agents[0].attached) std::this_thread::yield();
  auto first = run(agent(0));
  auto second = run(agent(1));
  EXPECT_EQ(first.get(), AgentRunner::Ending::kRunIsOver);
  EXPECT_EQ(second.get(), AgentRunner::Ending::kRunIsOver);
  const ServeResult result = server_.get();
  EXPECT_TRUE(result.particles == TestFederation(which_).run_in_process().particles);
  EXPECT_TRUE(result.status.agents[0].refusals.empty());
}

}  // namespace
}  // namespace fedstein
