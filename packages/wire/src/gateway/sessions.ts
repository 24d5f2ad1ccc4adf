/** Gateway wire: what the peer calls sessions and we call conversations. */
import { Type, type Static } from "@atrium/schema";
import { method } from "../method.ts";
import { Count, NonEmptyString, Timestamp, closed } from "../scalars.ts";

export const SessionRow = Type.Object(
  {
    key: NonEmptyString,
    kind: Type.Union([
      Type.Literal("direct"),
      Type.Literal("group"),
      Type.Literal("global"),
      Type.Literal("unknown"),
    ]),
    agentId: NonEmptyString,
    isMain: Type.Boolean(),
    chatType: Type.Literal("direct"),
    sessionId: Type.Optional(NonEmptyString),
    createdAt: Type.Optional(Timestamp),
    updatedAt: Type.Union([Timestamp, Type.Null()]),
    lastActivityAt: Type.Optional(Timestamp),
    archived: Type.Boolean(),
    pinned: Type.Boolean(),
    totalMessages: Count,
    lastMessagePreview: Type.Optional(Type.String()),
  },
  closed,
);
export type SessionRow = Static<typeof SessionRow>;

export const sessionsList = method({
  name: "sessions.list",
  scope: "operator.read",
  params: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      offset: Type.Optional(Count),
      activeMinutes: Type.Optional(Type.Integer({ minimum: 1 })),
      agentId: Type.Optional(NonEmptyString),
      search: Type.Optional(Type.String()),
      includeLastMessage: Type.Optional(Type.Boolean()),
      // Atrium has no global or unknown sessions, so these two change nothing; clients send them.
      includeGlobal: Type.Optional(Type.Boolean()),
      includeUnknown: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  result: Type.Object(
    {
      ts: Timestamp,
      path: Type.String(),
      count: Count,
      totalCount: Count,
      limitApplied: Count,
      nextOffset: Type.Union([Count, Type.Null()]),
      hasMore: Type.Boolean(),
      defaults: Type.Object(
        {
          modelProvider: Type.Union([NonEmptyString, Type.Null()]),
          model: Type.Union([NonEmptyString, Type.Null()]),
          contextTokens: Type.Union([Count, Type.Null()]),
        },
        closed,
      ),
      sessions: Type.Array(SessionRow),
    },
    closed,
  ),
});
