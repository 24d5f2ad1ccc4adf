/**
 * Everything the gateway room serves, found in the modules that declare it. A method or event that is in none of them does not exist:
 * the room refuses to open when a handler and this table differ.
 */
import type { TSchema } from "@atrium/schema";
import * as buildEvents from "../build/events.ts";
import * as builds from "../build/methods.ts";
import type { EventContract } from "../event.ts";
import type { Contract } from "../method.ts";
import { PermissionSubject } from "../permission.ts";
import { Position } from "../position.ts";
import { RepositoryCheck } from "../repository.ts";
import * as devicePairing from "./devices/device-pairing.ts";
import * as deviceTokens from "./devices/device-tokens.ts";
import * as nodeInvoke from "./devices/node-invoke.ts";
import * as nodePairing from "./devices/node-pairing.ts";
import * as nodes from "./devices/nodes.ts";
import * as frames from "./frames.ts";
import * as handshake from "./handshake.ts";
import * as agent from "./methods/agent.ts";
import * as approvalRules from "./methods/approval-rules.ts";
import * as approvals from "./methods/approvals.ts";
import * as attachment from "./methods/attachment.ts";
import * as chat from "./methods/chat.ts";
import * as crew from "./methods/crew.ts";
import * as delivery from "./methods/delivery.ts";
import * as discovery from "./methods/discovery.ts";
import * as health from "./methods/health.ts";
import * as inspection from "./methods/inspection.ts";
import * as logins from "./methods/logins.ts";
import * as operations from "./methods/operations.ts";
import * as presence from "./methods/presence.ts";
import * as questions from "./methods/questions.ts";
import * as repositories from "./methods/repositories.ts";
import * as reviews from "./methods/reviews.ts";
import * as sessions from "./methods/sessions.ts";
import * as system from "./methods/system.ts";
import * as usage from "./methods/usage.ts";
import * as workspaces from "./methods/workspaces.ts";
import * as settings from "./settings.ts";
import * as terminals from "./terminals.ts";
import * as unsupported from "./unsupported.ts";

const DECLARED: readonly (readonly [name: string, value: unknown])[] = [
  frames,
  handshake,
  health,
  system,
  presence,
  agent,
  chat,
  attachment,
  sessions,
  approvals,
  questions,
  delivery,
  crew,
  discovery,
  operations,
  usage,
  inspection,
  approvalRules,
  unsupported,
  nodes,
  nodeInvoke,
  nodePairing,
  devicePairing,
  deviceTokens,
  logins,
  repositories,
  settings,
  buildEvents,
  builds,
  workspaces,
  terminals,
  reviews,
].flatMap((module): readonly (readonly [string, unknown])[] => Object.entries(module));

/** Those that have another name in the exported schema, as params or result of their method, and lists of words. */
const NOT_MODELS: ReadonlySet<string> = new Set([
  "BuildEvent",
  "BuildStage",
  "BuildStepName",
  "ConnectParams",
  "HelloOk",
  "QueueMode",
  "StatusSummary",
]);

export const GATEWAY_METHODS: readonly Contract[] = DECLARED.map(([, value]) => value).filter(
  (value): value is Contract => has(value, "params") && has(value, "result"),
);

export const GATEWAY_EVENTS: readonly EventContract[] = DECLARED.map(([, value]) => value).filter(
  (value): value is EventContract => has(value, "payload") && has(value, "scope"),
);

/**
 * Schemas that are exported by name besides each method's params and result and each event:
 * the frames, and every object that is used in more than one place.
 */
export const GATEWAY_MODELS: Readonly<Record<string, TSchema>> = {
  Position,
  PermissionSubject,
  RepositoryCheck,
  ...Object.fromEntries(
    DECLARED.filter((pair): pair is [string, TSchema] => has(pair[1], "~kind")).filter(
      ([name]) => !NOT_MODELS.has(name),
    ),
  ),
  BuildQuestionAsked: buildEvents.BuildQuestionRequested.properties.payload,
  BuildQuestionsAsked: buildEvents.BuildQuestionsRequested.properties.payload,
  BuildPermissionAsked: buildEvents.BuildPermissionRequested.properties.payload,
  BuildSessionEvent: buildEvents.BuildEvent,
};

function has(value: unknown, member: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, member);
}
