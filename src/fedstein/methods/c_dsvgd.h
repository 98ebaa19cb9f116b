// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fedstein/methods/particles/control_variate.h"
#include "fedstein/methods/particles/particle_method.h"
#include "fedstein/methods/particles/report_watch.h"
#include "fedstein/methods/particles/step_control.h"

namespace fedstein {

struct CDsvgdSetup : ParticleOptions {
  CDsvgdSetup() { repulsion = "auto"; }

  std::string kernel = "auto";  // auto | rbf | none
  double first_step = 0.2;      // eta of the first step
  double momentum_share = 0.8;  // 1 - b, or beta
  bool controlled = true;       // eta finds itself; otherwise it stays the first step
  bool preconditioned = true;   // P from the scores; otherwise 1

  // For point methods that borrow this recipe.
  bool variates = true;  // c_k and C correct the steps
  bool prior = true;     // the target is the posterior; otherwise the likelihood alone
  double proximal = 0;   // mu of a pull to Z
  bool steered = true;   // momentum may be in the steps; otherwise it is the server's

  // With what "usual" and "auto" stand for on this model.
  CDsvgdSetup settled_for(const Model& model) const;

  bool couples(Index dimension) const;
  // `repulsion`, where it is "auto": networks whose weights are not coupled.
  std::string repulsion_of(const Model& model) const;
};

// DSVGD with control variates: SVGD at every agent, on its own rows and on what is known of all other agents' scores,
// particle by particle as SCAFFOLD (Karimireddy et al. 2020) does it for a point, and on the last rounds' mean
// direction M, as SCAFFOLD-M (Cheng et al. 2024) does. Scores are per row: g_k(x) is the mean score of agent k's rows
// at x, prior/n the prior's share, w_k = n_k / n.
//
//   server     sends Z, B = b C + (1 - b) M and the steps' lengths eta P
//   agent k    x <- Z;  L times, on a minibatch:  s = g_k(x) + prior(x)/n
//                                                 x <- x + eta P * N phi(x, b (s - c_k) + B)
//              c_k+ = mean of the s on the way;  q_k = root mean square of the s - c_k, over particles too
//              uploads x - Z, c_k+ - c_k, q_k and its mean log likelihood at Z
//   server     V <- beta V + sum over the round of n_k/n_S (x_k - Z);  Z <- Z + V
//              C <- C + sum over the round of w_k (c_k+ - c_k)
//              M <- sum over the round of n_k/n_S (x_k - Z) / (L eta P): the mean direction on the way
//              P = 1 / (root of the running mean of squared s - c_k + C, + 1e-3), of mean 1;  eta by StepControl
//              predicts with a running mean of Z, half of it the last one: momentum makes Z swing about where it goes
//
// Momentum is in the steps (b = 0.2, beta = 0) or at the server (b = 1, beta = 0.8). In the steps an agent's own rows
// have a fifth of the say, so that agents who differ go apart five times slower, and steps can be longer; what they
// found still counts in full, through C and M, from the next round on. Agents who are alike had better follow their own
// rows at once. So it is in the steps where the agents' first mean scores differ by more than twice their mean (the
// variance over agents, relative to its square): below 0.3 where shards are alike, above 4 where ten agents have one to
// three of ten classes. Few parameters, coupled by the kernel, have it at the server: the direction of a whole round is
// too late for them.
//
// phi is SVGD's direction, its repulsion divided by n as the scores are. Its fixed point is that of SVGD with all data:
// C is then the total score, which c_k replaces by the agent's own. Where all agents take part, or one at a time, an
// agent's first visit measures c_k and takes no step: without it agents who differ pull Z away from any good start.
// Where some take part they take steps at once: what was measured at the start would be stale when they are seen again.
// With one agent a round there is no momentum: b = 1, beta = 0.
//
// The squares hold the minibatches' noise beside C, which near the end is all there is. A score's variance over rows is
// the curvature there (Fisher's information), so that P still knows stiff coordinates when C is zero.
//
// A round is undone when the agents report that its belief was clearly worse than the one before: Z, C, M and P go
// back, and so do the c_k of the agents who had part in it, which learn of it with their next task. The updates that
// came with those reports are left out (folded with weight 0). When a local loop leaves the finite numbers, leads a
// thousand times too far or to where the agent's own rows are nonsense, its agent says so, and the round is tried again
// with half the step. One agent alone cannot go on with that: ReportWatch then leaves its updates out (not folded), and
// the round goes on with the others.
//
// Traffic: (2 N + 1) d numbers each way, and one or two more. An agent keeps 2 N d (3 N d while an upload waits).
//
// Where predictions repel each other (PredictionRepulsion), a step has gamma times their repulsion beside s. It is not
// in c_k and q_k, for it is drawn anew in every step, and what an agent remembers of it is noise. It is in M, which is
// a mean over many.
//
// Choices: few parameters are coupled by SVGD's kernel, which keeps the spread that SVGD has. In many dimensions it
// mixes scores and repels nothing, so that above 1,000 parameters particles are independent.
Algorithm c_dsvgd_algorithm(const ParticleExtras& extras = {});

class CDsvgdAgent : public AgentSide {
 public:
  CDsvgdAgent(const AgentContext& context, const CDsvgdSetup& options);

