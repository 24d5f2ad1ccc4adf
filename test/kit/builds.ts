/** Builds over plain HTTP, as any program would have them. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILD_STEPS } from "@atrium/wire/build";
import { openTestAtrium, type TestAtrium, type TestOptions } from "./atrium.ts";

export interface ToldEvent {
  readonly id: string;
  readonly seq: number;
  readonly ts: number;
  readonly build_id: string;
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each type has its own payload
  readonly payload: any;
}

export interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- looked into as it came
  readonly body: any;
}

export class BuildApi {
  readonly #url: string;
  readonly #token: string;

  constructor({ url, token }: { readonly url: string; readonly token: string }) {
    this.#url = url;
    this.#token = token;
  }

  get(path: string): Promise<Answered> {
    return this.#ask(path, {});
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const kind = { "content-type": "application/json" };
    return this.#ask(path, { method: "POST", headers: { ...kind, ...headers }, ...sent });
  }

  async start(prompt: string, more: object = {}): Promise<string> {
    const { status, body } = await this.post("", { prompt, ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  answer(id: string, ...answers: readonly object[]): Promise<Answered> {
    return this.post(`/${id}/answers`, { answers });
  }

  /** Events as they come, until the stream ends. */
  async *events(
    id: string,
    { after, lastEventId, signal }: FollowOptions = {},
  ): AsyncGenerator<ToldEvent, void> {
    const query = after === undefined ? "" : `?after=${after}`;
    const response = await fetch(`${this.#url}api/builds/${id}/events${query}`, {
      headers: {
        ...this.#headers(),
        ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
      },
      ...(signal !== undefined && { signal }),
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    let rest = "";
    for await (const chunk of response.body ?? []) {
      const blocks = `${rest}${Buffer.from(chunk).toString("utf8")}`.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, seq, data = ""] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
        if (seq === undefined) continue;
        const event = JSON.parse(data) as ToldEvent;
        assert.equal(event.seq, Number(seq));
        yield event;
      }
    }
  }

  /** Follows it to its end, answering what the rehearsal asks. */
  async see(
    id: string,
    onEvent: (event: ToldEvent) => void = () => undefined,
  ): Promise<ToldEvent[]> {
    const told: ToldEvent[] = [];
    for await (const event of this.events(id)) {
      told.push(event);
      onEvent(event);
      if (event.type !== "question.requested") continue;
      const { question_id } = event.payload;
      const { status, body } = await this.answer(id, { question_id, option_id: "team" });
      assert.equal(status, 200, JSON.stringify(body));
    }
    return told;
  }

  #headers(): Record<string, string> {
    return this.#token === "" ? {} : { authorization: `Bearer ${this.#token}` };
  }

  async #ask(
    path: string,
    init: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> },
  ): Promise<Answered> {
    const headers = { ...this.#headers(), ...init.headers };
    const response = await fetch(`${this.#url}api/builds${path}`, { ...init, headers });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }
}

export interface FollowOptions {
  readonly after?: number;
  readonly lastEventId?: number;
  readonly signal?: AbortSignal;
}

export interface BuildHouse extends AsyncDisposable {
  readonly atrium: TestAtrium;
  readonly api: BuildApi;
  readonly home: string;
}

/** The built-in crew, rehearsing without waiting. */
export const FAST_CREW = { runtimes: { fast: { type: "rehearsal", pace: 0 } } };

/** A server whose crew is that of the settings; the fast one unless told otherwise. */
export async function openBuildHouse(
  settings: object | ((home: string) => object) = FAST_CREW,
  options: TestOptions = {},
): Promise<BuildHouse> {
  const home = await mkdtemp(join(tmpdir(), "atrium-builds-"));
  const written: object = typeof settings === "function" ? settings(home) : settings;
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(written));
  const args = settings === FAST_CREW ? ["--agents", "fast"] : [];
  const atrium = await openTestAtrium({ ...options, args, home });
  return {
    atrium,
    api: new BuildApi(atrium),
    home,
    async [Symbol.asyncDispose]() {
      await atrium.close();
      assert.deepEqual(atrium.faults, []);
      await rm(home, { recursive: true, force: true });
    },
  };
}

export const WHOLE_BUILD: readonly string[] = [
  "session.started",
  "status.changed",
  ...steps(2),
  "question.requested",
  "question.answered",
  "assistant.message.created",
  ...steps(5),
  "status.changed",
  "session.completed",
];

function steps(count: number): readonly string[] {
  return Array.from({ length: count }, () => [
    "progress.step.started",
    "progress.step.completed",
  ]).flat();
}

export function typesOf(events: readonly ToldEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

export async function asked(api: BuildApi, id: string): Promise<ToldEvent> {
  let last: ToldEvent | undefined;
  for await (const event of api.events(id)) {
    last = event;
    if (event.type.endsWith(".requested")) return event;
  }
  throw new Error(`nothing was asked: ${JSON.stringify(last)}`);
}

/** Every step once and in order, one question, one answer, one end, however often its servers died. */
export function assertWholeBuild(told: readonly ToldEvent[]): void {
  const started = told.filter(({ type }) => type === "progress.step.started");
  assert.deepEqual(
    started.map(({ payload }) => payload.step_id),
    BUILD_STEPS.map(({ id }) => id),
  );
  // What is said to thank for an answer may be said again after an interruption.
  const plain = typesOf(told).filter((type) => type !== "assistant.message.created");
  assert.deepEqual(
    plain,
    WHOLE_BUILD.filter((type) => type !== "assistant.message.created"),
  );
}
