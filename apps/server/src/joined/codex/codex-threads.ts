/**
 * The sessions of Codex that its daemon has loaded, each a joined session under the same name as its hooks give it.
 *
 *   thread/loaded/list, thread/started, thread/status/changed -> a session comes in, works, asks, rests
 *   thread/closed -> it goes
 *
 * Threads that Codex makes for itself (titles) and those of sub-agents are no sessions of anybody's.
 */
import { joinedSession, type SessionDetails } from "@atrium/core";
import type { RequestId } from "../../agents/codex/app-server/connection.ts";
import { AppServerRefusal } from "../../agents/codex/app-server/connection.ts";
import { fieldsOf, textIn, type Fields } from "../../agents/turn/json-fields.ts";
import { cleanText } from "../../platform/clean-text.ts";
import { welcome, type ArrivalDeps } from "../arrivals.ts";
import { sessionKey } from "../hook-report.ts";
import { CodexThread, type CodexThreadDeps } from "./codex-thread.ts";
import type { DaemonLink } from "./daemon-link.ts";

export interface CodexThreadsDeps extends CodexThreadDeps, ArrivalDeps {
  /** Of the daemon; undefined: not known. */
  readonly servedBy: string | undefined;
}

const PROGRAM = "codex";
const MAX_ID_CHARS = 200;
const MAX_TEXT_CHARS = 1_000;
/** Whatever a daemon says, no more is kept of it. */
const MAX_THREADS = 256;

export class CodexThreads {
  readonly #link: DaemonLink;
  readonly #deps: CodexThreadsDeps;
  readonly #threads = new Map<string, CodexThread>();
  /** Those that are no sessions, and those that are being looked at. */
  readonly #passedOver = new Set<string>();

  constructor(link: DaemonLink, deps: CodexThreadsDeps) {
    this.#link = link;
    this.#deps = deps;
  }

  /** Takes in all that are loaded, and takes leave of those that are not any more. */
  async begin(): Promise<void> {
    const { data } = await this.#link.request("thread/loaded/list", {});
    const loaded = (Array.isArray(data) ? data : []).filter((id) => typeof id === "string");
    for (const threadId of loaded.slice(0, MAX_THREADS)) {
      if (!this.#threads.has(threadId)) await this.#look(threadId);
    }
    const here = new Set(loaded.map((threadId) => sessionKey(PROGRAM, threadId)));
    const { sessions, dispatch, held, servedBy } = this.#deps;
    for (const { id, details } of sessions.list()) {
      if (servedBy === undefined || details.servedBy !== servedBy || here.has(id)) continue;
      await held.settle(id, null);
      await dispatch(joinedSession, id, { type: "leave", why: "ended" });
    }
  }

  onNotification(method: string, params: Fields): void {
    if (method === "thread/started") return this.#see(fieldsOf(params["thread"]));
    const threadId = textIn(params, "threadId");
    if (threadId === undefined) return;
    const thread = this.#threads.get(threadId);
    if (method === "thread/closed") {
      this.#passedOver.delete(threadId);
      this.#threads.delete(threadId);
      void thread?.end();
    } else if (method !== "thread/status/changed") {
      thread?.onNotification(method, params);
    } else if (thread !== undefined) {
      thread.onStatus(fieldsOf(params["status"]));
    } else if (fieldsOf(params["status"])["type"] !== "notLoaded") {
      this.#look(threadId).catch((cause: unknown) => this.#report(cause));
    }
  }

  async onRequest(method: string, params: Fields, id: RequestId): Promise<object | undefined> {
    return this.#threads.get(textIn(params, "threadId") ?? "")?.onRequest(method, params, id);
  }

  /** Something was left for a session. */
  deliver(id: string): void {
    for (const thread of this.#threads.values()) if (thread.id === id) thread.deliver();
  }

  /** The daemon is out of reach. */
  lose(): void {
    for (const thread of this.#threads.values()) thread.lose();
    this.#threads.clear();
  }

  /** Codex has left Atrium. */
  async end(): Promise<void> {
    await Promise.all([...this.#threads.values()].map((thread) => thread.end()));
    this.#threads.clear();
  }

  /** One that came before we were there. */
  async #look(threadId: string): Promise<void> {
    if (this.#passedOver.has(threadId) || threadId.length > MAX_ID_CHARS) return;
    this.#passOver(threadId);
    try {
      const read = await this.#link.request("thread/read", { threadId });
      this.#passedOver.delete(threadId);
      this.#see(fieldsOf(read["thread"]));
    } catch (cause) {
      this.#passedOver.delete(threadId);
      this.#report(cause);
    }
  }

  #see(thread: Fields): void {
    const threadId = textIn(thread, "id") ?? "";
    if (threadId === "" || threadId.length > MAX_ID_CHARS || this.#threads.has(threadId)) return;
    const isOwn = thread["ephemeral"] !== false || textIn(thread, "parentThreadId") !== undefined;
    if (isOwn) return this.#passOver(threadId);
    if (this.#threads.size >= MAX_THREADS) return;
    const id = sessionKey(PROGRAM, threadId);
    const details = this.#detailsOf(id, thread);
    const ids = { id, threadId, cwd: details.folder ?? "/" };
    const welcomed = welcome(this.#deps, id, details);
    const seen = new CodexThread(ids, this.#link, this.#deps, welcomed);
    this.#threads.set(threadId, seen);
    seen.onStatus(fieldsOf(thread["status"]));
  }

  /** What its hooks have told is newer. */
  #detailsOf(id: string, thread: Fields): SessionDetails {
    const before = this.#deps.sessions.get(id)?.details;
    const { servedBy } = this.#deps;
    return {
      program: PROGRAM,
      model: before?.model ?? lineIn(thread, "model"),
      owner: before?.owner ?? null,
      folder: before?.folder ?? lineIn(thread, "cwd"),
      branch: before?.branch ?? lineIn(fieldsOf(thread["gitInfo"]), "branch"),
      process: before?.process ?? null,
      ...(servedBy !== undefined && { servedBy }),
      canAsk: before?.canAsk ?? false,
    };
  }

  #passOver(threadId: string): void {
    const [oldest] = this.#passedOver;
    if (this.#passedOver.size >= MAX_THREADS && oldest !== undefined) {
      this.#passedOver.delete(oldest);
    }
    this.#passedOver.add(threadId);
  }

  #report(cause: unknown): void {
    if (this.#link.lost.aborted || cause instanceof AppServerRefusal) return;
    this.#deps.onFault(cause);
  }
}

function lineIn(fields: Fields, name: string): string | null {
  const text = cleanText(textIn(fields, name) ?? "").slice(0, MAX_TEXT_CHARS);
  return text === "" ? null : text;
}
