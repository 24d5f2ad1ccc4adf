/** Gateway wire: who works here, with which models, tools and commands. */
import { Type } from "@atrium/schema";
import { SessionKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, strictObject, literals } from "../../scalars.ts";

const agentId = Type.Optional(NonEmptyString);

const AgentRow = strictObject({
  id: NonEmptyString,
  name: NonEmptyString,
  identity: strictObject({ name: NonEmptyString, theme: NonEmptyString }),
  model: strictObject({ primary: NonEmptyString }),
});

export const agentsList = method({
  name: "agents.list",
  scope: "operator.read",
  params: strictObject({}),
  result: strictObject({
    defaultId: NonEmptyString,
    ownership: Type.Literal("sole"),
    selectionRequired: Type.Literal(false),
    mainKey: NonEmptyString,
    scope: Type.Literal("per-sender"),
    agents: Type.Array(AgentRow),
  }),
});

export const agentIdentityGet = method({
  name: "agent.identity.get",
  scope: "operator.read",
  params: strictObject({ agentId, sessionKey: Type.Optional(SessionKey) }),
  result: strictObject({
    agentId: NonEmptyString,
    name: NonEmptyString,
    nameSource: Type.Literal("config"),
    /** A letter: there are no pictures. */
    avatar: NonEmptyString,
  }),
});

const ModelRow = strictObject({
  id: NonEmptyString,
  name: NonEmptyString,
  provider: NonEmptyString,
  contextWindow: Type.Integer({ minimum: 1 }),
  reasoning: Type.Boolean(),
  available: Type.Boolean(),
  tags: Type.Optional(Type.Array(NonEmptyString)),
});

export const modelsList = method({
  name: "models.list",
  scope: "operator.read",
  params: strictObject({
    agentId,
    /** Sent by the web client of 2026.9.6; every conversation has the same to choose from. */
    sessionKey: Type.Optional(NonEmptyString),
    // Ways of asking that make no difference: what there is, is configured and known at once.
    view: Type.Optional(literals("default", "configured", "provider-config", "all")),
    /** Only those of this one. */
    provider: Type.Optional(NonEmptyString),
    includeDetails: Type.Optional(Type.Boolean()),
    includeProviderCapabilities: Type.Optional(Type.Boolean()),
    preparedOnly: Type.Optional(Type.Boolean()),
    refresh: Type.Optional(Type.Boolean()),
  }),
  result: strictObject({ models: Type.Array(ModelRow) }),
});

const ToolProfile = Type.Literal("full");

const ToolRow = strictObject({
  id: NonEmptyString,
  label: NonEmptyString,
  description: Type.String(),
  source: Type.Literal("core"),
  defaultProfiles: Type.Array(ToolProfile),
});

export const toolsCatalog = method({
  name: "tools.catalog",
  scope: "operator.read",
  params: strictObject({ agentId, includePlugins: Type.Optional(Type.Boolean()) }),
  result: strictObject({
    agentId: NonEmptyString,
    profiles: Type.Array(strictObject({ id: ToolProfile, label: NonEmptyString })),
    groups: Type.Array(
      strictObject({
        id: NonEmptyString,
        label: NonEmptyString,
        source: Type.Literal("core"),
        tools: Type.Array(ToolRow),
      }),
    ),
  }),
});

const CommandArgument = strictObject({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String({ maxLength: 500 }),
  type: Type.Literal("string"),
  required: Type.Optional(Type.Boolean()),
});

const CommandRow = strictObject({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  textAliases: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20 }),
  description: Type.String({ maxLength: 2_000 }),
  source: Type.Literal("native"),
  scope: Type.Literal("text"),
  acceptsArgs: Type.Boolean(),
  args: Type.Optional(Type.Array(CommandArgument, { maxItems: 20 })),
});

export const commandsList = method({
  name: "commands.list",
  scope: "operator.read",
  params: strictObject({
    agentId,
    sessionKey: Type.Optional(SessionKey),
    provider: Type.Optional(NonEmptyString),
    scope: Type.Optional(literals("text", "native", "both")),
    includeArgs: Type.Optional(Type.Boolean()),
  }),
  result: strictObject({ commands: Type.Array(CommandRow, { maxItems: 500 }) }),
});
