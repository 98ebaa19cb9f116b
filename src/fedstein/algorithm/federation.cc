// SPDX-License-Identifier: Apache-2.0
#include "fedstein/algorithm/federation.h"

#include <algorithm>

#include "fedstein/federated/state.h"
#include "fedstein/numeric/check.h"

namespace fedstein {

AgentContext context_of(
    const Model& model, const Batch& rows, Index agent, const FederationSize& size, std::uint64_t seed) {
  check(agent >= 0 && agent < size.agents, "context_of", [&] {
    return "agent is " + std::to_string(agent) + "; allowed: 0 to " + std::to_string(size.agents - 1);
  });
  check(size.total_rows >= rows.x.rows(), "context_of", [&] {
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

LocalFederation::LocalFederation(const Algorithm& algorithm,
                                 const Settings& settings,
                                 const Model& model,
                                 const std::vector<Batch>& shards,
                                 const FederationOptions& options) {
  check(!shards.empty(), "LocalFederation", "no shards; at least 1 agent is needed");
  check(!algorithm.centralised || shards.size() == 1, "LocalFederation", [&] {
    return algorithm.name + " is centralised and takes 1 shard, not " + std::to_string(shards.size());
  });
  if (algorithm.objection) {
    const std::string objection = algorithm.objection(model);
    check(objection.empty(), algorithm.name.c_str(), objection);
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

std::vector<AgentSide*> LocalFederation::agent_pointers() const {
  std::vector<AgentSide*> pointers;
  for (const auto& agent : agents_) pointers.push_back(agent.get());
  return pointers;
}

std::string LocalFederation::save() const {
  StateWriter writer("federation");
  const auto append = [&](const std::string& bytes) { writer.text(bytes); };
  append(server_->save());
  writer.integer(agents());
  for (const auto& agent : agents_) append(agent->save());
  return std::move(writer).finish();
}

void LocalFederation::restore(const std::string& bytes) {
  StateReader reader(bytes, "federation");
  const std::string server = reader.text();
  if (const std::int64_t count = reader.integer(); count != agents()) {
    throw BadState("saved state: " + std::to_string(count) + " agents; this federation has " +
                   std::to_string(agents()));
  }
  std::vector<std::string> states;
  for (Index k = 0; k < agents(); ++k) states.push_back(reader.text());
  reader.finish();
  // All or nothing: a part that is refused takes the parts before it back with it.
  const std::string before = save();
  try {
    server_->restore(server);
    for (std::size_t k = 0; k < states.size(); ++k) agents_[k]->restore(states[k]);
  } catch (...) {
    if (bytes != before) restore(before);
    throw;
  }
}

}  // namespace fedstein
