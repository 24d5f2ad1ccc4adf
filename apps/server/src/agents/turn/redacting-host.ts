/** A host to which a turn cannot tell secrets: what it calls, asks and requests is masked on its way to the log. */
import type { TurnHost } from "./agent-runtime.ts";
import { redactDeep } from "./redact.ts";

export function redactingHost(host: TurnHost, secrets: Iterable<string>): TurnHost {
  return {
    ...host,
    async callTool(name, input, signal, callId) {
      const result = await host.callTool(name, redactDeep(input, secrets), signal, callId);
      return redactDeep(result, secrets);
    },
    ask: (question, signal) => host.ask(redactDeep(question, secrets), signal),
    requestPermission: (request, signal) =>
      host.requestPermission(redactDeep(request, secrets), signal),
  };
}
