/**
 * Gateway wire: what the peer has and Atrium has not. Its clients ask all the same, and are told the truth in the
 * shape they know: there is none.
 */
import { Type, type TSchema } from "@atrium/schema";
import { SessionKey } from "../ids.ts";
import { method } from "../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject } from "../scalars.ts";

const None = Type.Array(Type.Never());
const optionalName = Type.Optional(NonEmptyString);
const ofSession = { sessionKey: SessionKey, agentId: optionalName };

type Members = Readonly<Record<string, TSchema>>;

function reads<const Name extends string, const Result extends Members>(
  name: Name,
  params: Members,
  result: Result,
) {
  const [paramsSchema, resultSchema] = [strictObject(params), strictObject(result)];
  return method({ name, scope: "operator.read", params: paramsSchema, result: resultSchema });
}

/** Whoever runs Atrium updates it. */
export const updateStatus = method({
  name: "update.status",
  scope: "operator.admin",
  params: strictObject({ refreshCheckout: Type.Optional(Type.Boolean()) }),
  result: strictObject({ sentinel: Type.Null(), updateAvailable: Type.Null() }),
});

/** No one watches conversations in the background, whoever is looking. */
export const sessionsObserverVisibility = reads(
  "sessions.observer.visibility",
  { visible: Type.Boolean() },
  { ok: Type.Literal(true) },
);

/** A conversation has one line and no branches. */
export const sessionsBranchesList = reads("sessions.branches.list", ofSession, { branches: None });

export const sessionsCompanionState = reads("sessions.companion.state", ofSession, {
  exchanges: None,
});

export const progressCardGet = reads("progressCard.get", ofSession, { card: Type.Null() });

/** Keys of models are in the environment and the settings; nobody logs in to a provider here. */
export const modelsAuthStatus = reads(
  "models.authStatus",
  { refresh: Type.Optional(Type.Boolean()), agentId: Type.Optional(Type.String()) },
  { ts: Timestamp, providers: None },
);

/** What a provider's plan has left is not known here; what was used is: `usage.cost`. */
export const usageStatus = reads("usage.status", {}, { updatedAt: Timestamp, providers: None });

export const TalkProviders = strictObject({ providers: None });
export const talkCatalog = reads(
  "talk.catalog",
  {},
  {
    modes: None,
    transports: None,
    brains: None,
    speech: TalkProviders,
    transcription: TalkProviders,
    realtime: TalkProviders,
  },
);

const TaskStatus = Type.Union(
  ["queued", "running", "completed", "failed", "cancelled", "timed_out"].map((name) =>
    Type.Literal(name),
  ),
);

/** Tasks in the background of a conversation. Those of projects are in the office: `/api/world`. */
export const tasksList = reads(
  "tasks.list",
  {
    status: Type.Optional(Type.Union([TaskStatus, Type.Array(TaskStatus)])),
    agentId: optionalName,
    sessionKey: Type.Optional(SessionKey),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    cursor: Type.Optional(Type.String()),
    sortBy: optionalName,
  },
  { tasks: None },
);

export const pluginsList = reads(
  "plugins.list",
  {},
  { plugins: None, diagnostics: None, mutationAllowed: Type.Literal(false) },
);

/** Who reaches a channel here has come in already; nobody waits at one. */
export const channelsPairingList = method({
  name: "channels.pairing.list",
  scope: "operator.pairing",
  params: strictObject({ channel: optionalName, accountId: optionalName }),
  result: strictObject({
    accounts: None,
    requests: None,
    commandOwnerConfigured: Type.Literal(false),
    limits: strictObject({ pendingPerAccount: Count, ttlMs: Count }),
  }),
});

export const skillsStatus = reads(
  "skills.status",
  { agentId: optionalName, sessionKey: Type.Optional(SessionKey) },
  { workspaceDir: NonEmptyString, managedSkillsDir: NonEmptyString, skills: None },
);

export const skillsLibraryList = reads(
  "skills.library.list",
  { sessionKey: Type.Optional(SessionKey), scope: optionalName },
  { entries: None, defaultTarget: Type.Literal("unavailable"), defaultSelectionLimit: Count },
);

/** Nothing is looked up on the network for it. */
export const skillsSearch = reads(
  "skills.search",
  { query: optionalName, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) },
  { results: None },
);

/** Accidents are in the journal (`logs.tail`); there is no second record of them. */
export const diagnosticsStability = reads(
  "diagnostics.stability",
  {
    type: optionalName,
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    sinceSeq: Type.Optional(Count),
  },
  {
    generatedAt: NonEmptyString,
    capacity: Count,
    count: Count,
    dropped: Count,
    events: None,
    summary: strictObject({ byType: strictObject({}) }),
  },
);
