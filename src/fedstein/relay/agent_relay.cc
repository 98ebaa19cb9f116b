// SPDX-License-Identifier: Apache-2.0
#include "fedstein/relay/agent_relay.h"

#include <utility>

#include "fedstein/base/check.h"
#include "fedstein/relay/carried_link.h"
#include "fedstein/relay/forget_word.h"
#include "fedstein/relay/relay_messages.h"
#include "fedstein/store/agent_folder.h"

namespace fedstein {
namespace {

// An error's sentence may hold a value of a row, and stays here. What was thrown as a refusal speaks of rounds, numbers
// of agents and folders only.
std::string words_for_the_server(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kMissing:
      return "a file or folder that it was given is not there; its own log says which";
    case ErrorKind::kData:
      return "its file or its state does not fit this federation; its own log says where";
    case ErrorKind::kInputOutput:
      return "its state folder cannot be read or written; its own log says why";
    default:
      return "it can do nothing with this message; its own log says why";
  }
}

void tell(const AgentRelayOptions& options, const std::string& line) {
  if (options.on_event) options.on_event(line);
}

// With the folder in our hands, until the message is done.
void work_on(const RelayMessage& message,
             AgentWorkshop& workshop,
             const AgentRelayOptions& options,
             AgentFolder& folder,
             RelayAnswer& answer) {
  CarriedLink link(message, answer);
  ForgetWord word(options.state, options.forget_factor);
  {
    AgentRunner runner(link, folder, workshop, {.forget_factor = word.is_new(), .tells_arrival = false});
    try {
      runner.run();
    } catch (const MessageDone&) {
    }
  }
  // What the server may count on from here: the state that is on disk now.
  if (!answer.arrival) return;
  const auto record = folder.read();
  if (!record) return;
  const AgentRecord kept = agent_record_from(*record);
  const bool begun_anew = answer.arrival->hello.forgets && message.addressed &&
                          same_state(*message.addressed, answer.arrival->hello) && !message.letters.empty();
  if (answer.arrival->hello.forgets && !begun_anew) return;  // the old record is there still
  answer.arrival->hello = hello_of(kept);
  if (begun_anew) word.remember();
}

}  // namespace

Parcel AgentRelayWork::answer(const Parcel& parcel) {
  const RelayMessage message = message_from(parcel);
  RelayAnswer answer{.serial = message.serial, .name = options_.name};
  if (!message.charter) return parcel_of(answer);
  try {
    AgentFolder folder(options_.state);
    work_on(message, workshop_, options_, folder, answer);
  } catch (const FolderInUse& error) {
    answer.busy = true;
  } catch (const TurnedAway& error) {
    answer.trouble = error.what();
    tell(options_, error.what());
  } catch (const Error& error) {
    answer.trouble = words_for_the_server(error.kind());
    tell(options_, error.what());
  } catch (const std::exception& error) {
    answer.trouble = words_for_the_server(ErrorKind::kInternal);
    tell(options_, error.what());
  }
  // In trouble no update leaves: what is on disk is found by the next hello.
  if (!answer.trouble.empty()) {
    answer.arrival.reset();
    answer.upload.reset();
  }
  return parcel_of(answer);
}

AgentRelay::AgentRelay(AgentData data, AgentRelayOptions options)
    : data_(std::move(data)), options_(std::move(options)) {
  check_argument(!options_.name.empty(), "AgentRelay", "the agent has no name");
  check_argument(!options_.state.empty(), "AgentRelay", "there is no state folder; an agent must remember what counts");
}

Parcel AgentRelay::apology(const Parcel& message) const {
  return parcel_of(RelayAnswer{.serial = message_from(message).serial,
                               .name = options_.name,
                               .trouble = words_for_the_server(ErrorKind::kInternal)});
}

Parcel AgentRelay::answer(const Parcel& message) {
  AgentWork work(data_, [this](const std::string& line) { tell(options_, line); });
  return AgentRelayWork(work, options_).answer(message);
}

}  // namespace fedstein
