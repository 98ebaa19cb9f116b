// SPDX-License-Identifier: Apache-2.0
// What has happened, the newest first.
import { h } from "../dom";
import { tableElement } from "../table";
import type { Parts, ServerEvent } from "./parts";
import { disclosure } from "./section";

const kShown = 12;

// A page that follows the records of rounds has no server to ask, nor times.
const kNothing = {
  server: "Nothing has happened that needs a word: no refusal, no missed deadline, no failure.",
  rounds: "No round has lost an agent's update.",
};

const kKinds: Record<string, string> = {
  refused: "refused",
  lapse: "no heartbeat",
  deadline: "missed deadline",
  failure: "failure",
  revocation: "revocation",
  retry: "came back",
  notice: "notice",
};

export function eventsSection(parts: Parts, opened: ReadonlySet<string>): HTMLElement | null {
  if (parts.run?.kind !== "federation") return null;
  const events = [...parts.events].reverse();
  const rest = events.slice(kShown);
  return h(
    "section",
    { id: "events", "aria-labelledby": "events-title" },
    h("h2", { id: "events-title" }, "Events"),
    events.length === 0 ? h("p", { class: "lead" }, kNothing[parts.federation?.address ? "server" : "rounds"]) : table(events.slice(0, kShown), "Latest events"),
    rest.length > 0 && disclosure("events-more", `${rest.length} earlier events`, opened, () => table(rest, "Earlier events")),
  );
}

function table(events: ServerEvent[], label: string): HTMLElement {
  return tableElement(
    {
      caption: "",
      columns: ["Time (UTC)", "Agent", "Event", "In words"],
      rows: events.map((event) => [
        event.at.slice(11, 19) || "–",
        event.agent || (event.kind === "notice" ? "–" : "a stranger"),
        `${kKinds[event.kind] ?? event.kind}${event.times > 1 ? `, ${event.times} times` : ""}`,
        event.reason,
      ]),
    },
    { label, stack: true },
  );
}