  Update update(const Task& task) override;
  void settle(const Verdict& verdict, const Update& as_sent) override;
  std::string save() const override;
  void restore(const std::string& bytes) override;
  Index state_size() const override { return options_.variates ? variate_.size() : 0; }

 private:
  // The L steps, from Z; x, and the mean of the s - c_k and of their squares. Nothing: they left the finite numbers.
  struct Path {
    Particles end;
    Matrix mean_score;
    RowVector mean_square;
  };
  std::optional<Path> walk(const Task& task) const;
  // Mean log likelihood of the belief, of the same rows every time.
  std::optional<double> likelihood_at(const Particles& z, Index most_rows) const;
  bool leads_astray(const Particles& from, const Particles& to) const;

  AgentContext context_;
  CDsvgdSetup options_;
  std::shared_ptr<const Kernel> kernel_;
  LocalSvgd svgd_;
  ControlVariate variate_;  // c_k
};

class CDsvgdServer : public ServerSide {
 public:
  CDsvgdServer(const ServerContext& context, const CDsvgdSetup& options);

  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override;
  std::string objection(const Update& update) const override;
  std::vector<Verdict> fold(Index round, const std::vector<Update>& updates) override;
  // "step": eta of the next round; "undone": whether the last one was; "left_out": how many agents' updates, if any;
  // "difference": of the agents' first scores, where it decides something.
  std::map<std::string, double> figures() const override;
  std::string why_left_out(Index agent) const override;
  Particles particles() const override { return now_.mean; }
  Particles working_particles() const override { return now_.z; }
  std::string save() const override;
  void restore(const std::string& bytes) override;

 private:
  // All that a round changes, and that goes back when it is undone.
  struct State {
    Particles z;
    Particles mean;  // of the z so far, the last ones above all
    Matrix c;
    Matrix direction;           // M
    Matrix mean_square;         // 1 x d, of the scores on the way, not yet corrected for its start
    double squares_weight = 0;  // the correction
  };
  // What the server remembers of an agent.
  struct Known {
    Index uploads = 0;        // that count
    Index last = 0;           // the round of the last; 0: none
    bool taken_back = false;  // the last one does not count any more
  };

  RowVector rates() const;
  // Of agents on their first visit: the variance of their mean scores, relative to the square of the mean.
  double difference_of(const std::vector<Update>& updates) const;
  // Whether momentum is in the steps.
  bool steers() const;
  // b, of a round with so many agents.
  double own_say(std::size_t agents) const;
  // B
  Matrix steering(double own_say) const;
  // Of an update: the mean direction on the way, and the mean square of its corrected scores.
  DoubleMatrix direction_of(const Update& update, double own_say) const;
  Matrix squares_of(const Update& update) const;
  std::vector<BeliefReport> reports_of(const std::vector<Update>& updates) const;
  double share_of(Index agent) const;
  // What follows from the updates. Throws Divergence when it is not finite.
  struct Next {
    State state;
    Matrix velocity;
    double difference = 0;  // of the agents' mean scores, after the first round
  };
  Next after(Index round, const std::vector<Update>& updates) const;
  void take(Index round, const std::vector<Update>& updates, Next next);
  // Throws Divergence where no step size helps, with what would.
  void check_hope(const ReportWatch::Sifted& sifted, const StepControl& control) const;
  static std::string remedy();
  void go_back();
  void limit_first_step();
  State read_state(StateReader& reader) const;

  const Model* model_;
  std::vector<Index> rows_;
  CDsvgdSetup options_;
  Index version_ = 0;
  State now_;
  Matrix velocity_;              // V
  double difference_ = 0;        // of the first round
  std::optional<State> before_;  // the last kept round
  std::vector<Index> folded_;    // whose updates made now_ from before_
  std::vector<Known> known_;
  StepControl control_;
  ReportWatch watch_;
  bool undone_ = false;               // the last round
  std::vector<Index> left_out_ = {};  // of it
};

CDsvgdSetup c_dsvgd_options(const Settings& settings);

}  // namespace fedstein
