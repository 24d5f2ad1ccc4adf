/**
 * Shows the sessions of this opencode in the office of Atrium on this machine: what they do, what they ask, and what
 * people leave for them. `atrium join opencode` puts this file here, `atrium leave opencode` removes it.
 *
 *   events of opencode -> reports, one after the other, in the background
 *   a permission, or a question
 *                      -> held by Atrium until it is answered there, or in the terminal, whose dialog is open
 *   a waiting request  <- a message, which becomes a prompt
 *
 * Nothing here stops opencode: it waits for none of this, and without Atrium nothing is sent. It needs no package, and
 * is one file, because opencode takes each file beside it for another plugin.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Of Atrium; filled in when this file is installed. */
const HOME = "";

const REPORT_TIMEOUT_MS = 4_000;
const MAX_QUEUED_REPORTS = 100;
const MAX_ANSWER_CHARS = 1_000_000;
const RETRY_MS = 1_000;
/** Someone waits that long for Atrium to come back; then only the terminal is asked. */
const MAX_TRIES = 600;
/** Atrium is not looked for all the time while it is away. */
const AWAY_MS = 3_000;

/** As its tool and its notice are called. */
const QUESTION = "question";

type Fields = Readonly<Record<string, unknown>>;

/** As far as it is used here. */
interface OpencodeClient {
  readonly session: {
    promptAsync(call: {
      readonly path: { readonly id: string };
      readonly body: Fields;
    }): Promise<unknown>;
  };
  postSessionIdPermissionsPermissionId(call: {
    readonly path: { readonly id: string; readonly permissionID: string };
    readonly body: { readonly response: "once" | "reject" };
  }): Promise<unknown>;
  /** Beneath it all; it has no call of its own for questions. */
  readonly _client?: {
    post(call: {
      readonly url: string;
      readonly path: Readonly<Record<string, string>>;
      readonly body: Fields;
      readonly headers: Readonly<Record<string, string>>;
    }): Promise<unknown>;
  };
}

interface OpencodeInput {
  readonly client: OpencodeClient;
  readonly directory: string;
}

interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

interface Prompt {
  readonly sessionID: string;
  readonly agent?: string;
  readonly model?: Model;
}

interface AskedPermission {
  readonly id: string;
  readonly sessionID: string;
  readonly permission: string;
  readonly patterns?: readonly string[];
  readonly metadata?: Fields;
}

interface AskedQuestion {
  readonly id: string;
  readonly sessionID: string;
  readonly questions: readonly unknown[];
}

interface ToolUse {
  readonly tool: string;
  readonly sessionID: string;
  readonly args?: unknown;
}

/** Those that matter here; there are many more. */
type OpencodeEvent =
  | {
      readonly type: "session.created";
      readonly properties: { readonly info: { readonly id: string; readonly parentID?: string } };
    }
  | {
      readonly type: "session.deleted";
      readonly properties: { readonly info: { readonly id: string } };
    }
  | { readonly type: "session.idle"; readonly properties: { readonly sessionID: string } }
  | { readonly type: "permission.asked"; readonly properties: AskedPermission }
  | { readonly type: "question.asked"; readonly properties: AskedQuestion }
  | {
      readonly type: "permission.replied" | "question.replied" | "question.rejected";
      readonly properties: { readonly requestID: string };
    };

interface OpencodeHooks {
  readonly event?: (call: { readonly event: OpencodeEvent }) => Promise<void>;
  readonly "chat.message"?: (prompt: Prompt) => Promise<void>;
  readonly "tool.execute.before"?: (
    use: ToolUse,
    call: { readonly args: unknown },
  ) => Promise<void>;
  readonly "tool.execute.after"?: (use: ToolUse) => Promise<void>;
}

interface Address {
  readonly url: string;
  readonly authorization: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The way to Atrium. */
class AtriumLink {
  readonly #home: string;
  readonly #folder: string;
  #last: Promise<unknown> = Promise.resolve();
  #queued = 0;

  constructor(home: string, folder: string) {
    this.#home = home;
    this.#folder = folder;
  }

