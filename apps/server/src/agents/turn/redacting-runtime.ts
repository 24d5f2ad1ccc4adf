/**
 * Any runtime, but without a secret in anything it says, calls, asks, returns or fails with: not the server's own, which
 * an agent that runs with the rights of its user may have read, nor those its programs were given.
 */
import type { AgentRuntime } from "./agent-runtime.ts";
import { withoutSecrets } from "./redact.ts";
import { redactingHost } from "./redacting-host.ts";

/** `secrets` is read with every event: more of them may become known. */
export function redactingRuntime(
  runtime: AgentRuntime,
  secrets: () => readonly string[],
): AgentRuntime {
  const known: Iterable<string> = { [Symbol.iterator]: () => secrets()[Symbol.iterator]() };
  return {
    ...runtime,
    start: (turn, host) => withoutSecrets(known, runtime.start(turn, redactingHost(host, known))),
  };
}
