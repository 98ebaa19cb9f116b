// SPDX-License-Identifier: Apache-2.0
#include "raising_agent.h"

#include <stdexcept>
#include <utility>

#include "errors.h"

namespace fedstein::python {
namespace {

// Ctrl-C and exit() are no mistakes of the function that they interrupt.
bool ends_the_program(const nb::python_error& error) {
  return !error.matches(PyExc_Exception);
}

std::string words_of(const PassingThrough& passing) {
  try {
    std::rethrow_exception(passing.error);
  } catch (nb::python_error& error) {
    const Visit visit;
    if (!visit.is_welcome()) throw passing;
    const nb::gil_scoped_acquire lock;
    if (ends_the_program(error)) throw passing;
    return error.what();
  } catch (const std::exception& error) {
    return error.what();
  }
}

class RaisingAgent : public AgentSide {
 public:
  RaisingAgent(std::unique_ptr<AgentSide> inner, std::function<void(const std::string&)> tell)
      : inner_(std::move(inner)), tell_(std::move(tell)) {}

  Update update(const Task& task) override {
    try {
      return inner_->update(task);
    } catch (const PassingThrough& passing) {
      tell_("round " + std::to_string(task.round) + ": a function of your own has failed: " + words_of(passing));
    }
    throw std::runtime_error("a function of the user's own has failed; the agent's own log says how");
  }
  void settle(const Verdict& verdict, const Update& as_sent) override { inner_->settle(verdict, as_sent); }
  std::string save() const override { return inner_->save(); }
  void restore(const std::string& bytes) override { inner_->restore(bytes); }
  Index state_size() const override { return inner_->state_size(); }

 private:
  std::unique_ptr<AgentSide> inner_;
  std::function<void(const std::string&)> tell_;
};

}  // namespace

std::unique_ptr<AgentSide> raising_agent(std::unique_ptr<AgentSide> inner,
                                         std::function<void(const std::string&)> tell) {
  return std::make_unique<RaisingAgent>(std::move(inner), std::move(tell));
}

}  // namespace fedstein::python