  /** In order and in the background; what cannot be sent is dropped. */
  report(fields: Fields): void {
    if (this.#queued >= MAX_QUEUED_REPORTS) return;
    this.#queued++;
    this.#last = this.#last
      .then(() => this.#send(fields))
      .catch(() => undefined)
      .finally(() => this.#queued--);
  }

  async #send(fields: Fields): Promise<void> {
    const event = String(fields["hook_event_name"]);
    const isTold = event === "UserPromptSubmit" || event === "SessionStart";
    const branch = isTold ? await branchOf(this.#folder) : "";
    await this.post(fields, {
      headers: { "x-atrium-branch": inBytes(branch) },
      timeoutMs: REPORT_TIMEOUT_MS,
    });
  }

  /** Undefined: Atrium is away, or was cut off. */
  async post(fields: Fields, options: PostOptions): Promise<Answer | undefined> {
    const address = await this.#find();
    if (address === undefined) return undefined;
    return post(address, { cwd: this.#folder, ...fields }, options).catch(() => undefined);
  }

  /** Asks until there is an answer; undefined when nobody waits any more, or Atrium stays away. */
  async ask(fields: Fields, requestId: string, signal: AbortSignal): Promise<Fields | undefined> {
    // If it is not there now, the terminal is enough.
    if ((await this.#find()) === undefined) return undefined;
    const headers = { "x-atrium-request": inBytes(requestId) };
    for (let tries = 0; tries < MAX_TRIES && !signal.aborted; tries++) {
      const answer = await this.post(fields, { headers, signal });
      if (answer !== undefined && answer.status < 500) return fieldsIn(answer);
      await setTimeout(RETRY_MS, undefined, { ref: false });
    }
    return undefined;
  }

  /** While it is open there is a file that says where, for its owner only. */
  async #find(): Promise<Address | undefined> {
    const text = await readFile(join(this.#home, "joined.curl"), "utf8").catch(() => "");
    const [, pid] = /^# (\d+)$/m.exec(text) ?? [];
    const [, url] = /^url = "(.*)"$/m.exec(text) ?? [];
    const [, authorization] = /^header = "Authorization: (.*)"$/m.exec(text) ?? [];
    if (url === undefined || authorization === undefined || !isAlive(Number(pid))) return undefined;
    return { url, authorization };
  }
}

interface OpenSession {
  isBusy: boolean;
  agent?: string | undefined;
  model?: Model | undefined;
  readonly closed: AbortController;
}

/** The sessions of this process. */
class Sessions {
  readonly #client: OpencodeClient;
  readonly #link: AtriumLink;
  /** By the id of one that another has started: the one that its user sees. */
  readonly #roots = new Map<string, string>();
  readonly #open = new Map<string, OpenSession>();
  readonly #asked = new Map<string, AbortController>();

  constructor(client: OpencodeClient, link: AtriumLink) {
    this.#client = client;
    this.#link = link;
  }

  adopt(id: string, parentId: string): void {
    this.#roots.set(id, this.#rootOf(parentId));
  }

  tell(id: string, event: string, fields: Fields = {}): void {
    this.#enter(id);
    this.#link.report({ ...this.#named(id, event), ...fields });
  }

  /** Of one that another has started, the other tells. */
  rest(id: string): void {
    if (this.#rootOf(id) !== id) return;
    this.#enter(id).isBusy = false;
    this.tell(id, "Stop");
  }

  /** What was typed went to one session; others that rest are on no screen any more. */
  prompted({ sessionID: id, agent, model }: Prompt): void {
    if (this.#rootOf(id) !== id) return;
    for (const [other, { isBusy }] of this.#open) {
      if (other !== id && !isBusy) this.close(other);
    }
    Object.assign(this.#enter(id), { isBusy: true, agent, model });
    this.tell(id, "UserPromptSubmit");
  }

  close(id: string): void {
    const session = this.#open.get(id);
    if (session === undefined) return;
    this.#open.delete(id);
    session.closed.abort();
    this.#link.report(this.#named(id, "SessionEnd"));
  }

  /** The first answer counts. */
  async ask({
    id,
    sessionID,
    permission,
    patterns,
    metadata = {},
  }: AskedPermission): Promise<void> {
    const input = Object.keys(metadata).length > 0 ? metadata : { patterns };
    const verdict = await this.#put({ id, sessionID }, permission, input);
    if (verdict === undefined) return;
    const response = verdict["behavior"] === "allow" ? "once" : "reject";
    const path = { id: sessionID, permissionID: id };
    await this.#client.postSessionIdPermissionsPermissionId({ path, body: { response } });
  }

  async askQuestions({ id, sessionID, questions }: AskedQuestion): Promise<void> {
    const http = this.#client._client;
    // Whoever cannot answer does not ask.
    if (http === undefined) {
      return this.tell(sessionID, "Notification", { notification_type: QUESTION });
    }
    const verdict = await this.#put({ id, sessionID }, QUESTION, { questions });
    const answers = answersIn(verdict);
    if (answers === undefined) return;
    await http.post({
      url: "/question/{requestID}/reply",
      path: { requestID: id },
      body: { answers },
      headers: { "content-type": "application/json" },
    });
  }

  /** Undefined: nobody in Atrium has answered, or the terminal was first. */
  async #put(
    { id, sessionID }: Pick<AskedPermission, "id" | "sessionID">,
    tool: string,
    input: Fields,
  ): Promise<Fields | undefined> {
    this.#enter(sessionID);
    const elsewhere = new AbortController();
    this.#asked.set(id, elsewhere);
    const use = { tool_name: tool, tool_input: input };
    const fields = { ...this.#named(sessionID, "PermissionRequest"), ...use };
    const verdict = await this.#link.ask(fields, id, elsewhere.signal);
    this.#asked.delete(id);
    return elsewhere.signal.aborted ? undefined : verdict;
  }

  answered(requestId: string): void {
    this.#asked.get(requestId)?.abort();
  }

  #rootOf(id: string): string {
    return this.#roots.get(id) ?? id;
  }

  /** What a report says of whose it is. */
  #named(id: string, event: string): Fields {
    const root = this.#rootOf(id);
    const model = this.#open.get(root)?.model?.modelID;
    return {
      session_id: root,
      hook_event_name: event,
      model,
      ...(root !== id && { agent_id: id }),
    };
  }

  /** From now on it takes messages. */
  #enter(id: string): OpenSession {
    const root = this.#rootOf(id);
    const known = this.#open.get(root);
    if (known !== undefined) return known;
    const session: OpenSession = { isBusy: false, closed: new AbortController() };
    this.#open.set(root, session);
    void this.#takeMessages(root, session);
    return session;
  }

  async #takeMessages(id: string, session: OpenSession): Promise<void> {
    const { signal } = session.closed;
    while (!signal.aborted) {
      const answer = await this.#link.post(this.#named(id, "MessageWait"), { signal });
      const text = answer && fieldsIn(answer)?.["text"];
      if (typeof text === "string") await this.#prompt(id, session, text);
      else if (answer === undefined || answer.status >= 400) {
        await setTimeout(AWAY_MS, undefined, { ref: false });
      }
    }
  }

  /** With the agent and the model that its user has chosen last: another may be allowed more. */
  async #prompt(id: string, { agent, model }: OpenSession, text: string): Promise<void> {
    const body = { agent, model, parts: [{ type: "text", text }] };
    await this.#client.session.promptAsync({ path: { id }, body }).catch(() => undefined);
  }
}

/** By no proxy: the secret stays on this machine. */
function post(
  { url, authorization }: Address,
  fields: Fields,
  { headers = {}, timeoutMs, signal }: PostOptions,
): Promise<Answer> {
  const owner = process.env["USER"] ?? process.env["LOGNAME"] ?? "";
  const options = {
    method: "POST",
    // A connection of its own: those that are kept for others are given up when they are silent for seconds.
    agent: false,
    headers: {
      authorization,
      "content-type": "application/json",
      "x-atrium-program": "opencode",
      "x-atrium-pid": String(process.pid),
      "x-atrium-owner": inBytes(owner),
      ...headers,
    },
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      let body = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => {
        body += chunk;
        if (body.length > MAX_ANSWER_CHARS) outgoing.destroy();
      });
      incoming.on("error", reject);
      incoming.on("close", () => resolve({ status: incoming.statusCode ?? 0, body }));
    });
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(fields));
  });
}

function fieldsIn({ status, body }: Answer): Fields | undefined {
  if (status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members of whatever kind
    return typeof value === "object" && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** For each question, in their order. */
function answersIn(verdict: Fields | undefined): readonly unknown[] | undefined {
  const given = verdict?.["updatedInput"];
  const isGiven = typeof given === "object" && given !== null && "answers" in given;
  return isGiven && Array.isArray(given.answers) ? given.answers : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return pid > 1 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A header carries bytes. */
function inBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function branchOf(folder: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: REPORT_TIMEOUT_MS };
    execFile("git", ["rev-parse", "--abbrev-ref", "HEAD"], options, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ""),
    );
  });
}

function followEvent(sessions: Sessions, { type, properties }: OpencodeEvent): void {
  switch (type) {
    case "session.created": {
      const { id, parentID } = properties.info;
      if (parentID === undefined) return sessions.tell(id, "SessionStart");
      return sessions.adopt(id, parentID);
    }
    case "session.deleted":
      return sessions.close(properties.info.id);
    case "session.idle":
      return sessions.rest(properties.sessionID);
    case "permission.asked":
      sessions.ask(properties).catch(() => undefined);
      return;
    case "question.asked":
      sessions.askQuestions(properties).catch(() => undefined);
      return;
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return sessions.answered(properties.requestID);
  }
}

/** What opencode calls. */
export async function AtriumOffice({ client, directory }: OpencodeInput): Promise<OpencodeHooks> {
  // A session that Atrium started itself is in the office already.
  if (process.env["ATRIUM_AGENT"] !== undefined) return {};
  const sessions = new Sessions(client, new AtriumLink(HOME, directory));
  return {
    event: async ({ event }) => followEvent(sessions, event),
    "chat.message": async (prompt) => sessions.prompted(prompt),
    "tool.execute.before": async ({ tool, sessionID }, { args }) =>
      sessions.tell(sessionID, "PreToolUse", { tool_name: tool, tool_input: args }),
    "tool.execute.after": async ({ tool, sessionID, args }) =>
      sessions.tell(sessionID, "PostToolUse", { tool_name: tool, tool_input: args }),
  };
}
