/**
 * A double of `codex app-server` for tests: speaks its protocol on standard input and output, in the shapes that were
 * recorded from version 0.166.0, and does what the prompt says. A prompt holds its steps as JSON between `<<` and `>>`.
 *
 *   node codex-double.ts [flaw …] app-server
 *
 * Threads are kept in the folder it works in and outlive the process.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { ChannelHost } from "../../../../../../test/kit/channel-host.ts";

export type CodexStep =
  /** `whole`: what the completed message says, where it differs from what was streamed. */
  | { readonly say: string; readonly whole?: string }
  | { readonly think: string }
  /** A tool of its own, as an item that starts and completes. */
  | { readonly item: object; readonly completed?: object }
  /** Runs a command of its own, once that is allowed; `leaves` a process behind in a session of its own. */
  | { readonly run: string; readonly leaves?: true }
  | { readonly patch: readonly object[]; readonly isUnknown?: true }
  /** Any other request; the answer is said. */
  | { readonly ask: string; readonly params: object }
  /** A request that the program settles by itself, without an answer of ours. */
  | { readonly askAndSettle: string; readonly params: object }
  | { readonly notify: string; readonly params: object }
  /** Calls a tool of the MCP server it was given, after the elicitation that goes with it, and says its result. */
  | { readonly useTool: string; readonly input?: object }
  | { readonly usage: readonly [input: number, output: number, cached?: number] }
  | { readonly complain: string }
  | { readonly print: string }
  /** Says all the input of this turn, or of all turns of the thread. */
  | { readonly echo: "input" | "thread" }
  | { readonly tell: "pid" | "env" | "thread" | "turn" | "skills" }
  | { readonly exit: number }
  | { readonly fail: object }
  | { readonly talkOn: true }
  /** Waits for a message that is added, and says it. */
  | { readonly awaitSteering: true }
  /** Waits to be interrupted; when deaf, does not listen to that either. */
  | { readonly hang: "interruptible" | "deaf" };

export function codexPrompt(...steps: readonly CodexStep[]): string {
  return `<<${JSON.stringify(steps)}>>`;
}

/** A way to be broken. `old`: knows no threads; `late-steer`: has always just ended the turn; `mute`: never answers; `crowded`: fails beside
 * another that is starting, as the real one does in a new home. */
export type CodexFlaw =
  | "logged-out"
  | "old"
  | "late-steer"
  | "mute"
  | "crowded"
  | "no-config"
  | "no-skills";

// oxlint-disable-next-line typescript/no-explicit-any -- messages of a protocol, looked into as they come
type Message = any;

if (import.meta.main) serve(new Set(process.argv.slice(2)));

interface Interruption {
  readonly turnId: string;
  readonly stop: AbortController;
  steered: string[];
  wake: () => void;
}

