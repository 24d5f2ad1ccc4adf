/**
 * Our schemas against the ones our peer publishes, each as the other's oracle.
 *
 * The published package is a little older than the peer we follow, and we serve less than it does;
 * every difference that this allows is listed here, and a difference that has gone fails the test.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { Ajv, type ErrorObject } from "ajv";
import * as fc from "fast-check";
import { buildDocument } from "./document.ts";
import type { SchemaNode } from "./draft07.ts";
import { arbitraryFor } from "./testing/arbitrary.ts";
import { declaredValidators, resolverOf } from "./testing/validators.ts";

const SAMPLE = { seed: 20_260_110, numRuns: 100 };

const peer = await readPeer();
const ours = buildDocument();
const declared = declaredValidators();
const peerAjv = new Ajv({ strict: false, allErrors: true });

/** What we send, with the keys that the peer has too but its published package does not yet. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  ResponseFrame: [],
  EventFrame: ["recipientProfileId"],
  ErrorShape: [],
  StateVersion: [],
  HelloOk: [],
  PresenceEntry: [],
  SessionRow: [],
  TickEvent: [],
  ChatEvent: [],
  AgentEvent: [],
  ShutdownEvent: [],
  Question: [],
  QuestionRecord: [],
  QuestionListResult: [],
  QuestionGetResult: [],
  QuestionRequestResult: [],
  QuestionResolveResult: [],
  QuestionResolvedEvent: [],
  ChannelsStatusResult: [],
  AgentsListResult: [],
  ModelsListResult: [],
  ToolsCatalogResult: [],
  CommandsListResult: [],
  LogsTailResult: [],
  NodeEventResult: [],
  NodeInvokeRequestEvent: [],
  DevicePairRequestedEvent: [],
  DevicePairResolvedEvent: [],
};

/** Where we take less than the peer does, on purpose. */
const NARROWER: Readonly<Record<string, SchemaNode>> = {
  attachments: { type: "array", items: { type: "object", properties: {} } },
  visibility: { type: "string", const: "shared" },
  limit: { type: "integer", minimum: 1, maximum: 200 },
  // Part of a path, and of a stream's name.
  id: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._:-]{0,9}$" },
  idempotencyKey: { type: "string", minLength: 1, maxLength: 256 },
  decision: { enum: ["allow-once", "allow-always", "deny"] },
  durationHours: { type: "integer", minimum: 1, maximum: 8760 },
  sessionKey: { type: "string", minLength: 1, maxLength: 512 },
};

/** What the peer's clients may send, with the keys that we do not serve and therefore refuse. */
const RECEIVED: Readonly<Record<string, readonly string[]>> = {
  RequestFrame: [],
  ConnectParams: [],
  ChatInjectParams: [],
  ChatHistoryParams: [],
  ChatSendParams: ["intent", "toolBindings"],
  ChatAbortParams: [],
  ChatMetadataParams: [],
  AgentParams: [
    "acpTurnSource",
    "cwd",
    "disableMessageTool",
    "execApprovalFollowupExpectedSessionId",
    "forceCodeModeTools",
    "forceRestartSafeTools",
    "internalExecutionIdentityRecoveryAttempt",
    "internalExecutionIdentityRetry",
    "internalRuntimeHandoffId",
    "modelRun",
    "sessionEffects",
    "sourceReplyDeliveryMode",
    "suppressPromptPersistence",
    "swarmCollector",
    "swarmOutputSchema",
    "voiceWakeTrigger",
  ],
  AgentWaitParams: [],
  SessionsDescribeParams: [],
  SessionsCreateParams: [
    "catalogId",
    "contextWindow",
    "cwd",
    "execNode",
    "fork",
    "forkFrom",
    "incognito",
    "permissionMode",
    "projectGitUrl",
    "projectId",
    "spawnDepth",
    "toolOverrides",
    "worktree",
    "worktreeBaseRef",
    "worktreeName",
  ],
  SessionsPatchParams: [
    "attention",
    "boardFace",
    "completionOwnerSessionKey",
    "contextWindow",
    "elevatedLevel",
    "execAsk",
    "execHost",
    "execNode",
    "execSecurity",
    "expectedLifecycleRevision",
    "expectedPermissionMode",
    "expectedToolOverrides",
    "fastMode",
    "groupActivation",
    "inheritedToolAllow",
    "inheritedToolDeny",
    "inheritedToolPolicyVersion",
    "permissionMode",
    "sendPolicy",
    "statusNote",
    "toolOverrides",
    "ttlMinutes",
  ],
  SessionsResetParams: [],
  SessionsDeleteParams: ["expectedLifecycleRevision", "expectedSessionUpdatedAt"],
  SessionsMessagesSubscribeParams: [],
  SessionsMessagesUnsubscribeParams: [],
  SessionsListParams: ["boardFace", "creatorId", "involvingMe", "involvingProfileId", "ownerId"],
  ExecApprovalRequestParams: [],
  ExecApprovalResolveParams: ["grantExpiresInDays"],
  ExecApprovalGetParams: [],
  ApprovalGetParams: [],
  ApprovalResolveParams: ["grantExpiresInDays"],
  QuestionRequestParams: [],
  QuestionWaitAnswerParams: [],
  QuestionGetParams: [],
  QuestionListParams: [],
  SendParams: [],
  PollParams: [],
  MessageActionParams: [],
  ChannelsStatusParams: [],
  AgentsListParams: [],
  ToolsCatalogParams: [],
  CommandsListParams: [],
  LogsTailParams: [],
  ConfigGetParams: [],
  CronListParams: [],
  CronStatusParams: [],
  NodeListParams: [],
  NodeDescribeParams: [],
  NodeRenameParams: [],
  NodeEventParams: [],
  NodeInvokeParams: [],
  NodeInvokeResultParams: [],
  NodeInvokeProgressParams: [],
  NodePairListParams: [],
  NodePairApproveParams: [],
  NodePairRejectParams: [],
  NodePairRemoveParams: [],
  DevicePairListParams: [],
  DevicePairApproveParams: [],
  DevicePairRejectParams: [],
  DevicePairRemoveParams: [],
};

