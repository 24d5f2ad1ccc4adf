/**
 * Every way Atrium can say no.
 *
 * A refusal is an answer: returned, never thrown, fit for a person to read. A fault is an accident:
 * thrown with what we knew, reported once at the edge of the room; the peer learns only `internal`.
 *
 * docs/errors.md lists the same codes and refusal.test.ts fails when they drift. Codes are part of
 * the wire: add freely, rename never, reuse never.
 */
interface RefusalRow {
  /** Whether the same request may succeed later. */
  readonly retry: "never" | "soon";
  readonly message: string;
}

const never = (message: string): RefusalRow => ({ retry: "never", message });
const soon = (message: string): RefusalRow => ({ retry: "soon", message });

export const REFUSALS = {
  "frame.malformed": never("The frame does not match any frame of this protocol."),
  "method.unknown": never("Unknown method."),
  "params.invalid": never("The parameters do not match the method's schema."),
  "body.unreadable": never("The request body cannot be read."),
  "body.foreign": never("Unsupported content type."),
  "path.unknown": never("Not found."),
  "verb.unknown": never("Method not allowed for this path."),
  "host.foreign": never("Unknown Host header. Add the name to `allowedHosts`."),
  "origin.foreign": never("Origin not allowed. Add it to `allowedOrigins`."),
  unauthorized: never("The token is missing or wrong."),
  "rate-limited": soon("Rate limit exceeded. Wait, then retry."),
  "server.closing": soon("The server is shutting down. Reconnect shortly."),
  "scope.missing": never("The connection lacks the scope that this method needs."),
  "credential.run": never("An agent's credentials cannot decide this. A person has to."),
  "credential.elsewhere": never(
    "From another machine the token alone cannot decide this. Connect with a device identity and approve it (atrium devices approve), or sign in with a browser and approve it (atrium logins approve).",
  ),
  "agent.unknown": never("No agent has that id."),
  "conversation.missing": never("No conversation has that key."),
  "conversation.misnamed": never("The conversation key is invalid."),
  "conversation.exists": never("A conversation with that key already exists."),
  "conversation.changed": never(
    "The conversation was reset in the meantime. Load it again and retry.",
  ),
  "conversation.main": never(
    "An agent's main conversation cannot be deleted. Reset it instead; with deleteTranscript its messages are deleted too.",
  ),
  "conversation.full": soon(
    "Too many messages are queued in this conversation. Retry when it has caught up.",
  ),
  "message.empty": never("The message has no text and no file."),
  "attachment.refused": never("An attached file was rejected."),
  "cursor.unreadable": never("The cursor is invalid. Start again without it."),
  "run.missing": never("No run has that id."),
  "run.not-next": never("Another run is ahead of this one."),
  "run.settled": never("The run is not active."),
  "tools.unsupported": never(
    "The runtime of this agent cannot take tools of a client. Leave them out, or ask another agent.",
  ),
  "call.missing": never("No tool call of this run has that id."),
  "call.unfinished": never(
    "This call was started before and its result is unknown. It is not repeated; use a new key to call again.",
  ),
  "call.erased": never(
    "The result of this call was erased because it may quote a deleted conversation. Use a new key to call again.",
  ),
  "login.crowded": soon(
    "Too many browsers are waiting for approval. Approve one, or retry in 15 minutes.",
  ),
  "login.missing": never("No browser login has that id."),
  "device.mismatched": never("The device is already paired with another key."),
  "device.suspended": never(
    "Part of the device's record cannot be read. A person has to approve it again.",
  ),
  "approval.missing": never("No open approval has that id."),
  "approval.settled": never("The approval is already decided."),
  "approval.taken": never("An approval with that id already exists."),
  "approval.unfitting": never(
    'An "always" permission covers exactly the request you read. Patterns are not supported.',
  ),
  "rule.missing": never("No standing permission has that id."),
  "approval.unread": never(
    "The request is too long to allow from here. Read all of it at the place it names, and allow it there.",
  ),
  "approval.unreadable": never(
    "The request is too large for a person to read in full, so it was not asked.",
  ),
  "approval.limited": never("This permission can be given once only."),
  "question.missing": never("No question has that id."),
  "question.settled": never("The question is no longer open."),
  "question.taken": never("A question with that id already exists."),
  "question.malformed": never("The question is invalid."),
  "question.misanswered": never("The answer does not fit the question."),
  "poll.missing": never("No poll has that id."),
  "poll.closed": never("The poll is closed."),
  "poll.taken": never("A poll with that id already exists."),
  "poll.malformed": never("The poll is invalid."),
  "poll.misvoted": never("The vote does not fit the poll."),
  "project.missing": never("No project has that id."),
  "project.taken": never("A project with that id already exists."),
  "project.status": never("The project's status does not allow this."),
  "request.empty": never("The request has no text."),
  "project.unmerged": never("Nothing of the project has been approved and merged yet."),
  "plan.malformed": never("The plan is invalid."),
  "task.missing": never("No task has that id."),
  "task.status": never("The task's status does not allow this."),
  "task.waiting": never("The task waits for others that are not done yet."),
  "task.taken": never("Someone else has the task."),
  "task.stale": never("The task has changed in the meantime. This result is too late."),
  "artifact.missing": never("No artifact has that id."),
  "artifact.status": never("The artifact's status does not allow this."),
  "comment.missing": never("No comment has that id."),
  "artifact.superseded": never("A newer version of the artifact exists."),
  "artifact.document": never("The artifact is a document, not a change of files."),
  "check.missing": never("No check has that id."),
  "git.missing": never("Git is missing or too old. Install git 2.38 or newer."),
  "git.failed": soon("Git could not do this."),
  "disk.full": soon("The disk is full. Free some space, then retry."),
  "joined-session.missing": never("No joined session has that id, or it has left."),
  "joined-session.unknown": soon(
    "Atrium does not know yet which session this is. Retry after its next prompt.",
  ),
  "joined-session.tasks": never(
    "Nobody has allowed sessions to take tasks. The user runs: atrium join --tasks",
  ),
  "joined-session.busy": never(
    "This session has a task already. Hand it over or release it first.",
  ),
  "joined-session.pending": soon(
    "The session's task is not ready for it right now. Retry when its project goes on.",
  ),
  "joined-session.toolless": never(
    "This session cannot be given tasks. Give the task to another session or to an agent.",
  ),
  "joined-session.taskless": never("This session has no task."),
  "joined-session.read-only": never(
    "This session is only read from its files and takes no messages. Join it with `atrium join`, or write in its terminal.",
  ),
  "joined-session.full": soon(
    "Too many messages wait for this session. Retry when it has taken them.",
  ),
  "repository.missing": never("No repository has that id or path."),
  "repository.taken": never("A repository with that id already exists."),
  "repository.configured": never("The repository is in the settings. Change it there."),
  "repository.forbidden": never("This folder cannot be added."),
  "repository.unreadable": never("The repository cannot be read."),
  "settings.invalid": never("The settings would be invalid. Nothing was changed."),
  "settings.fixed": never("This setting cannot be changed while the server runs."),
  "settings.unreadable": never(
    "The settings file cannot be read as it is now. Correct it, then retry. Nothing was changed.",
  ),
  "settings.unwritable": soon("The settings file cannot be written. Nothing was changed."),
  "terminal.unavailable": never("This session cannot be taken into a terminal."),
  "terminal.busy": never(
    "The session is in a terminal already, or busy. End the program there, then retry.",
  ),
  "workspace.missing": never("No workspace has that id."),
  "workspace.taken": never("A workspace with that id already exists."),
  "workspace.status": never("The workspace's state does not allow this."),
  "workspace.busy": never(
    "Somebody works in the workspace. Stop the run or wait for its end, then retry.",
  ),
  "line.missing": never("The project has no line of its own yet: nothing has been worked on."),
  "delivery.unsafe": never(
    "The repository does not allow this delivery as it is now. Nothing in it has changed.",
  ),
  "delivery.impossible": never("This way of delivering is not possible here. Choose another."),
  "moment.missing": never("No files are recorded for that moment."),
  "file.missing": never("No file or folder has that path."),
  "file.large": never("The file is too large to be read here."),
  "handover.missing": never("Nothing has been handed over yet."),
  "preview.missing": never(
    "There is no page to show: no `index.html` in these files, nor in a folder for built sites such as `dist`.",
  ),
  "preview.off": never(
    "There are no previews here: they are switched off, or their port is taken. See the setting `preview`.",
  ),
  "decision.missing": never("No decision has that id."),
  "decision.settled": never("The decision is already made."),
  "guard.broken": never("The state has changed. Refresh and retry."),
  "build.missing": never("No build has that id."),
  "build.taken": never("A build with that id already exists."),
  "build.ended": never("The build has ended."),
  "build.not-asking": never(
    "The build is not asking this question, or someone else has answered it.",
  ),
  "build.misanswered": never("The answer does not fit the build's question."),
  "channel.unknown": never("Unknown channel."),
  "channel.incapable": never("The channel does not support this action."),
  "channel.failed": never("The channel could not deliver the message."),
  "asking.crowded": soon("Too many requests are waiting for an answer. Retry later."),
  "device.unknown": never("No paired device has that id and role."),
  "schedule.absent": never(
    "Atrium has no scheduler. Let the system's scheduler call `agent` or `wake`.",
  ),
  "scope.ungranted": never("The device was never granted that scope."),
  "request.unknown": never("No open pairing request has that id."),
  "request.expired": never("The pairing request has expired. Request pairing again."),
  "role.wrong": never("The connection's role cannot call this method."),
  "node.unknown": never("No node has that id."),
  "node.offline": soon("The node is not connected."),
  "node.mismatched": never("The connection belongs to another node."),
  "command.unapproved": never("The node's command is not approved yet."),
  "command.unoffered": never("The node does not offer that command."),
  "invocation.unknown": never("No invocation has that id."),
  "invocation.oversize": never("The node's command or answer is too large."),
  "scene.unknown": never("No scene has that id."),
  "office.missing": never("The office is not open yet."),
  "poi.unknown": never("The scene has no point of interest with that id."),
  "place.unreachable": never("No path leads to that place."),
  "place.full": soon("No free place is left to stand."),
  "decor.full": never("Every place for a trophy is taken."),
  "signals.none": never("The request contains no signals."),
  "signals.many": never("Too many signals in one request. Send fewer."),
  "position.foreign": never("The position belongs to another log. Subscribe without it."),
  "key.reused": never("The idempotency key was already used for another request. Use a new key."),
  "log.contended": soon("Too many concurrent changes to one stream. Retry."),
  "log.busy": soon("The log's write queue is full. Retry shortly."),
  "log.unavailable": soon(
    "The log cannot be written for the moment. Reading goes on; retry shortly.",
  ),
  "log.oversize": never(
    "This is more than the log takes at once. Send less, or attach it as a file.",
  ),
  "log.fenced": never("Another node has taken over this work. Nothing was written."),
  "shared-folder.differs": never(
    "Another folder than the other nodes share. Give --shared the same folder on every node.",
  ),
  "cluster.leaderless": soon("No node directs the work for the moment. Retry shortly."),
  "cluster.silent": soon(
    "The node that does this did not answer. It may have been done: look first, then retry.",
  ),
  "cluster.outdated": soon(
    "The node that directs has an earlier release, which cannot do this. Retry when it is updated.",
  ),
  "cluster.oversize": never("That is too much to pass from one node to another."),
  internal: soon("Internal server error. The server has logged it."),
};

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

/** For a person to read. */
export function describeRefusal({ code, detail }: Pick<Refusal, "code" | "detail">): string {
  const { message } = REFUSALS[code];
  return detail === undefined ? message : `${message} (${detail})`;
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
