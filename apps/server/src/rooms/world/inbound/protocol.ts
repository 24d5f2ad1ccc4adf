/** The world's messages in and its answers out, for a client that has said hello. */
import { accept, type Clock, type Outcome } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import { isWorldCommand, WORLD_COMMANDS, type WorldClientMessage } from "@atrium/wire/world";
import { frameContract, implement, type Method } from "../../../pipeline/method-router.ts";
import type { RoutedFrame, SessionProtocol } from "../../../pipeline/session-loop.ts";
import type { MessageOf, WorldCaller } from "../commands/command-context.ts";
import { commandKey } from "../commands/command-key.ts";
import { NewProject } from "../commands/requests.ts";
import { answer, message, type CommandProblem } from "../messages/message.ts";
import { problemOf, ProblemReply } from "../messages/problem.ts";
import { UNEXPLAINED, type MessageReader } from "../messages/read-message.ts";

export interface ProtocolDeps {
  readonly reader: MessageReader;
  readonly clock: Clock;
  /** A number nobody else has, for the ids of answers. */
  readonly nextNumber: () => string;
}

/** Messages that are no commands: they may come before a scene is subscribed to. */
const MESSAGES: ReadonlySet<string> = new Set(["hello", "ping", "subscribe"]);
const UNKNOWN_COMMAND = "command";

class Pong {
  readonly nonce: string | undefined;

  constructor(nonce: string | undefined) {
    this.nonce = nonce;
  }
}

export function isMessage(method: string): boolean {
  return MESSAGES.has(method);
}

export function messageMethods(): readonly Method<WorldCaller>[] {
  const again = new ProblemReply({ code: "CONFLICT", message: "There has been a hello already." });
  return [
    implement(frameContract<MessageOf<"hello">["payload"]>("hello"), () => accept(again)),
    implement(frameContract<MessageOf<"ping">["payload"]>("ping"), ({ nonce }) =>
      accept(new Pong(nonce)),
    ),
    implement<ReturnType<typeof frameContract<MessageOf<"subscribe">["payload"]>>, WorldCaller>(
      frameContract("subscribe"),
      (wanted, { caller }) => caller.subscribe(wanted),
    ),
  ];
}

export function createWorldProtocol(deps: ProtocolDeps): SessionProtocol<WorldClientMessage> {
  return {
    read: deps.reader,
    route: routeMessage,
    encode(id, method, outcome) {
      const problem = problemIn(outcome);
      // A subscription is answered with the state of the scene.
      if (problem === undefined && method === "subscribe") return undefined;
      const number = deps.nextNumber();
      const ts = deps.clock.now();
      if (!outcome.ok || !(outcome.value instanceof Pong)) {
        return answer({ number, ts }, id, problem, madeBy(outcome));
      }
      const { nonce } = outcome.value;
      const payload = { in_reply_to: id ?? "", ...(nonce !== undefined && { nonce }) };
      return message("pong", { id: `pong_${number}`, ts }, payload);
    },
    tooManyErrors: { code: CLOSE.policy, reason: "too many unreadable messages" },
  };
}

function routeMessage(received: WorldClientMessage): RoutedFrame {
  const { id, type } = received;
  if (type === "chat") return routeCommand(id, type, received.payload);
  if (type !== "command") return { id, method: type, params: received.payload };
  const { name, data } = received.payload;
  if (!isWorldCommand(name)) return { id, method: UNKNOWN_COMMAND, params: data };
  return routeCommand(id, name, data);
}

function routeCommand(id: string, name: string, data: unknown): RoutedFrame {
  const key = name === "player_pos" ? undefined : commandKey(id, name, data);
  return { id, method: name, params: data, key };
}

function madeBy(outcome: Outcome<unknown>): { readonly project_id?: string } {
  const isProject = outcome.ok && outcome.value instanceof NewProject;
  return isProject ? { project_id: outcome.value.projectId } : {};
}

/** What the answer complains about; undefined when it does not. */
export function problemIn(outcome: Outcome<unknown>): CommandProblem | undefined {
  if (outcome.ok) {
    return outcome.value instanceof ProblemReply ? outcome.value.problem : undefined;
  }
  const { code, detail } = outcome;
  if (code === "frame.malformed") return invalid(detail ?? UNEXPLAINED);
  if (code === "params.invalid") {
    return invalid(detail === undefined ? UNEXPLAINED : `/payload/data: ${detail}`);
  }
  if (code !== "method.unknown") return problemOf(outcome);
  return invalid(`/payload/name: must be one of ${Object.keys(WORLD_COMMANDS).join(", ")}`);
}

export function invalid(text: string): CommandProblem {
  return { code: "VALIDATION_FAILED", message: text };
}
