/**
 * `atrium signals pipe --from NAME`: a stream on stdin, one JSON object per line or as server-sent events, told as
 * signals. What comes while a request is under way goes with the next.
 */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import {
  createAgUiSignals,
  createAnthropicSignals,
  createClaudeStreamSignals,
  createCodexSignals,
  createGeminiSignals,
  createLanggraphSignals,
  createOpenaiSignals,
  createOpenclawSignals,
  createOpencodeSignals,
  type Producer,
  type SignalAdapter,
} from "@atrium/client";
import { own } from "@atrium/wire";
import { EXIT } from "../../command-line/cli-error.ts";
import { command } from "../../command-line/command.ts";
import { usageError, SERVER_OPTIONS } from "../../command-line/read-args.ts";
import { findServer, type ServerPlace } from "../../server/find-server.ts";
import { isRecord } from "../../server/settings.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import { sendSignals } from "./send-signals.ts";

const ADAPTERS: Readonly<Record<string, (producer: Producer, agent: string) => SignalAdapter>> = {
  openai: createOpenaiSignals,
  anthropic: createAnthropicSignals,
  openclaw: createOpenclawSignals,
  "claude-code": createClaudeStreamSignals,
  codex: createCodexSignals,
  opencode: createOpencodeSignals,
  gemini: createGeminiSignals,
  qwen: createClaudeStreamSignals,
  "ag-ui": createAgUiSignals,
  langgraph: createLanggraphSignals,
};
const SEND = { timeoutMs: 30_000, tries: 20 };
const MAX_CONCURRENT = 500;
/** Then the stream is not read until some have been sent. */
const MAX_QUEUE = 5_000;
const SHOWN_LENGTH = 120;

const NAME = "signals pipe";
const SOURCES = [...Object.keys(ADAPTERS), "signals"].join(", ");

export const pipe = command({
  name: NAME,
  calls: [
    [
      `${NAME} --from NAME`,
      "send a stream from stdin as signals: JSON lines or server-sent events",
    ],
  ],
  options: {
    from: { type: "string", takes: "NAME", help: `format of the stream: ${SOURCES}` },
    agent: { type: "string", takes: "ID", help: "the agent; default the format's name" },
    source: { type: "string", takes: "NAME", help: "the producer; default adapter:NAME" },
    ...SERVER_OPTIONS,
  },
  examples: [
    "curl -sN … | atrium signals pipe --from openai --agent scout",
    'codex exec --json "Fix the test" | atrium signals pipe --from codex',
  ],
  async run({ values }, environment) {
    const { terminal, now } = environment;
    const read = readerFor(values, now);
    const sender = new Sender(await findServer(values, environment));
    let bad = 0;
    for await (const line of createInterface({ input: terminal.stdin })) {
      const piece = dataIn(line);
      if (piece === undefined) continue;
      let value: unknown;
      try {
        value = JSON.parse(piece);
      } catch {
        bad++;
        terminal.err(`atrium: not JSON: ${plainLine(piece, SHOWN_LENGTH)}\n`);
        continue;
      }
      await sender.take(read(value));
    }
    const unwanted = await sender.finish();
    for (const problem of unwanted) terminal.err(`atrium: a signal was rejected: ${problem}\n`);
    return bad + unwanted.length > 0 ? EXIT.failed : EXIT.ok;
  },
});

interface Stream {
  readonly from?: string | undefined;
  readonly agent?: string | undefined;
  readonly source?: string | undefined;
}

function readerFor(
  { from, agent, source }: Stream,
  now: () => number,
): (value: unknown) => readonly unknown[] {
  if (from === undefined) {
    throw usageError(NAME, `Name the format of the stream with --from: ${SOURCES}`);
  }
  if (from === "signals") {
    return (value) => [source !== undefined && isRecord(value) ? { ...value, source } : value];
  }
  const create = own(ADAPTERS, from);
  if (create === undefined) {
    throw usageError(NAME, `Unknown format: --from ${from}. Use one of: ${SOURCES}`);
  }
  const producer = { source: source ?? `adapter:${from}`, newId: () => randomUUID(), now };
  return create(producer, agent ?? from);
}

/** What a line of the stream carries, if anything. */
function dataIn(line: string): string | undefined {
  const text = line.trim();
  if (text === "" || /^(?::|event:|id:|retry:)/.test(text)) return undefined;
  const data = text.startsWith("data:") ? text.slice("data:".length).trim() : text;
  return data === "" || data === "[DONE]" ? undefined : data;
}

class Sender {
  readonly #place: ServerPlace;
  readonly #waiting: string[] = [];
  readonly #unwanted: string[] = [];
  #sending: Promise<void> | undefined;

  constructor(place: ServerPlace) {
    this.#place = place;
  }

  async take(signals: readonly unknown[]): Promise<void> {
    this.#waiting.push(...signals.map((signal) => JSON.stringify(signal)));
    if (this.#waiting.length === 0) return;
    this.#sending ??= this.#send();
    // Nobody waits for it before there is much; a failure is found when someone does.
    this.#sending.catch(() => undefined);
    if (this.#waiting.length > MAX_QUEUE) await this.#sending;
  }

  async finish(): Promise<readonly string[]> {
    await this.#sending;
    return this.#unwanted;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0, MAX_CONCURRENT);
      this.#unwanted.push(...(await sendSignals(this.#place, lines, SEND)));
    }
    this.#sending = undefined;
  }
}
