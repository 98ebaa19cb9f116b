// SPDX-License-Identifier: Apache-2.0
// An agent inside a program of yours: the device measures, the agent learns with the others, the program asks its
// latest belief. Here two devices and, so that the example runs by itself, the server share one process; they talk by
// gRPC on loopback. Against a real server give AgentLinkOptions `own` and `authority` instead of `insecure_name`.
#include <stdlib.h>

#include <filesystem>
#include <future>
#include <iostream>
#include <mutex>

#include "fedstein/algorithm/algorithm.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/exchange/memory_journal.h"
#include "fedstein/exchange/upload_check.h"
#include "fedstein/federated/coordinator.h"
#include "fedstein/methods/registry.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/rpc/grpc_agent_link.h"
#include "fedstein/rpc/rpc_server.h"
#include "fedstein/serving/agent_runner.h"
#include "fedstein/serving/server_desk.h"
#include "fedstein/store/agent_folder.h"

namespace fedstein {
namespace {

constexpr Index kDevices = 2, kRounds = 6;
constexpr std::uint64_t kSeed = 5;

// What both ends must agree on. `fedstein serve` sends it as the charter's document; here it is compiled in.
struct Agreement {
  LogisticRegression model = LogisticRegression(2, {.prior_scale = 100});
  const Algorithm& method = algorithm_named("dsvgd");
  Settings settings = Settings(method.settings);
  Agreement() {
    settings.set("particles", Index{8});
    settings.set("local_steps", Index{50});
  }
};

// What the device has measured, and never sends: the label is 1 where the first reading is above the second.
struct Measurements {
  explicit Measurements(std::uint64_t device, Index rows) : x(rows, 2), y(rows) {
    Rng rng({.seed = kSeed, .agent = device, .purpose = Purpose::kGenerator});
    rng.fill_normal(x);
    for (Index i = 0; i < rows; ++i) y(i) = x(i, 0) > x(i, 1) ? 1 : -1;
  }
  Matrix x;
  Vector y;
};

// ---- your part: what the runner asks of an agent

class Device : public AgentWorkshop {
 public:
  explicit Device(std::uint64_t number) : rows_(number, 60), test_(number + 100, 200) {}

  AgentFacts prepare(const Charter& charter) override {
    agent_ = charter.agent;
    return {.algorithm = agreed_.method.name,
            .dimension = agreed_.model.dimension(),
            .rows = rows_.x.rows(),
            .features = rows_.x.cols()};
  }

  std::unique_ptr<AgentSide> make_side(const Beginning& beginning) override {
    const AgentContext context =
        context_of(agreed_.model, {rows_.x, rows_.y}, agent_, {beginning.agents, beginning.total_rows}, kSeed);
    return agreed_.method.make_agent(context, agreed_.settings);
  }

  std::string objection(const Task& task) const override {
    return objection_to(task.belief, belief_shapes(agreed_.method, agreed_.settings, agreed_.model, kDevices));
  }

  // Called with every belief that comes by, the last one too: the moment to take it over into the program.
  std::optional<CalibrationCounts> calibrate(Index /*version*/, const Belief& belief) override {
    const std::lock_guard lock(mutex_);
    latest_ = belief.front();
    return std::nullopt;  // or bins of a reliability diagram, which the server adds up
  }

  void on_event(const std::string& event) override { std::cerr << "device: " << event << "\n"; }

  // From any thread, while the runner learns.
  double accuracy() const {
    const std::lock_guard lock(mutex_);
    return Evaluation(agreed_.model, {test_.x, test_.y}).figures(latest_).at("accuracy");
  }

 private:
  Agreement agreed_;
  Measurements rows_, test_;
  Index agent_ = 0;
  mutable std::mutex mutex_;  // of the belief
  Particles latest_;
};

// Until the server says that the run is over; a line that breaks is taken up again. The folder keeps what the agent
// must not forget: a device that loses power goes on where it was.
AgentRunner::Ending learn(Device& device, const std::string& name, int port, const std::string& folder) {
  GrpcAgentLink link({.server = "127.0.0.1:" + std::to_string(port), .insecure_name = name});
  AgentFolder disk(folder);
  return AgentRunner(link, disk, device, {}).run();
}

// ---- the server, which is a program of its own elsewhere (`fedstein serve`)

void serve(std::promise<int>& port) {
  const Agreement agreed;
  class : public Observer {
    Next on_round(RoundRecord&, const Particles&) override { return Next::kContinue; }
  } nobody;
  const std::shared_ptr<ServerSide> side =
      agreed.method.make_server({.model = &agreed.model, .rows = {60, 60}, .seed = kSeed}, agreed.settings);
  const std::int64_t most_bytes = payload_cap(side->plan(1, {0}).front().belief);
  MemoryJournal journal("example");
  ServerDesk desk({.agents = {"device-0", "device-1"},
                   .document = "compiled in",
                   .algorithm = agreed.method.name,
                   .dimension = agreed.model.dimension(),
                   .limits = {.most_bytes = most_bytes}},
                  journal);
  const RpcServer server({.most_message_bytes = most_bytes + 1024}, desk);
  port.set_value(server.port());
  desk.wait_for_enrolment();
  desk.begin(side);
  coordinate(*side, RoundRobin(kDevices), desk, nobody, {.rounds = kRounds});
  desk.finish({kRounds, {side->particles()}}, Clock::now() + std::chrono::seconds(60));
  desk.stop();
}

int run_example() {
  std::string folder = (std::filesystem::temp_directory_path() / "embedded-agent-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  std::promise<int> promised;
  auto server = std::async(std::launch::async, [&] { serve(promised); });
  const int port = promised.get_future().get();

  Device first(0), second(1);
  auto other = std::async(std::launch::async, [&] { return learn(second, "device-1", port, folder + "/1"); });
  const bool over = learn(first, "device-0", port, folder + "/0") == AgentRunner::Ending::kRunIsOver &&
                    other.get() == AgentRunner::Ending::kRunIsOver;
  server.get();
  std::filesystem::remove_all(folder);

  const double accuracy = first.accuracy();
  std::cout << "after " << kRounds << " rounds over the network: accuracy " << accuracy << " on the first device\n";
  return over && accuracy > 0.9 ? 0 : 1;
}

}  // namespace
}  // namespace fedstein

int main() {
  return fedstein::run_example();
}
