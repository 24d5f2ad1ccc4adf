import { fromClaudeHook, HOOK_AGENTS } from "@atrium/client/hooks";
/**
 * `POST /api/signals/hooks`: one hook of an agent program as the program gives it; which one, the hook's script says.
 *
 *   204    what it tells is durable as signals       400, 413, 415, 429    nothing was taken
 */
import type { Clock, Ids } from "@atrium/core";
import { MAX_JSON_DEPTH, readJson } from "@atrium/wire";
import type { Endpoint } from "../../../http/api.ts";
import { readTextBody, type BodyLimits } from "../../../http/json-body.ts";
import { invalidBody, problem, refusal } from "../../../http/problem.ts";
import type { SignalReceiver } from "./signal-receiver.ts";

export const SIGNAL_HOOKS_PATH = "/api/signals/hooks";

const NOTHING = 204;

export interface PostHookDeps {
  readonly receiver: SignalReceiver;
  readonly limits: BodyLimits;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function createPostHook({ receiver, limits, clock, ids }: PostHookDeps): Endpoint {
  const producer = { newId: () => ids.next(), now: () => clock.now() };
  return async ({ incoming }) => {
    const name = String(incoming.headers["x-atrium-program"]);
    const agent = HOOK_AGENTS.get(name);
    if (agent === undefined) {
      const known = [...HOOK_AGENTS.keys()].join(", ");
      return problem(400, "params.invalid", `X-Atrium-Program is one of: ${known}.`, CLOSE);
    }
    const body = await readTextBody(incoming, limits);
    if (!body.ok) return invalidBody(body);
    const { value, problem: wrong } = readJson(body.value);
    if (wrong !== undefined) return problem(400, "params.invalid", `The body is ${wrong.long}.`);
    const drafts = fromClaudeHook(value, { ...producer, source: `adapter:${name}` }, agent);
    const { signals, rejected } = receiver.check(drafts, MAX_JSON_DEPTH);
    const [first] = rejected;
    if (first !== undefined && signals.length === 0) {
      return problem(400, "params.invalid", `${first.path} ${first.reason}`.trim());
    }
    if (receiver.waitMs(signals) > 0) return problem(429, "rate-limited", TOO_FAST);
    receiver.reserve(signals);
    const taken = await receiver.take(signals, body.value.length);
    return taken.ok ? new Response(null, { status: NOTHING }) : refusal(taken);
  };
}

const CLOSE = { connection: "close" };
const TOO_FAST = "Rate limit exceeded for this program. The hook was not accepted.";
