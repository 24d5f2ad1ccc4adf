/** What comes with a command beside its data: who asks, under which key, and what they take for granted. */
import type { Answerer, Guards, Outcome } from "@atrium/core";
import type { WorldClientMessage, WorldCommandData, WorldCommandName } from "@atrium/wire/world";
import { answererFrom } from "../../../access/principal.ts";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import type { CallContext, MaybePromise } from "../../../pipeline/method-router.ts";
import type { SessionCaller } from "../../../pipeline/session-loop.ts";

export type MessageOf<Type extends WorldClientMessage["type"]> = Extract<
  WorldClientMessage,
  { type: Type }
>;

export interface ViewerIdentity {
  readonly viewerId: string;
  readonly name: string;
}

export interface WorldCaller extends SessionCaller {
  readonly viewer: ViewerIdentity;
  subscribe(wanted: MessageOf<"subscribe">["payload"]): Outcome<unknown>;
}

export interface CommandContext {
  readonly key: CallKey | undefined;
  readonly by: Answerer;
  readonly viewer: ViewerIdentity;
}

export type CommandHandlers = {
  readonly [Name in WorldCommandName]: (
    data: WorldCommandData<Name>,
    context: CommandContext,
  ) => MaybePromise<Outcome<unknown>>;
};

export function commandContext({ caller, key }: CallContext<WorldCaller>): CommandContext {
  const { principal, viewer } = caller;
  const { viewerId, name } = viewer;
  const by = answererFrom(principal, { id: key?.id ?? viewerId, name, via: "world" });
  return { key, by, viewer };
}

export interface WireGuards {
  readonly expected_task_status?: Guards["expectedTaskStatus"];
  readonly expected_project_status?: Guards["expectedProjectStatus"];
  readonly expected_version?: number;
}

export function guardsOf(data: WireGuards): Guards {
  return {
    expectedTaskStatus: data.expected_task_status,
    expectedProjectStatus: data.expected_project_status,
    expectedVersion: data.expected_version,
  };
}
