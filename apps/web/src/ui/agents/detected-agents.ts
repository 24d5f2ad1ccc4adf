/** Agents that the server has found on its machine, in the order in which one would choose, and the settings of each. Pure. */
import type { CallResult } from "@atrium/client";

export type AgentDetection = Pick<CallResult<"agents.discover">, "agentPrograms" | "modelServers">;
export type DetectedAgent =
  | AgentDetection["agentPrograms"][number]
  | AgentDetection["modelServers"][number];
export type DetectionState = DetectedAgent["state"];

const ORDER: readonly DetectionState[] = [
  "ready",
  "login-unknown",
  "login-needed",
  "too-old",
  "broken",
  "missing",
];

/** What can be used first; among equals, as the server lists them. */
export function usableFirst({
  agentPrograms,
  modelServers,
}: AgentDetection): readonly DetectedAgent[] {
  return [...agentPrograms, ...modelServers].toSorted(
    (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state),
  );
}

/** Undefined: it cannot be connected yet. */
export function settingsFor({ id, runtime }: DetectedAgent): string | undefined {
  return runtime && JSON.stringify({ runtimes: { [id]: runtime } }, null, 2);
}
