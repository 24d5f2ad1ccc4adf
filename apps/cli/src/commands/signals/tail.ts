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
  calls: [[NAME, "show signals as they happen"]],
  options: {
    type: {
      ...only,
      takes: "NAME",
      help: "only this type; repeat for several; * at the end matches any rest",
    },
    source: { ...only, takes: "NAME", help: "only from this producer" },
    agent: { ...only, takes: "ID", help: "only about this agent" },
    correlation: { ...only, takes: "ID", help: "only of this run or project" },
    after: {
      type: "string",
      takes: "POSITION",
      help: "start after this position; 0 is the start of the log",
    },
    limit: { type: "string", takes: "N", help: "exit after N signals" },
    json: { type: "boolean", help: "print JSON, one signal per line" },
    ...SERVER_OPTIONS,
  },
  examples: ["atrium signals tail --type 'tool_*' --after 0"],
  async run({ values }, environment) {
    const { terminal } = environment;
    const { type, source, agent, correlation, after, json: isJson } = values;
    const limit = readLimit(NAME, values.limit, { usual: Infinity, most: Infinity });
    const place = await findServer(values, environment);
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
            terminal.err("atrium: the server has a new log; earlier signals are not available\n");
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
  const advice = "To find the cause, run: atrium doctor";
  return new CliError(`${url} does not answer: ${messageOf(cause)}.`, { advice }, cause);
}

function refused({ url }: ServerPlace, cause: SignalsRefused): CliError {
  const { status, message } = cause;
  if (status === 400) return usageError(NAME, message);
  if (status !== 401) return new CliError(`${url} did not send signals: ${message}`, {}, cause);
  const advice = "Pass the token with --token or ATRIUM_TOKEN.";
  return new CliError(`${url} rejected the connection: ${message}.`, { advice }, cause);
}