function serve(flaws: ReadonlySet<string>): void {
  const threads = new Map<string, string[]>();
  const waiting = new Map<number, (answer: Message) => void>();
  const lock = join(process.cwd(), ".starting");
  const commands: ChildProcess[] = [];
  let asked = 0;
  let turns = 0;
  let total = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  let threadParams: Message = {};
  let skillRoots: readonly string[] = [];
  let current: Interruption | undefined;
  let tools: Promise<ChannelHost> | undefined;

  const write = (message: object): void => {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  };
  const notify = (method: string, params: object): void =>
    write({ method, params, emittedAtMs: 1_794_786_306_386 });
  const request = (method: string, params: object): Promise<Message> => {
    const id = asked++;
    write({ method, id, params });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  const fileOf = (id: string): string => join(process.cwd(), ".threads", `${id}.json`);

  const openThread = (id: string, past: string[], params: Message): object => {
    threads.set(id, past);
    threadParams = params;
    return {
      thread: { id, status: { type: "idle" }, cwd: process.cwd(), turns: [] },
      model: params.model ?? "double-model",
      reasoningEffort: null,
    };
  };

  const methods: Record<string, (params: Message) => object | Promise<object>> = {
    initialize: () => {
      rmSync(lock, { force: true });
      return { userAgent: "double/0.166.0", platformOs: "linux" };
    },
    "account/read": () => ({ account: null, requiresOpenaiAuth: flaws.has("logged-out") }),
    "skills/extraRoots/set": ({ extraRoots }) => {
      if (flaws.has("no-skills")) throw new Refusal("unknown variant");
      // Threads list what there is when they begin.
      if (threads.size === 0) skillRoots = extraRoots;
      return {};
    },
    "config/read": () => {
      if (flaws.has("no-config")) throw new Refusal("unknown variant");
      return { config: { mcp_servers: { mine: { command: "mine" }, tides: {} } }, origins: {} };
    },
    "thread/start": (params) => openThread(crypto.randomUUID(), [], params),
    "thread/resume": (params) => {
      const { threadId } = params;
      if (!existsSync(fileOf(threadId))) {
        throw new Refusal(`no rollout found for thread id ${threadId}`);
      }
      const busy = join(process.cwd(), ".threads", "busy");
      if (existsSync(busy)) {
        // The other one has let go by the next time.
        rmSync(busy);
        throw new Refusal(`thread ${threadId} already has an active writer`);
      }
      const past = JSON.parse(readFileSync(fileOf(threadId), "utf8")) as string[];
      return openThread(threadId, past, params);
    },
    "thread/name/set": ({ threadId, name }) => {
      mkdirSync(join(process.cwd(), ".threads"), { recursive: true });
      writeFileSync(join(process.cwd(), ".threads", `${threadId}.name`), name);
      return {};
    },
    "thread/list": ({ searchTerm }) => {
      const folder = join(process.cwd(), ".threads");
      const files = existsSync(folder) ? readdirSync(folder) : [];
      const named = files.filter((file) => file.endsWith(".name"));
      const data = named.map((file) => ({
        id: file.replace(/\.name$/, ""),
        name: readFileSync(join(folder, file), "utf8"),
      }));
      return { data: data.filter(({ name }) => name.includes(searchTerm)), nextCursor: null };
    },
    "turn/start": (params) => {
      const turnId = `turn-${++turns}`;
      const turn = { turnId, stop: new AbortController(), steered: [], wake: () => undefined };
      current = turn;
      setImmediate(() => void playTurn(params, turn));
      return { turn: { id: turnId, status: "inProgress", items: [], error: null } };
    },
    "turn/steer": ({ expectedTurnId, input }) => {
      const turn = current;
      if (turn?.turnId === expectedTurnId && !flaws.has("late-steer")) {
        turn?.steered.push(textOf(input));
        turn?.wake();
        return { turnId: expectedTurnId };
      }
      turn?.wake();
      throw new Refusal("no active turn to steer");
    },
    "thread/backgroundTerminals/clean": () => {
      for (const command of commands.splice(0)) command.kill("SIGKILL");
      return {};
    },
    "turn/interrupt": ({ turnId }) => {
      if (current?.turnId === turnId) current?.stop.abort();
      return {};
    },
  };

  const playTurn = async (params: Message, turn: Interruption): Promise<void> => {
    const { threadId, input } = params;
    const { turnId } = turn;
    const past = threads.get(threadId) ?? [];
    const text = textOf(input);
    past.push(text);
    mkdirSync(join(process.cwd(), ".threads"), { recursive: true });
    writeFileSync(fileOf(threadId), JSON.stringify(past));
    notify("turn/started", { threadId, turn: { id: turnId, status: "inProgress" } });
    const steps = JSON.parse(/<<(.*)>>/s.exec(text)?.[1] ?? "[]") as CodexStep[];
    const end = (status: string, error: object | null = null): void => {
      current = undefined;
      notify("turn/completed", { threadId, turn: { id: turnId, status, error, items: [] } });
    };
    if (steps.length === 0) await play({ say: `again: ${text}` }, params, turn);
    for (const step of steps) {
      if ("fail" in step) return end("failed", step.fail);
      await play(step, params, turn);
      if (turn.stop.signal.aborted) return end("interrupted");
    }
    end("completed");
  };

  const play = async (step: CodexStep, params: Message, turn: Interruption): Promise<void> => {
    const { threadId } = params;
    const { turnId, stop } = turn;
    const about = { threadId, turnId };
    const started = (item: Message): void => notify("item/started", { item, ...about });
    const completed = (item: Message): void => notify("item/completed", { item, ...about });
    const say = (delta: string, whole = delta): void => {
      const item = { type: "agentMessage", id: `msg-${crypto.randomUUID()}`, text: "" };
      started(item);
      notify("item/agentMessage/delta", { ...about, itemId: item.id, delta });
      completed({ ...item, text: whole });
    };
    const aborted = new Promise<void>((resolve) => {
      stop.signal.addEventListener("abort", () => resolve());
    });
    if ("say" in step) say(step.say, step.whole);
    else if ("think" in step) {
      const where = { ...about, itemId: "rs-1", summaryIndex: 0 };
      notify("item/reasoning/summaryTextDelta", { ...where, delta: step.think });
    } else if ("item" in step) {
      started(step.item);
      if (step.completed !== undefined) completed({ ...step.item, ...step.completed });
    } else if ("run" in step) {
      const id = `call-${crypto.randomUUID()}`;
      const cwd = process.cwd();
      const command = `/bin/bash -lc '${step.run}'`;
      const item = { type: "commandExecution", id, command, cwd, status: "inProgress" };
      started(item);
      const itemId = id;
      const { decision } = await request("item/commandExecution/requestApproval", {
        kind: "command",
        ...about,
        itemId,
        command,
        cwd,
        reason: null,
        availableDecisions: ["accept", "cancel"],
      });
      if (stop.signal.aborted) return;
      if (decision !== "accept") return completed({ ...item, status: "declined" });
      if (step.leaves === true) {
        const left = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
        commands.push(left);
        const { pid } = left;
        return completed({ ...item, status: "completed", aggregatedOutput: `${pid}`, exitCode: 0 });
      }
      for (const delta of [step.run, "\n"]) {
        notify("item/commandExecution/outputDelta", { ...about, itemId, delta });
      }
      completed({ ...item, status: "completed", aggregatedOutput: `${step.run}\n`, exitCode: 0 });
    } else if ("patch" in step) {
      const id = `call-${crypto.randomUUID()}`;
      const item = { type: "fileChange", id, changes: step.patch, status: "inProgress" };
      if (step.isUnknown !== true) started(item);
      const { decision } = await request("item/fileChange/requestApproval", {
        ...about,
        itemId: id,
        reason: null,
        grantRoot: null,
      });
      say(JSON.stringify(decision));
      const status = decision === "accept" ? "completed" : "declined";
      if (step.isUnknown !== true) completed({ ...item, status });
    } else if ("ask" in step) {
      say(JSON.stringify(await request(step.ask, { ...about, ...step.params })));
    } else if ("askAndSettle" in step) {
      const requestId = asked;
      void request(step.askAndSettle, { ...about, ...step.params });
      await setTimeout(20);
      notify("serverRequest/resolved", { threadId, requestId });
    } else if ("notify" in step) notify(step.notify, { ...about, ...step.params });
    else if ("useTool" in step) say(await useTool(step, about));
    else if ("usage" in step) {
      const [inputTokens, outputTokens, cachedInputTokens = 0] = step.usage;
      const last = { inputTokens, outputTokens, cachedInputTokens };
      total = {
        inputTokens: total.inputTokens + inputTokens,
        outputTokens: total.outputTokens + outputTokens,
        cachedInputTokens: total.cachedInputTokens + cachedInputTokens,
      };
      notify("thread/tokenUsage/updated", { ...about, tokenUsage: { total, last } });
    } else if ("complain" in step) process.stderr.write(step.complain);
    else if ("print" in step) process.stdout.write(`${step.print}\n`);
    else if ("echo" in step) {
      say(
        step.echo === "input"
          ? JSON.stringify(params.input)
          : (threads.get(threadId) ?? []).join("\n---\n"),
      );
    } else if ("tell" in step) {
      const { input: _input, ...wishes } = params;
      const told = {
        pid: process.pid,
        env: Object.keys(process.env),
        thread: threadParams,
        turn: wishes,
        skills: skillRoots,
      };
      say(JSON.stringify(told[step.tell]));
    } else if ("exit" in step) process.exit(step.exit);
    else if ("talkOn" in step) {
      while (!stop.signal.aborted) {
        say("and on ");
        await setTimeout(5);
      }
    } else if ("awaitSteering" in step) {
      if (turn.steered.length === 0) {
        const steered = new Promise<void>((resolve) => (turn.wake = resolve));
        await Promise.race([steered, aborted]);
      }
      if (turn.steered.length > 0) say(turn.steered.splice(0).join("|"));
    } else if ("hang" in step) {
      if (step.hang === "deaf") await new Promise(() => undefined);
      if (!stop.signal.aborted) await aborted;
    }
  };

  const useTool = async (
    { useTool: tool, input = {} }: { readonly useTool: string; readonly input?: object },
    about: object,
  ): Promise<string> => {
    const { action } = await request("mcpServer/elicitation/request", {
      ...about,
      serverName: "atrium",
      mode: "form",
      message: `Allow ${tool}?`,
      _meta: { codex_approval_kind: "mcp_tool_call", tool_params: input },
    });
    if (action !== "accept") return `not allowed: ${action}`;
    const { command, args, env } = threadParams.config["mcp_servers.atrium"];
    tools ??= (async () => {
      const started = spawn(command, args, {
        env: { PATH: process.env["PATH"], ...env },
        stdio: ["pipe", "pipe", "inherit"],
      });
      const host = new ChannelHost(started.stdin, started.stdout);
      await host.begin();
      return host;
    })();
    return JSON.stringify(await (await tools).callTool(tool, input));
  };

  const answer = async ({ id, method, params }: Message): Promise<void> => {
    const serveMethod = methods[method];
    const isUnknown = flaws.has("old") && method.startsWith("thread/");
    try {
      if (serveMethod === undefined || isUnknown) {
        throw new Refusal(`Invalid request: unknown variant \`${method}\`, expected one of …`);
      }
      write({ id, result: await serveMethod(params) });
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      write({ id, error: { code: -32_600, message: cause.message } });
    }
  };

  if (flaws.has("crowded")) {
    if (existsSync(lock)) {
      process.stderr.write("Error: failed to initialize sqlite state runtime");
      process.exit(1);
    }
    writeFileSync(lock, "");
  }

  createInterface({ input: process.stdin })
    .on("line", (line) => {
      const message: Message = JSON.parse(line);
      if (flaws.has("mute")) return;
      if (message.method !== undefined && message.id !== undefined) void answer(message);
      else if (message.id !== undefined) {
        waiting.get(message.id)?.(message.result ?? { refused: message.error });
        waiting.delete(message.id);
      }
    })
    .on("close", () => process.exit(0));
}

class Refusal extends Error {
  override readonly name = "Refusal";
}

function textOf(input: readonly Message[]): string {
  return input.map(({ text, url }) => text ?? url).join("\n");
}