describe("our schemas and the peer's", () => {
  for (const [name, newer] of Object.entries(SENT)) {
    test(`[WIRE-14] ${name}: what we send is valid for the peer`, () => {
      const validate = peerAjv.compile(definition(peer, name));
      const used = new Set<string>();
      for (const value of samplesOf(definition(ours.definitions, name), resolverOf(ours))) {
        validate(value);
        for (const error of validate.errors ?? []) {
          const key = extraKey(error);
          if (key === undefined || !newer.includes(key)) {
            assert.fail(`${error.instancePath} ${error.message}: ${JSON.stringify(value)}`);
          }
          used.add(key);
        }
      }
      assert.deepEqual([...used], newer);
    });
  }

  for (const [name, unserved] of Object.entries(RECEIVED)) {
    test(`[WIRE-14] ${name}: what the peer sends is accepted`, () => {
      const theirs = definition(peer, name);
      for (const value of samplesOf(servedPart(theirs, unserved), resolverOf(ours))) {
        if (declared.get(name)?.(value) !== true) assert.fail(JSON.stringify(value));
      }
      const own = definition(ours.definitions, name);
      const keys = Object.keys(theirs.properties ?? {});
      const refused = keys.filter((key) => own.properties?.[key] === undefined).toSorted();
      if (own.additionalProperties === false) assert.deepEqual(refused, unserved);
    });
  }
});

/** The package exports its TypeBox schemas by name, but its JSON Schema only as a file. */
async function readPeer(): Promise<Readonly<Record<string, SchemaNode>>> {
  const file = new URL(
    "../protocol.schema.json",
    import.meta.resolve("@openclaw/gateway-protocol"),
  );
  const document = JSON.parse(await readFile(file, "utf8")) as {
    definitions: typeof ours.definitions;
  };
  return document.definitions;
}

function definition(definitions: Readonly<Record<string, SchemaNode>>, name: string): SchemaNode {
  const node = definitions[name];
  assert.ok(node, `no definition ${name}`);
  return node;
}

function samplesOf(node: SchemaNode, resolve: (ref: string) => SchemaNode): readonly unknown[] {
  const values = arbitraryFor(node, resolve);
  assert.ok(values);
  return fc.sample(values, SAMPLE);
}

function extraKey({ keyword, params }: ErrorObject): string | undefined {
  const key: unknown = params["additionalProperty"];
  return keyword === "additionalProperties" && typeof key === "string" ? key : undefined;
}

/** The part of the peer's schema that we serve. */
function servedPart(node: SchemaNode, unserved: readonly string[]): SchemaNode {
  const properties = Object.entries(node.properties ?? {})
    .filter(([key]) => !unserved.includes(key))
    .map(([key, property]) => [key, NARROWER[key] ?? property]);
  return { ...node, properties: Object.fromEntries(properties) };
}
