// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/particles/factor.h"

#include <utility>

#include "fedstein/methods/particles/signed_sum.h"
#include "fedstein/numeric/check.h"
#include "fedstein/stein/floored_kde.h"
#include "fedstein/stein/kde.h"
#include "fedstein/stein/score_field.h"

namespace fedstein {
namespace {

class ScoreFactor : public Factor {
 public:
  ScoreFactor(const Model& model, const ParticleOptions& options, double ridge)
      : Factor(model, options.kde_bandwidth), ridge_(ridge) {}

  std::unique_ptr<Score> score() const override {
    if (parts_.anchors.size() == 0) return std::make_unique<SignedSum>();
    return std::make_unique<ScoreField>(parts_);
  }

  // S = t_k(Z) + q(i)(Z) - q(i-1)(Z) at the new particles Z, then a field through it.
  void distil(const LocalRound& round) override {
    const auto t = score();
    const auto [after, before] = posteriors(round);
    Matrix values(round.after.rows(), round.after.cols());
    evaluate_terms({{+1, *t}, {+1, *after}, {-1, *before}}, round.after, 0, values);
    parts_ = ScoreField::fit(round.after, values, ridge_);
  }

  std::vector<Matrix> memory() const override { return {parts_.anchors, parts_.coefficients}; }
  std::string name() const override { return "score"; }
  void recall(std::vector<Matrix> memory, Index particles) override {
    if (memory.size() != 2) throw BadState("saved state: a score field has 2 matrices");
    const Index rows = memory[0].size() == 0 ? 0 : particles;
    for (const Matrix& part : memory) expect_shape(part, rows, rows == 0 ? part.cols() : model().dimension());
    parts_ = {std::move(memory[0]), std::move(memory[1])};
  }

 private:
  double ridge_;
  ScoreField::Parts parts_;
};

// Local particles for p0 t_k: the KDE of t_k alone would be wider than any prior allows and run away.
class SvgdFactor : public Factor {
 public:
  SvgdFactor(const Model& model, const ParticleOptions& options, Index steps, Particles start)
      : Factor(model, options.kde_bandwidth), svgd_(model, options), steps_(steps), local_(std::move(start)) {}

  std::unique_ptr<Score> score() const override {
    auto sum = std::make_unique<SignedSum>();
    if (visited_) {
      sum->append(+1, std::make_unique<Kde>(local_, kde_bandwidth()));
      sum->append(-1, std::make_unique<PriorScore>(model()));
    }
    return sum;
  }

  void distil(const LocalRound& round) override {
    const auto t = score();
    const auto [after, before] = posteriors(round);
    const PriorScore prior(model());
    svgd_(local_, {{+1, *after}, {-1, *before}, {+1, *t}, {+1, prior}}, steps_);
    visited_ = true;
  }

  std::vector<Matrix> memory() const override { return {local_, Matrix::Constant(1, 1, visited_ ? 1 : 0)}; }
  std::string name() const override { return "svgd"; }
  void recall(std::vector<Matrix> memory, Index particles) override {
    if (memory.size() != 2) throw BadState("saved state: local particles and a mark are 2 matrices");
    expect_shape(memory[0], particles, model().dimension());
    expect_shape(memory[1], 1, 1);
    local_ = std::move(memory[0]);
    visited_ = memory[1](0, 0) != 0;
  }

 private:
  LocalSvgd svgd_;
  Index steps_;
  Particles local_;
  bool visited_ = false;
};

// The released code's tilted target is q - t_k + prior + loglik, q and t_k floored KDEs from the start on; so what it
// treats as the factor is t_k - prior.
class ReferenceFactor : public Factor {
 public:
  ReferenceFactor(const Model& model, const ParticleOptions& options, Index steps, Particles start)
      : Factor(model, options.kde_bandwidth), svgd_(model, options), steps_(steps), local_(std::move(start)) {}

  std::unique_ptr<Score> score() const override {
    auto sum = std::make_unique<SignedSum>();
    sum->append(+1, floored(local_));
    sum->append(-1, std::make_unique<PriorScore>(model()));
    return sum;
  }

  std::unique_ptr<Score> posterior(const Particles& particles, Index /*version*/) const override {
    return floored(particles);
  }

  void distil(const LocalRound& round) override {
    const auto t = floored(local_);
    const auto [after, before] = posteriors(round);
    svgd_(local_, {{+1, *after}, {-1, *before}, {+1, *t}}, steps_);
  }

  std::vector<Matrix> memory() const override { return {local_}; }
  std::string name() const override { return "reference"; }
  void recall(std::vector<Matrix> memory, Index particles) override {
    if (memory.size() != 1) throw BadState("saved state: local particles are 1 matrix");
    expect_shape(memory[0], particles, model().dimension());
    local_ = std::move(memory[0]);
  }

 private:
  std::unique_ptr<Score> floored(const Particles& particles) const {
    return std::make_unique<FlooredKde>(particles, kde_bandwidth(), model().weight_dimension());
  }

  LocalSvgd svgd_;
  Index steps_;
  Particles local_;
};

}  // namespace

std::unique_ptr<Score> Factor::posterior(const Particles& particles, Index version) const {
  if (version == 0) return std::make_unique<PriorScore>(model());
  return std::make_unique<Kde>(particles, kde_bandwidth());
}

std::pair<std::unique_ptr<Score>, std::unique_ptr<Score>> Factor::posteriors(const LocalRound& round) const {
  return {posterior(round.after, round.version + 1), posterior(round.before, round.version)};
}

Index Factor::size() const {
  Index size = 0;
  for (const Matrix& part : memory()) size += part.size();
  return size;
}

std::unique_ptr<Factor> make_factor(const Model& model,
                                    const ParticleOptions& options,
                                    const DistillationOptions& distillation,
                                    const Particles& start) {
  if (distillation.kind == "score") return std::make_unique<ScoreFactor>(model, options, distillation.ridge);
  if (distillation.kind == "svgd") return std::make_unique<SvgdFactor>(model, options, distillation.steps, start);
  if (distillation.kind == "reference") {
    return std::make_unique<ReferenceFactor>(model, options, distillation.steps, start);
  }
  throw InvalidArgument("distillation is '" + distillation.kind + "'; allowed: score, svgd, reference");
}

}  // namespace fedstein
