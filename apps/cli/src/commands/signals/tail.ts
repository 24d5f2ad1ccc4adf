/**
 * `atrium signals tail`: signals as they happen. A connection that breaks is taken up again where it was, so nothing
 * is missed and nothing shown twice.
 */
import { followSignals, SignalsRefused } from "@atrium/client";
import { CliError, EXIT, messageOf } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import { usageError, readLimit, SERVER_OPTIONS } from "../../command-line/read-args.ts";
import { findServer, type ServerPlace } from "../../server/find-server.ts";
import { describeSignal } from "./describe-signal.ts";

const NAME = "signals tail";
const only = { type: "string", multiple: true } as const;

export const tail = command({
  name: NAME,
  calls: [[NAME, "what happens, as it happens"]],
  options: {
    type: {
      ...only,
      takes: "NAME",
      says: "only signals of this type; several times for several, * at the end",
    },
    source: { ...only, takes: "NAME", says: "only what this producer tells" },
    agent: { ...only, takes: "ID", says: "only about this agent" },
    correlation: { ...only, takes: "ID", says: "only of this run or project" },
    after: { type: "string", takes: "POSITION", says: "from there: 0 is the beginning of the log" },
    limit: { type: "string", takes: "N", says: "so many, then end" },
    json: { type: "boolean", says: "as they are, one a line, for programs" },
    ...SERVER_OPTIONS,
  },
  examples: ["atrium signals tail --type 'tool_*' --after 0"],
  async run({ values }, surroundings) {
    const { terminal } = surroundings;
    const { type, source, agent, correlation, after, json: isJson } = values;
    const limit = readLimit(NAME, values.limit, { usual: Infinity, most: Infinity });
    const place = await findServer(values, surroundings);
    const { url, token } = place;
    const wanted = { url, token, type, source, agent, correlationId: correlation, after };
    let isOpen = false;
    let shown = 0;
    try {
      for await (const update of followSignals(wanted)) {
        switch (update.type) {
          case "open":
            isOpen = true;
            break;
          case "lost":
            // The first attempt decides: a command that cannot begin says so at once.
            if (!isOpen) throw unreachable(place, update.cause);
            break;
          case "reset":
            terminal.err("atrium: the server has another log now; what was before is gone\n");
            break;
          case "signal": {
            const { signal } = update;
            terminal.out(
              isJson === true
                ? `${JSON.stringify(signal)}\n`
                : describeSignal(signal, terminal.paint),
            );
            if (++shown === limit) return EXIT.ok;
          }
        }
      }
    } catch (cause) {
      throw cause instanceof SignalsRefused ? refused(place, cause) : cause;
    }
    return EXIT.ok;
  },
});

function unreachable({ url }: ServerPlace, cause: unknown): CliError {
  const advice = "Find out why with: atrium doctor";
  return new CliError(`${url} does not answer: ${messageOf(cause)}.`, { advice }, cause);
}

function refused({ url }: ServerPlace, cause: SignalsRefused): CliError {
  const { status, message } = cause;
  if (status === 400) return usageError(NAME, message);
  if (status !== 401) return new CliError(`${url} does not tell signals: ${message}`, {}, cause);
  const advice = "Give its token with --token, or in ATRIUM_TOKEN.";
  return new CliError(`${url} does not let us in: ${message}.`, { advice }, cause);
}
