/**
 * One session of Codex, as its daemon tells of it: a thread.
 *
 *   idle -> active: subscribed, so that what it asks comes here too -> idle: not subscribed
 *
 * While it is idle it is left alone: Codex lets go of a thread that nobody is subscribed to when its terminal is gone, and
 * says so. What it asks is asked again whenever someone subscribes, so nothing is lost by that.
 */
import { joinedSession, type Dispatch, type SessionActivity } from "@atrium/core";
import { textInput } from "../../agents/codex/app-server/codex-input.ts";
import { AppServerRefusal, type RequestId } from "../../agents/codex/app-server/connection.ts";
import { fieldsOf, listOf, textIn, type Fields } from "../../agents/turn/json-fields.ts";
import { sleep } from "../../platform/timers.ts";
import type { HeldRequests } from "../held-requests.ts";
import { describeTool, type ReportedTool } from "../hook-report.ts";
import type { LeftMessages } from "../left-messages.ts";
import type { LiveSessions } from "../live-sessions.ts";
import type { DaemonLink } from "./daemon-link.ts";
import { PendingChanges } from "./pending-changes.ts";
import { createThreadRequests, type ThreadRequests } from "./thread-requests.ts";

export interface CodexThreadDeps {
  readonly dispatch: Dispatch;
  readonly live: LiveSessions;
  readonly held: HeldRequests;
  readonly messages: LeftMessages;
  readonly mask: (value: unknown) => unknown;
  readonly onFault: (cause: unknown) => void;
}

/** Of a thread whose first turn has just begun, Codex may not have written enough to subscribe to it. */
const RETRY_MS = 250;
const MAX_TRIES = 40;

export class CodexThread {
  /** Of the joined session. */
  readonly id: string;
  readonly #threadId: string;
  readonly #link: DaemonLink;
  readonly #deps: CodexThreadDeps;
  readonly #changes = new PendingChanges();
  readonly #requests: ThreadRequests;
  #activity: SessionActivity = "idle";
  #turnId: string | undefined;
  #isSubscribed = false;
  #isSyncing = false;
  #tries = 0;
  #isActivityDue = false;
  #isOver = false;
  /** What is told to the log, in order. */
  #steps: Promise<unknown>;

