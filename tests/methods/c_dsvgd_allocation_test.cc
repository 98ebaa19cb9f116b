// SPDX-License-Identifier: Apache-2.0
// A local step of c-dsvgd allocates nothing: a round of 40 steps no more than one of 20.
#include <gtest/gtest.h>

#include "fedstein/methods/methods.h"
#include "fedstein/model/bnn_classification.h"
#include "fedstein/model/bnn_regression.h"
#include "fedstein/model/logistic_regression.h"
#include "fedstein/numeric/parallel.h"
#include "methods/toy_federation.h"
#include "support/allocation_counter.h"
#include "support/random_matrix.h"

namespace fedstein {
namespace {

struct Shape {
  const char* name;
  std::shared_ptr<const Model> model;
  Index inputs;
  Index classes;  // 0: any number is a target
};

std::vector<Shape> shapes() {
  return {{"logistic, few", std::make_shared<LogisticRegression>(2), 2, 2},
          {"logistic, many", std::make_shared<LogisticRegression>(60), 60, 2},
          {"classes",
           std::make_shared<BnnClassification>(BnnClassification::Options{.inputs = 49, .hidden = 10, .classes = 10}),
           49,
           10},
          {"regression", std::make_shared<BnnRegression>(BnnRegression::Options{.inputs = 8, .hidden = 10}), 8, 0}};
}

Vector targets_of(const Shape& shape, Index rows) {
  Vector y = random_matrix(rows, 1, 2).col(0);
  if (shape.classes == 2) return (y.array() > 0).select(Vector::Ones(rows), -Vector::Ones(rows));
  for (Index i = 0; shape.classes > 0 && i < rows; ++i) y(i) = static_cast<Real>(i % shape.classes);
  return y;
}

// Of an agent's work in a round, whose scratch memory has grown before.
long allocations_of(const Shape& shape, const Batch& rows, const std::string& kernel, Index steps) {
  Federation made(methods::c_dsvgd({.particles = 5, .local_steps = steps, .batch = 16, .kernel = kernel}),
                  *shape.model,
                  {rows},
                  {.seed = 1});
  made.run({.rounds = 2});
  const Task task = made.server().plan(3, {0}).front();
  made.agent(0).update(task);
  const long before = allocations_so_far();
  made.agent(0).update(task);
  return allocations_so_far() - before;
}

TEST(CDsvgdAllocation, LocalStepsDoNotAllocate) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizers own malloc in this build";
  // One thread: the scheduler's own task objects are its affair, not the loop's.
  const ThreadLimit one(1);
  for (const Shape& shape : shapes()) {
    const Matrix x = random_matrix(100, shape.inputs, 1);
    const Vector y = targets_of(shape, 100);
    for (const char* const kernel : {"rbf", "none"}) {
      const long twenty = allocations_of(shape, {x, y}, kernel, 20);
      EXPECT_GT(twenty, 0);
      EXPECT_LE(allocations_of(shape, {x, y}, kernel, 40), twenty) << shape.name << ", " << kernel;
    }
  }
}

}  // namespace
}  // namespace fedstein
