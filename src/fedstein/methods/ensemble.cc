// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/ensemble.h"

#include "fedstein/methods/fedavg.h"
#include "fedstein/methods/scaffold.h"
#include "fedstein/numeric/check.h"
#include "fedstein/numeric/parallel.h"

namespace fedstein {
namespace {

// Row m of every matrix.
Belief row_of(const Belief& stacked, Index member) {
  Belief own;
  for (const Matrix& part : stacked) {
    check_argument(member < part.rows(), "ensemble", [&] {
      return "a matrix of " + shape_of(part) + " has no row for member " + std::to_string(member);
    });
    own.emplace_back(part.row(member));
  }
  return own;
}

// Member m's matrices, one row each, in row m.
Belief stacked(const std::vector<Belief>& members) {
  Belief out;
  for (const Matrix& part : members.front()) out.emplace_back(static_cast<Index>(members.size()), part.cols());
  for (std::size_t m = 0; m < members.size(); ++m) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i].row(static_cast<Index>(m)) = members[m].at(i);
  }
  return out;
}

// N halves, each a value, behind one: what both sides of the ensemble share. They change all together or not at all.
template <typename Half>
class Members {
 public:
  template <typename Context, typename Setup>
  Members(const char* owner, Context context, const Setup& options, Index count) : owner_(owner) {
    const std::uint64_t seed = context.seed;
    for (Index m = 0; m < count; ++m) {
      context.seed = member_seed(seed, m);
      Setup own = options;
      if (options.given_start.size() > 0) own.given_start = options.given_start.row(m);
      halves_.emplace_back(context, own);
    }
  }

  Index count() const { return static_cast<Index>(halves_.size()); }
  const Half& operator[](Index m) const { return halves_[static_cast<std::size_t>(m)]; }
  Half& operator[](Index m) { return halves_[static_cast<std::size_t>(m)]; }

  template <typename Change>
  void change(const Change& change_one) {
    Members next = *this;
    for (Index m = 0; m < count(); ++m) change_one(m, next[m]);
    halves_.swap(next.halves_);
  }

  std::string save() const {
    StateWriter writer(owner_);
    for (const Half& half : halves_) writer.text(half.save());
    return std::move(writer).finish();
  }
  void restore(const std::string& bytes) {
    StateReader reader(bytes, owner_);
    Members next = *this;
    for (Half& half : next.halves_) half.restore(reader.text());
    reader.finish();
    halves_.swap(next.halves_);
  }

 private:
  const char* owner_;
  std::vector<Half> halves_;
};

template <typename Agent>
class EnsembleAgent : public AgentSide {
 public:
  template <typename Setup>
  EnsembleAgent(const AgentContext& context, const Setup& options, Index count)
      : members_("ensemble agent", context, options, count) {}

  Update update(const Task& task) override {
    std::vector<Belief> answers(static_cast<std::size_t>(members_.count()));
    parallel_for(members_.count(), 1, [&](Index begin, Index end) {
      for (Index m = begin; m < end; ++m) {
        Task own{.round = task.round,
                 .agent = task.agent,
                 .version = task.version,
                 .belief = row_of(task.belief, m),
                 .verdict = task.verdict};
        answers[static_cast<std::size_t>(m)] = members_[m].update(own).belief;
      }
    });
    return {task.round, task.agent, stacked(answers)};
  }
  void settle(const Verdict& verdict, const Update& as_sent) override {
    members_.change([&](Index m, Agent& member) {
      member.settle(verdict, {as_sent.round, as_sent.agent, row_of(as_sent.belief, m)});
    });
  }
  std::string save() const override { return members_.save(); }
  void restore(const std::string& bytes) override { members_.restore(bytes); }
  Index state_size() const override {
    Index size = 0;
    for (Index m = 0; m < members_.count(); ++m) size += members_[m].state_size();
    return size;
  }

 private:
  Members<Agent> members_;
};

template <typename Server>
class EnsembleServer : public ServerSide {
 public:
  template <typename Setup>
  EnsembleServer(const ServerContext& context, const Setup& options, Index count)
      : members_("ensemble server", context, options, count) {}

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    std::vector<Task> tasks = members_[0].plan(round, agents);  // all agents get the same
    const Belief all = beliefs();
    for (Task& task : tasks) task.belief = all;
    return tasks;
  }
  std::string objection(const Update& update) const override {
    const std::string complaint = objection_to(update, beliefs());
    return complaint.empty() ? members_[0].objection({update.round, update.agent, row_of(update.belief, 0)})
                             : complaint;
  }
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override {
    std::vector<Verdict> verdicts;  // the same for all members: they know the agents' rows alone
    members_.change([&](Index m, Server& member) {
      std::vector<Update> own;
      for (const Update& update : updates) own.push_back({update.round, update.agent, row_of(update.belief, m)});
      verdicts = member.fold(round, own);
    });
    return verdicts;
  }
  Particles particles() const override { return beliefs().front(); }
  std::string save() const override { return members_.save(); }
  void restore(const std::string& bytes) override { members_.restore(bytes); }

 private:
  Belief beliefs() const {
    std::vector<Belief> all;
    for (Index m = 0; m < members_.count(); ++m) all.push_back(members_[m].plan(1, {0}).front().belief);
    return stacked(all);
  }

  Members<Server> members_;
};

// One half, of the members that the settings name.
template <template <typename> class Half, typename OfFedAvg, typename OfScaffold, typename Side, typename Context>
std::unique_ptr<Side> made(const Context& context, const Settings& settings, const ParticleExtras& extras) {
  const PointOptions point = extras.in(point_options(settings));
  const bool given = point.given_start.size() > 0;
  const Index count = given ? point.given_start.rows() : settings.integer("particles");
  if (settings.text("member") == "scaffold") {
    ScaffoldSetup setup;
    static_cast<PointOptions&>(setup) = point;
    return std::make_unique<Half<OfScaffold>>(context, setup, count);
  }
  FedAvgSetup setup;
  static_cast<PointOptions&>(setup) = point;
  return std::make_unique<Half<OfFedAvg>>(context, setup, count);
}

}  // namespace

std::uint64_t member_seed(std::uint64_t seed, Index member) {
  if (member == 0) return seed;
  // The finaliser of SplitMix64 (Steele, Lea and Flood 2014), which leaves no two inputs alike.
  std::uint64_t z = seed + static_cast<std::uint64_t>(member) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

Algorithm ensemble_algorithm(const ParticleExtras& extras) {
  std::vector<Setting> settings = shared_settings({"particles"});
  settings.front().help = "number of members N";
  settings.push_back(
      {.key = "member",
       .standard = std::string("fedavg"),
       .help =
           "how each member is trained; the usual settings of SCAFFOLD are step_rule = \"plain\", learning_rate = 0.1",
       .choices = {"fedavg", "scaffold"}});
  for (Setting& setting : point_settings()) settings.push_back(std::move(setting));
  return {
      .name = "ensemble",
      .summary = "deep ensemble: N networks trained by FedAvg or SCAFFOLD, whose predictions are averaged",
      .parallel = true,
      .settings = std::move(settings),
      .make_server =
          [extras](const ServerContext& context, const Settings& given) {
            return made<EnsembleServer, FedAvgServer, ScaffoldServer, ServerSide>(context, given, extras);
          },
      .make_agent =
          [extras](const AgentContext& context, const Settings& given) {
            return made<EnsembleAgent, FedAvgAgent, ScaffoldAgent, AgentSide>(context, given, extras);
          },
  };
}

}  // namespace fedstein
