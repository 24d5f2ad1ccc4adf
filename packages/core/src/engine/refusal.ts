/**
 * Every way Atrium can say no.
 *
 * A refusal is an answer: returned, never thrown, fit for a person to read. A fault is an accident:
 * thrown with what we knew, reported once at the edge of the room; the peer learns only `internal`.
 *
 * docs/errors.md lists the same codes and refusal.test.ts fails when they drift. Codes are part of
 * the wire: add freely, rename never, reuse never.
 */
export const REFUSALS = {
  "frame.malformed": {
    retry: "never",
    says: "The frame does not match any frame of this protocol.",
  },
  "method.unknown": { retry: "never", says: "Unknown method." },
  "params.invalid": { retry: "never", says: "The parameters do not match the method's schema." },
  "body.unreadable": { retry: "never", says: "The request body cannot be read." },
  "body.foreign": { retry: "never", says: "Unsupported content type." },
  "path.unknown": { retry: "never", says: "Not found." },
  "verb.unknown": { retry: "never", says: "Method not allowed for this path." },
  "host.foreign": { retry: "never", says: "Unknown Host header. Add the name to `allowedHosts`." },
  "origin.foreign": { retry: "never", says: "Origin not allowed. Add it to `allowedOrigins`." },
  unauthorized: { retry: "never", says: "The token is missing or wrong." },
  "rate-limited": { retry: "soon", says: "Rate limit exceeded. Wait, then retry." },
  "server.closing": { retry: "soon", says: "The server is shutting down. Reconnect shortly." },
  "scope.missing": {
    retry: "never",
    says: "The connection lacks the scope that this method needs.",
  },
  "credential.run": {
    retry: "never",
    says: "An agent's credentials cannot decide this. A person has to.",
  },
  "credential.elsewhere": {
    retry: "never",
    says: "From another machine the token alone cannot decide this. Connect with a device identity and approve it (atrium devices approve), or sign in with a browser and approve it (atrium logins approve).",
  },
  "agent.unknown": { retry: "never", says: "No agent has that id." },
  "conversation.missing": { retry: "never", says: "No conversation has that key." },
  "conversation.misnamed": { retry: "never", says: "The conversation key is invalid." },
  "conversation.exists": { retry: "never", says: "A conversation with that key already exists." },
  "conversation.changed": {
    retry: "never",
    says: "The conversation was reset in the meantime. Load it again and retry.",
  },
  "conversation.main": {
    retry: "never",
    says: "An agent's main conversation cannot be deleted. Reset it instead; with deleteTranscript its messages are deleted too.",
  },
  "conversation.full": {
    retry: "soon",
    says: "Too many messages are queued in this conversation. Retry when it has caught up.",
  },
  "message.empty": { retry: "never", says: "The message has no text and no file." },
  "attachment.refused": { retry: "never", says: "An attached file was rejected." },
  "cursor.unreadable": { retry: "never", says: "The cursor is invalid. Start again without it." },
  "run.missing": { retry: "never", says: "No run has that id." },
  "run.not-next": { retry: "never", says: "Another run is ahead of this one." },
  "run.settled": { retry: "never", says: "The run is not active." },
  "call.unfinished": {
    retry: "never",
    says: "This call was started before and its result is unknown. It is not repeated; use a new key to call again.",
  },
  "call.erased": {
    retry: "never",
    says: "The result of this call was erased because it may quote a deleted conversation. Use a new key to call again.",
  },
  "login.crowded": {
    retry: "soon",
    says: "Too many browsers are waiting for approval. Approve one, or retry in 15 minutes.",
  },
  "login.missing": { retry: "never", says: "No browser login has that id." },
  "device.mismatched": { retry: "never", says: "The device is already paired with another key." },
  "device.suspended": {
    retry: "never",
    says: "Part of the device's record cannot be read. A person has to approve it again.",
  },
  "approval.missing": { retry: "never", says: "No open approval has that id." },
  "approval.settled": { retry: "never", says: "The approval is already decided." },
  "approval.taken": { retry: "never", says: "An approval with that id already exists." },
  "approval.unfitting": {
    retry: "never",
    says: 'An "always" permission covers exactly the request you read. Patterns are not supported.',
  },
  "rule.missing": { retry: "never", says: "No standing permission has that id." },
  "approval.unread": {
    retry: "never",
    says: "The request is too long to allow from here. Read all of it at the place it names, and allow it there.",
  },
  "approval.unreadable": {
    retry: "never",
    says: "The request is too large for a person to read in full, so it was not asked.",
  },
  "approval.limited": { retry: "never", says: "This permission can be given once only." },
  "question.missing": { retry: "never", says: "No question has that id." },
  "question.settled": { retry: "never", says: "The question is no longer open." },
  "question.taken": { retry: "never", says: "A question with that id already exists." },
  "question.malformed": { retry: "never", says: "The question is invalid." },
  "question.misanswered": { retry: "never", says: "The answer does not fit the question." },
  "poll.missing": { retry: "never", says: "No poll has that id." },
  "poll.closed": { retry: "never", says: "The poll is closed." },
  "poll.taken": { retry: "never", says: "A poll with that id already exists." },
  "poll.malformed": { retry: "never", says: "The poll is invalid." },
  "poll.misvoted": { retry: "never", says: "The vote does not fit the poll." },
  "project.missing": { retry: "never", says: "No project has that id." },
  "project.taken": { retry: "never", says: "A project with that id already exists." },
  "project.status": { retry: "never", says: "The project's status does not allow this." },
  "request.empty": { retry: "never", says: "The request has no text." },
  "plan.malformed": { retry: "never", says: "The plan is invalid." },
  "task.missing": { retry: "never", says: "No task has that id." },
  "task.status": { retry: "never", says: "The task's status does not allow this." },
  "task.stale": {
    retry: "never",
    says: "The task has changed in the meantime. This result is too late.",
  },
  "artifact.missing": { retry: "never", says: "No artifact has that id." },
  "artifact.status": { retry: "never", says: "The artifact's status does not allow this." },
  "artifact.superseded": { retry: "never", says: "A newer version of the artifact exists." },
  "decision.missing": { retry: "never", says: "No decision has that id." },
  "decision.settled": { retry: "never", says: "The decision is already made." },
  "guard.broken": { retry: "never", says: "The state has changed. Refresh and retry." },
  "build.missing": { retry: "never", says: "No build has that id." },
  "build.taken": { retry: "never", says: "A build with that id already exists." },
  "build.ended": { retry: "never", says: "The build has ended." },
  "build.not-asking": {
    retry: "never",
    says: "The build is not asking this question, or someone else has answered it.",
  },
  "build.misanswered": { retry: "never", says: "The answer does not fit the build's question." },
  "channel.unknown": { retry: "never", says: "Unknown channel." },
  "channel.incapable": { retry: "never", says: "The channel does not support this action." },
  "channel.failed": { retry: "never", says: "The channel could not deliver the message." },
  "asking.crowded": {
    retry: "soon",
    says: "Too many requests are waiting for an answer. Retry later.",
  },
  "device.unknown": { retry: "never", says: "No paired device has that id and role." },
  "schedule.absent": {
    retry: "never",
    says: "Atrium has no scheduler. Let the system's scheduler call `agent` or `wake`.",
  },
  "scope.ungranted": { retry: "never", says: "The device was never granted that scope." },
  "request.unknown": { retry: "never", says: "No open pairing request has that id." },
  "request.expired": {
    retry: "never",
    says: "The pairing request has expired. Request pairing again.",
  },
  "role.wrong": { retry: "never", says: "The connection's role cannot call this method." },
  "node.unknown": { retry: "never", says: "No node has that id." },
  "node.offline": { retry: "soon", says: "The node is not connected." },
  "node.mismatched": { retry: "never", says: "The connection belongs to another node." },
  "command.unapproved": { retry: "never", says: "The node's command is not approved yet." },
  "command.unoffered": { retry: "never", says: "The node does not offer that command." },
  "invocation.unknown": { retry: "never", says: "No invocation has that id." },
  "invocation.oversize": { retry: "never", says: "The node's command or answer is too large." },
  "scene.unknown": { retry: "never", says: "No scene has that id." },
  "office.missing": { retry: "never", says: "The office is not open yet." },
  "poi.unknown": { retry: "never", says: "The scene has no point of interest with that id." },
  "place.unreachable": { retry: "never", says: "No path leads to that place." },
  "place.full": { retry: "soon", says: "No free place is left to stand." },
  "decor.full": { retry: "never", says: "Every place for a trophy is taken." },
  "signals.none": { retry: "never", says: "The request contains no signals." },
  "signals.many": {
    retry: "never",
    says: "Too many signals in one request. Send fewer.",
  },
  "position.foreign": {
    retry: "never",
    says: "The position belongs to another log. Subscribe without it.",
  },
  "key.reused": {
    retry: "never",
    says: "The idempotency key was already used for another request. Use a new key.",
  },
  "log.contended": { retry: "soon", says: "Too many concurrent changes to one stream. Retry." },
  "log.busy": { retry: "soon", says: "The log's write queue is full. Retry shortly." },
  internal: { retry: "soon", says: "Internal server error. The server has logged it." },
} as const satisfies Record<string, { retry: "never" | "soon"; says: string }>;

export type RefusalCode = keyof typeof REFUSALS;

export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  /** What exactly was wrong, where the code alone does not say it. */
  readonly detail?: string;
}

export interface Accepted<T> {
  readonly ok: true;
  readonly value: T;
}

export type Outcome<T> = Accepted<T> | Refusal;

export function refuse(code: RefusalCode, detail?: string): Refusal {
  return detail === undefined ? { ok: false, code } : { ok: false, code, detail };
}

export function accept<T>(value: T): Accepted<T> {
  return { ok: true, value };
}

/** An accident, with what we knew when it happened. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly context: Readonly<Record<string, unknown>>;

  constructor(message: string, context: Record<string, unknown> = {}, cause?: unknown) {
    super(message, { cause });
    this.context = context;
  }
}
