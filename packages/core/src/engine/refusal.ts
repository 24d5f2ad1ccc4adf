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
  "frame.malformed": { retry: "never", says: "The frame is not one this protocol knows." },
  "method.unknown": { retry: "never", says: "There is no such method." },
  "params.invalid": { retry: "never", says: "The parameters break the method's schema." },
  "body.unreadable": { retry: "never", says: "The body cannot be read." },
  "body.foreign": { retry: "never", says: "The body is not of a kind that is read here." },
  "path.unknown": { retry: "never", says: "There is nothing at that path." },
  "verb.unknown": { retry: "never", says: "The path does not answer that verb." },
  "host.foreign": { retry: "never", says: "The server is not called by that name." },
  "origin.foreign": { retry: "never", says: "Pages of that origin may not ask here." },
  unauthorized: { retry: "never", says: "The token is missing or wrong." },
  "rate-limited": { retry: "soon", says: "Too much came at once; wait, then try again." },
  "server.closing": { retry: "soon", says: "The server is going." },
  "scope.missing": { retry: "never", says: "The connection was not granted the scope this needs." },
  "credential.run": {
    retry: "never",
    says: "An agent decides nothing: what its process was given, or shows, is not a person's.",
  },
  "credential.elsewhere": {
    retry: "never",
    says: "From another machine the token alone decides nothing. Come with a device identity and have it let in (atrium devices approve), or sign in with a browser and have it let in (atrium logins approve).",
  },
  "agent.unknown": { retry: "never", says: "No agent of the crew has that id." },
  "conversation.missing": { retry: "never", says: "No conversation has that key." },
  "conversation.misnamed": { retry: "never", says: "The conversation key cannot be read." },
  "conversation.exists": { retry: "never", says: "A conversation with that key exists already." },
  "conversation.changed": {
    retry: "never",
    says: "The conversation is not the one that was meant; it has been reset since.",
  },
  "conversation.main": {
    retry: "never",
    says: "An agent's main conversation cannot be deleted; reset it instead, with deleteTranscript where its words are to go.",
  },
  "conversation.full": {
    retry: "soon",
    says: "Too many messages wait in the conversation; let it catch up.",
  },
  "message.empty": { retry: "never", says: "There is nothing to say: no text and no file." },
  "attachment.refused": { retry: "never", says: "A file that came with it cannot be taken." },
  "cursor.unreadable": { retry: "never", says: "The cursor is not one that was given out here." },
  "run.missing": { retry: "never", says: "No run has that id." },
  "run.not-next": { retry: "never", says: "It is not that run's turn." },
  "run.settled": { retry: "never", says: "The run is not under way." },
  "call.unfinished": {
    retry: "never",
    says: "The call was begun before and nobody knows how it ended; it is not made again.",
  },
  "call.erased": {
    retry: "never",
    says: "The call's result may have quoted a conversation that was deleted since, and is erased; call again with a new key.",
  },
  "login.crowded": {
    retry: "soon",
    says: "Too many browsers wait to be let in; have one let in, or try again in a quarter of an hour.",
  },
  "login.missing": { retry: "never", says: "No browser is signed in under that id." },
  "device.mismatched": { retry: "never", says: "The device is paired with another key." },
  "approval.missing": { retry: "never", says: "No permission is being asked for under that id." },
  "approval.settled": { retry: "never", says: "The permission has been decided on." },
  "approval.taken": { retry: "never", says: "A permission was asked for under that id before." },
  "approval.unfitting": {
    retry: "never",
    says: "An always covers exactly what was read; patterns are not taken.",
  },
  "rule.missing": { retry: "never", says: "No standing permission has that id." },
  "approval.unread": {
    retry: "never",
    says: "The permission is too long to be allowed from here: read all of it where it says, and allow it there.",
  },
  "approval.unreadable": {
    retry: "never",
    says: "Nobody could read all of what would be asked, so nobody is asked.",
  },
  "approval.limited": { retry: "never", says: "This permission can be given once only." },
  "question.missing": { retry: "never", says: "No question has that id." },
  "question.settled": { retry: "never", says: "The question is no longer open." },
  "question.taken": { retry: "never", says: "A question was asked under that id before." },
  "question.malformed": { retry: "never", says: "The question cannot be asked like that." },
  "question.misanswered": { retry: "never", says: "The answer does not fit the question." },
  "poll.missing": { retry: "never", says: "No poll has that id." },
  "poll.closed": { retry: "never", says: "The poll is closed." },
  "poll.taken": { retry: "never", says: "A poll was opened under that id before." },
  "poll.malformed": { retry: "never", says: "The poll cannot be held like that." },
  "poll.misvoted": { retry: "never", says: "The vote does not fit the poll." },
  "project.missing": { retry: "never", says: "No project has that id." },
  "project.taken": { retry: "never", says: "A project was asked for under that id before." },
  "project.status": { retry: "never", says: "The project is not where that can be done." },
  "request.empty": { retry: "never", says: "There is nothing in the request." },
  "plan.malformed": { retry: "never", says: "The plan cannot be followed like that." },
  "task.missing": { retry: "never", says: "No task has that id." },
  "task.status": { retry: "never", says: "The task is not where that can be done." },
  "task.stale": { retry: "never", says: "The task has moved on; this comes too late." },
  "artifact.missing": { retry: "never", says: "No artifact has that id." },
  "artifact.status": { retry: "never", says: "The artifact is not where that can be done." },
  "artifact.superseded": { retry: "never", says: "That is not the newest version." },
  "decision.missing": { retry: "never", says: "No decision has that id." },
  "decision.settled": { retry: "never", says: "The decision has been made." },
  "guard.broken": { retry: "never", says: "Things are not as you expected; look again." },
  "build.missing": { retry: "never", says: "No build has that id." },
  "build.taken": { retry: "never", says: "A build was started under that id before." },
  "build.ended": { retry: "never", says: "The build has ended." },
  "build.not-asking": {
    retry: "never",
    says: "The build does not ask that, or no longer: others may have answered.",
  },
  "build.misanswered": { retry: "never", says: "The answer does not fit what the build asks." },
  "channel.unknown": { retry: "never", says: "There is no such channel." },
  "channel.incapable": { retry: "never", says: "The channel cannot deliver that." },
  "channel.failed": { retry: "never", says: "The channel could not deliver it." },
  "asking.crowded": {
    retry: "soon",
    says: "Too much is waiting for an answer already; try again.",
  },
  "device.unknown": { retry: "never", says: "No paired device has that id, or that role." },
  "schedule.absent": {
    retry: "never",
    says: "Nothing is scheduled here; have the system's own scheduler call `agent` or `wake`.",
  },
  "scope.ungranted": { retry: "never", says: "The device was never granted that scope." },
  "request.unknown": { retry: "never", says: "No pairing request with that id is waiting." },
  "request.expired": { retry: "never", says: "The pairing request waited too long; ask again." },
  "role.wrong": { retry: "never", says: "The method is not for the role the connection has." },
  "node.unknown": { retry: "never", says: "No node has that id." },
  "node.offline": { retry: "soon", says: "The node is not connected." },
  "node.mismatched": { retry: "never", says: "The connection is not that node's." },
  "command.unapproved": { retry: "never", says: "The node's command waits for approval." },
  "command.unoffered": { retry: "never", says: "The node does not offer that command." },
  "invocation.unknown": { retry: "never", says: "No invocation has that id." },
  "invocation.oversize": { retry: "never", says: "The node's command or answer is too big." },
  "scene.unknown": { retry: "never", says: "There is no scene with that id." },
  "office.missing": { retry: "never", says: "The office has not been opened yet." },
  "poi.unknown": { retry: "never", says: "The scene has no point of interest with that id." },
  "place.unreachable": { retry: "never", says: "There is no way to that place." },
  "place.full": { retry: "soon", says: "There is no room left to stand." },
  "decor.full": { retry: "never", says: "Every place for a trophy is taken." },
  "signals.none": { retry: "never", says: "There is no signal in it." },
  "signals.many": {
    retry: "never",
    says: "There are more signals in it than are taken at a time.",
  },
  "position.foreign": { retry: "never", says: "The position is not one of this log." },
  "key.reused": {
    retry: "never",
    says: "The idempotency key was used before for something else.",
  },
  "log.contended": { retry: "soon", says: "Others kept changing the same thing; try again." },
  "log.busy": { retry: "soon", says: "More is waiting to be written than can be held; try again." },
  internal: { retry: "soon", says: "Something broke on our side; it has been recorded." },
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
