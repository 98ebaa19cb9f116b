// SPDX-License-Identifier: Apache-2.0
// Saving and restoring of P-DSVGD, and its settings; the algorithm itself is in p_dsvgd.cc.
#include "fedstein/methods/p_dsvgd.h"
#include "fedstein/methods/particles/repulsion.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

void write(StateWriter& writer, const ScoreField::Parts& parts) {
  writer.matrix(parts.anchors);
  writer.matrix(parts.coefficients);
}

ScoreField::Parts read_parts(StateReader& reader, Index particles, Index dimension) {
  Matrix anchors = reader.matrix();
  Matrix coefficients = reader.matrix();
  if (anchors.size() > 0) expect_shape(anchors, particles, dimension);
  expect_shape(coefficients, anchors.rows(), anchors.cols());
  return {std::move(anchors), std::move(coefficients)};
}

}  // namespace

std::string PDsvgdAgent::save() const {
  StateWriter writer("p-dsvgd agent");
  write(writer, factor_);
  fedstein::write(writer, accepted_);
  fedstein::write(writer, pending_ ? std::optional(pending_->round) : std::nullopt);
  if (pending_) write(writer, pending_->factor);
  return std::move(writer).finish();
}

void PDsvgdAgent::restore(const std::string& bytes) {
  StateReader reader(bytes, "p-dsvgd agent");
  const Index n = options_.rows();
  const Index d = context_.model->dimension();
  ScoreField::Parts factor = read_parts(reader, n, d);
  auto accepted = read_round(reader, n, d);
  std::optional<Pending> pending;
  if (auto round = read_round(reader, n, d)) {
    pending.emplace();
    pending->round = std::move(*round);
    pending->factor = read_parts(reader, n, d);
  }
  reader.finish();
  factor_ = std::move(factor);
  accepted_ = std::move(accepted);
  pending_ = std::move(pending);
}

Index PDsvgdAgent::state_size() const {
  Index size = factor_.anchors.size() + factor_.coefficients.size() + size_of(accepted_);
  if (pending_) {
    size += pending_->factor.anchors.size() + pending_->factor.coefficients.size();
    size += size_of(std::optional(pending_->round));
  }
  return size;
}

std::string PDsvgdServer::save() const {
  StateWriter writer("p-dsvgd server");
  belief_.write(writer);
  writer.integer(static_cast<std::int64_t>(verdicts_.size()));
  for (const auto& [agent, verdict] : verdicts_) {
    writer.integer(agent);
    writer.integer(verdict.round);
    writer.number(verdict.weight);
  }
  writer.integer(static_cast<std::int64_t>(locals_.size()));
  for (const auto& [agent, local] : locals_) {
    writer.integer(agent);
    writer.matrix(local);
  }
  return std::move(writer).finish();
}

void PDsvgdServer::restore(const std::string& bytes) {
  StateReader reader(bytes, "p-dsvgd server");
  VersionedBelief belief = belief_.read(reader);
  std::map<Index, Verdict> verdicts;
  for (std::int64_t left = reader.integer(); left > 0; --left) {
    Verdict verdict{.round = 0, .agent = reader.integer(), .folded = true, .weight = 0};
    verdict.round = reader.integer();
    verdict.weight = reader.number();
    verdicts[verdict.agent] = verdict;
  }
  std::map<Index, Particles> locals;
  for (std::int64_t left = reader.integer(); left > 0; --left) {
    const Index agent = reader.integer();
    locals[agent] = reader.matrix();
    expect_shape(locals[agent], belief_.front().rows(), belief_.front().cols());
  }
  reader.finish();
  belief_ = std::move(belief);
  verdicts_ = std::move(verdicts);
  locals_ = std::move(locals);
}

PDsvgdSetup p_dsvgd_options(const Settings& settings) {
  const DsvgdSetup dsvgd = dsvgd_options(settings);
  PDsvgdSetup options{
      dsvgd, settings.text("fold"), settings.number("damping"), settings.integer("server_steps"), dsvgd.distillation};
  read_repulsion(settings, options);
  const bool paper = options.fold == "paper";
  check_argument(options.distillation.kind == (paper ? "svgd" : "score"),
                 "p-dsvgd",
                 "fold = '" + options.fold + "' with distillation = '" + options.distillation.kind +
                     "'; allowed: mean, svgd or barycentre with score, paper with svgd");
  check_argument(
      !paper || options.damping == 0 || options.damping == 1,
      "p-dsvgd",
      "damping is " + to_text(options.damping) + "; fold = 'paper' is undamped and takes 1 (or 0, its default)");
  if (paper) options.damping = 1;
  return options;
}

}  // namespace fedstein