  /** `welcomed`: it is in the office, or stays outside. */
  constructor(
    ids: { readonly id: string; readonly threadId: string; readonly cwd: string },
    link: DaemonLink,
    deps: CodexThreadDeps,
    welcomed: Promise<boolean>,
  ) {
    this.id = ids.id;
    this.#threadId = ids.threadId;
    this.#link = link;
    this.#deps = deps;
    this.#steps = welcomed.then((isHere) => this.#enter(isHere)).catch(deps.onFault);
    this.#requests = createThreadRequests({
      joinedId: ids.id,
      cwd: ids.cwd,
      held: deps.held,
      mask: deps.mask,
      lost: link.lost,
      changesOf: (itemId) => this.#changes.of(itemId),
      afterEarlier: () => this.#steps,
      onNote: (note) => void this.#add(`A person denied this and said: ${note}`),
    });
  }

  #enter(isHere: boolean): void {
    if (isHere && !this.#isOver) this.#deps.live.reach(this.id);
    else this.#isOver = true;
  }

  onStatus(status: Fields): void {
    this.#activity = activityOf(status);
    if (this.#activity === "idle") this.#endTurn();
    this.#tellActivity();
    this.#sync().catch((cause: unknown) => this.#report(cause));
    this.deliver();
  }

  onNotification(method: string, params: Fields): void {
    this.#turnId = textIn(params, "turnId") ?? this.#turnId;
    const item = fieldsOf(params["item"]);
    switch (method) {
      case "turn/started":
        this.#turnId = textIn(fieldsOf(params["turn"]), "id");
        return this.deliver();
      case "item/started":
        this.#changes.add(item);
        return this.#show(toolIn(item));
      case "item/completed":
        this.#changes.remove(item);
        return this.#show(null);
      case "serverRequest/resolved":
        return this.#requests.withdraw(params["requestId"]);
    }
  }

  async onRequest(method: string, params: Fields, id: RequestId): Promise<object | undefined> {
    if (this.#isOver) return undefined;
    try {
      return await this.#requests.answer(method, params, id);
    } catch (cause) {
      // An error would count as an answer, and the terminal has one too.
      this.#report(cause);
      return undefined;
    }
  }

  /** Hands over what people have left, if it can be told now. */
  deliver(): void {
    this.#tell(async () => {
      if (this.#activity !== "idle" && this.#turnId === undefined) return;
      const handover = this.#deps.messages.take(this.id);
      if (handover === undefined) return;
      try {
        await this.#say(handover.text);
      } catch (cause) {
        handover.release();
        return this.#report(cause);
      }
      await handover.confirm("at-once");
    });
  }

  /** Its program says that it is over, or it has left Atrium. */
  end(): Promise<void> {
    const { dispatch, held, live } = this.#deps;
    this.#tell(async () => {
      this.#isOver = true;
      await held.settle(this.id, null);
      await dispatch(joinedSession, this.id, { type: "leave", why: "ended" });
      live.forget(this.id);
    });
    return this.#steps.then(() => undefined);
  }

  /** Nothing more is heard of it this way; it may come back. */
  lose(): void {
    this.#isOver = true;
    this.#deps.live.lose(this.id);
  }

  async #say(text: string): Promise<void> {
    if (this.#activity !== "idle" && (await this.#add(text))) return;
    const params = { threadId: this.#threadId, input: [textInput(text)] };
    await this.#link.request("turn/start", params);
  }

  /** To the turn that is under way; false when there is none any more. */
  async #add(text: string): Promise<boolean> {
    const turn = { threadId: this.#threadId, expectedTurnId: this.#turnId };
    try {
      await this.#link.request("turn/steer", { ...turn, input: [textInput(text)] });
      return true;
    } catch (cause) {
      this.#report(cause);
      return false;
    }
  }

  async #sync(): Promise<void> {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    try {
      while (!this.#isOver && this.#wantsSubscription() !== this.#isSubscribed) {
        await (this.#isSubscribed ? this.#unsubscribe() : this.#subscribe());
      }
    } finally {
      this.#isSyncing = false;
    }
  }

  #wantsSubscription(): boolean {
    return this.#activity !== "idle" && this.#tries < MAX_TRIES;
  }

  async #subscribe(): Promise<void> {
    const { lost } = this.#link;
    try {
      const page = { limit: 1, itemsView: "notLoaded" };
      const params = { threadId: this.#threadId, excludeTurns: true, initialTurnsPage: page };
      const resumed = await this.#link.request("thread/resume", params);
      this.#isSubscribed = true;
      const [turn = {}] = listOf(fieldsOf(resumed["initialTurnsPage"])["data"]);
      if (turn["status"] === "inProgress") this.#turnId ??= textIn(turn, "id");
      this.deliver();
    } catch (cause) {
      if (!(cause instanceof AppServerRefusal)) throw cause;
      this.#tries += 1;
      await sleep(RETRY_MS, lost).catch(() => undefined);
    }
  }

  async #unsubscribe(): Promise<void> {
    this.#isSubscribed = false;
    await this.#link.request("thread/unsubscribe", { threadId: this.#threadId });
  }

  #endTurn(): void {
    this.#turnId = undefined;
    this.#tries = 0;
    this.#changes.clear();
  }

  #show(tool: ReportedTool | null | undefined): void {
    if (tool === undefined) return;
    const { live, mask } = this.#deps;
    this.#tell(async () => live.hear(this.id, tool === null ? null : describeTool(tool, mask)));
  }

  /** What has changed again before it was told is not told. */
  #tellActivity(): void {
    if (this.#isActivityDue) return;
    this.#isActivityDue = true;
    const { dispatch, held, live } = this.#deps;
    this.#tell(async () => {
      this.#isActivityDue = false;
      const activity = this.#activity;
      // What it no longer waits for was answered in its terminal.
      if (activity !== "waiting") await held.settle(this.id, null);
      await dispatch(joinedSession, this.id, { type: "change-activity", activity });
      live.hear(this.id, activity === "idle" ? null : undefined);
    });
  }

  #tell(step: () => Promise<void>): void {
    const unlessOver = async (): Promise<void> => (this.#isOver ? undefined : step());
    this.#steps = this.#steps.then(unlessOver).catch((cause: unknown) => this.#report(cause));
  }

  /** What Codex refuses, and that it is gone, is nobody's fault. */
  #report(cause: unknown): void {
    if (this.#link.lost.aborted || cause instanceof AppServerRefusal) return;
    this.#deps.onFault(cause);
  }
}

function activityOf(status: Fields): SessionActivity {
  if (status["type"] !== "active") return "idle";
  const { activeFlags: flags } = status;
  return Array.isArray(flags) && flags.length > 0 ? "waiting" : "working";
}

/** What it uses, as its hook would say it; undefined: it is no tool. */
function toolIn(item: Fields): ReportedTool | undefined {
  switch (item["type"]) {
    case "commandExecution": {
      const [action = {}] = listOf(item["commandActions"]);
      const command = textIn(action, "command") ?? textIn(item, "command") ?? "";
      return { name: "Bash", input: { command } };
    }
    case "fileChange": {
      const [change = {}] = listOf(item["changes"]);
      return { name: "apply_patch", input: { path: textIn(change, "path") ?? "" } };
    }
    case "mcpToolCall":
      return { name: textIn(item, "tool") ?? "tool", input: item["arguments"] };
    default:
      return undefined;
  }
}
