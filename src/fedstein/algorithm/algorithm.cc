// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/algorithm.h"

#include <algorithm>

#include "fedstein/numeric/check.h"

namespace fedstein {

AgentContext context_of(
    const Model& model, const Batch& rows, Index agent, const FederationSize& size, std::uint64_t seed) {
  check_argument(agent >= 0 && agent < size.agents, "context_of", [&] {
    return "agent is " + std::to_string(agent) + "; allowed: 0 to " + std::to_string(size.agents - 1);
  });
  check_argument(size.total_rows >= rows.x.rows(), "context_of", [&] {
    return "the federation has " + std::to_string(size.total_rows) + " rows in all; this agent alone has " +
           std::to_string(rows.x.rows());
  });
  return {.model = &model,
          .data = rows,
          .agent = agent,
          .total_rows = size.total_rows,
          .seed = seed,
          .agents = size.agents};
}

std::vector<BeliefShape> belief_shapes(const Algorithm& algorithm,
                                       const Settings& settings,
                                       const Model& model,
                                       Index agents) {
  constexpr Index kMostTried = 64;  // agents of a round: more give no other shapes than some of these
  const ServerContext one_row_each{
      .model = &model, .rows = std::vector<Index>(static_cast<std::size_t>(agents), 1), .seed = 0};
  const std::unique_ptr<ServerSide> server = algorithm.make_server(one_row_each, settings);
  std::vector<BeliefShape> shapes;
  std::vector<Index> picked;
  for (Index agent = 0; agent < std::min(agents, kMostTried); ++agent) {
    picked.push_back(agent);
    if (!algorithm.parallel && agent > 0) break;
    for (const Task& task : server->plan(1, picked)) {
      if (shapes.empty()) {
        for (const Matrix& part : task.belief) shapes.push_back({part.rows(), part.rows(), part.cols()});
      }
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        shapes[i].least_rows = std::min(shapes[i].least_rows, task.belief.at(i).rows());
        shapes[i].most_rows = std::max(shapes[i].most_rows, task.belief.at(i).rows());
      }
    }
  }
  return shapes;
}

Belief largest_belief(const std::vector<BeliefShape>& shapes) {
  Belief out;
  for (const BeliefShape& shape : shapes) out.push_back(Matrix::Zero(shape.most_rows, shape.columns));
  return out;
}

std::string objection_to(const Belief& belief, const std::vector<BeliefShape>& shapes) {
  if (belief.size() != shapes.size()) {
    return std::to_string(belief.size()) + " matrices, expected " + std::to_string(shapes.size());
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const BeliefShape& shape = shapes[i];
    const Index rows = belief[i].rows();
    if (belief[i].cols() != shape.columns || rows < shape.least_rows || rows > shape.most_rows) {
      return "matrix " + std::to_string(i) + " is " + shape_of(belief[i]) + ", expected " +
             std::to_string(shape.least_rows) + " to " + std::to_string(shape.most_rows) + " rows of " +
             std::to_string(shape.columns);
    }
    // Matrices that vary, vary together.
    if (shape.least_rows < shape.most_rows && rows != belief[0].rows()) {
      return "matrix " + std::to_string(i) + " has " + std::to_string(rows) + " rows, expected " +
             std::to_string(belief[0].rows()) + " as the first one has";
    }
    if (const Position at = first_non_finite(belief[i]); at.row >= 0) {
      return "matrix " + std::to_string(i) + " is not finite in row " + std::to_string(at.row);
    }
  }
  return {};
}

}  // namespace fedstein
