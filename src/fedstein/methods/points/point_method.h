// SPDX-License-Identifier: Apache-2.0
// What the methods share that learn one point instead of a distribution: settings, start, and the plain parts of both
// halves.
//
// The local loss of agent k is the mean over its rows, F_k(w) = 1/n_k sum_i l_i(w), as in McMahan et al. (2017), so
// that learning rates and proximal terms mean the same whatever the size of a shard. With `prior` it is F_k(w) -
// alpha/n log p0(w): the weighted sum over all agents is then the negative log posterior over n, and the point its
// maximum. For the networks that is weight decay. Without it (the default, as both FedAvg's paper and ours say:
// "minimize its local loss"), a coordinate that the likelihood does not see, such as the log precision of logistic
// regression, stays at its start; no prediction depends on it.
//
// SVGD with one particle is gradient ascent, so LocalSvgd runs the local steps of these methods too.
#pragma once

#include "fedstein/federated/forgetful_agent.h"
#include "fedstein/federated/versioned_belief.h"
#include "fedstein/methods/particles/particle_method.h"

namespace fedstein {

struct PointOptions : ParticleOptions {
  bool prior = false;
};

// `start` = "usual": 0, or for models that cannot start there (networks) their initialisation.
std::vector<Setting> point_settings();
PointOptions point_options(const Settings& settings);

// 1 x d.
Matrix initial_point(const Model& model, const PointOptions& options, std::uint64_t seed);

// The gradient of -1/2 |w - anchor|^2. Borrows the anchor.
class AnchorScore : public Score {
 public:
  explicit AnchorScore(const Matrix& anchor) : anchor_(&anchor) {}
  void add(const ConstMatrixRef& theta, Index, double weight, MatrixRef grad) const override {
    grad += static_cast<Real>(weight) * (*anchor_ - theta);
  }

 private:
  const Matrix* anchor_;
};

// The local loss of a round as terms: minus its gradient. Borrows the context's model and data.
class LocalLoss {
 public:
  LocalLoss(const AgentContext& context, const PointOptions& options, Index round);
  LocalLoss(const LocalLoss&) = delete;  // its terms point into it
  LocalLoss& operator=(const LocalLoss&) = delete;
  const Terms& terms() const { return terms_; }

 private:
  std::unique_ptr<MinibatchLikelihood> loglik_;
  PriorScore prior_;
  Terms terms_;
};

// A server that sends all agents the same belief; what it does with their answers is left to the method.
class PointServer : public ServerSide {
 public:
  std::vector<Task> plan(Index round, const std::vector<Index>& agents) const override {
    return belief_.plan(round, agents);
  }
  std::string objection(const Update& update) const override;
  Particles particles() const override { return belief_.front(); }
  std::string save() const override;
  void restore(const std::string& bytes) override;

 protected:
  // owner: names the method in saved state, a literal.
  PointServer(const char* owner, const ServerContext& context, Belief start);

  const Belief& belief() const { return belief_.parts(); }
  // How many rounds the belief has taken in.
  Index version() const { return belief_.version(); }
  // For updates of other shapes than the belief's.
  std::string objection_like(const Update& update, const Belief& expected) const;
  // Ends a fold: nothing after it may throw.
  void replace(Belief next) noexcept { belief_.replace(std::move(next)); }
  // n_k / n, over the agents of these updates or over all; equal when nobody has a row.
  std::vector<double> shares(const std::vector<Update>& updates) const;
  std::vector<double> total_shares(const std::vector<Update>& updates) const;
  static std::vector<Verdict> accept(Index round,
                                     const std::vector<Update>& updates,
                                     const std::vector<double>& weights);
  static std::vector<Verdict> accept(Index round, const std::vector<Index>& agents, const std::vector<double>& weights);

  // For folds of sums. n_k, or 1 when nobody has a row; and its total, over these agents or over all. Throws Divergence
  // when none of these agents has a row but others have: their sum then carries nothing.
  double weight_of(Index agent) const;
  double weight_of(const std::vector<Index>& agents) const;
  double weight_of_all() const;
  // weight_of() each of these agents, over `all`.
  std::vector<double> shares_of(const std::vector<Index>& agents, double all) const;

  // What a method keeps besides its belief. recall() refuses with BadState before it changes anything.
  virtual std::vector<Matrix> memory() const { return {}; }
  virtual void recall(std::vector<Matrix> memory);

 private:
  const char* owner_;
  std::vector<Index> rows_;  // of each agent
  VersionedBelief belief_;
};

// sum_k weights_k updates_k.belief[part], summed in double.
DoubleMatrix weighted_sum(const std::vector<Update>& updates, const std::vector<double>& weights, std::size_t part = 0);
// As numbers of the build; throws Divergence where one is not finite.
Matrix checked_point(const DoubleMatrix& values, const char* method);

}  // namespace fedstein
