/** What every real agent program must do here: the whole way of a turn. Each program's test file calls this once. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withSkills } from "../../../apps/server/src/agents/skills/skilled-runtime.ts";
import {
  createTestHost,
  type TestHostOptions,
} from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import {
  describeAgentRuntime,
  type Situation,
} from "../../../apps/server/src/agents/turn/agent-runtime.contract.ts";
import type {
  PermissionRequest,
  Turn,
  TurnEvent,
} from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import type { Behavior, ToolCall } from "../../kit/model-server/behavior.ts";
import { openTidesHttp } from "../../kit/tides/tides-http.ts";
import { makeSkill, SKILL_NAME, SKILL_PURPOSE, tidesServer } from "../../kit/tides/tides.ts";
import {
  openAgentStage,
  USAGE,
  type AgentProgram,
  type AgentStage,
  type Answer,
  type Asked,
} from "./agent-stage.ts";
import { describeConfinedProgram } from "./confined-program.contract.ts";
import type { Needed } from "./peer.ts";
import { LOOKUP, type ProgramTraits } from "./program-traits.ts";
import { openTerminal } from "./pseudo-terminal.ts";

export function describeAgentProgram(
  needed: Needed,
  programOf: (path: string) => AgentProgram,
  traits: ProgramTraits,
): void {
  const { skip } = needed;
  const open = (answer: (asked: Asked) => Behavior): Promise<AgentStage> =>
    openAgentStage(programOf(needed.path()), answer);
  const play = (
    { runtime }: AgentStage,
    prompt: string,
    options: TestHostOptions = {},
    more: Partial<Turn> = {},
  ): Promise<TurnEvent[]> =>
    eventsOf(runtime, turnOf(prompt, more), createTestHost({ speed: 1, ...options }));
  const running =
    (command: string) =>
    ({ returned }: Asked): Behavior =>
      returned.length > 0
        ? { type: "answer", chunks: ["Done."], usage: USAGE }
        : { type: "answer", toolCalls: [traits.runs(command)], usage: USAGE };

  describeContract(needed, open, traits);
  describeConfinedProgram(needed, programOf, traits);

  test(
    "[CONF-22] it answers in pieces, remembers, and says what it has used",
    { skip },
    async () => {
      await using stage = await open(({ said, before }) => {
        const isKnown = `${before}${said}`.includes("The word is heron.");
        const chunks = said.includes("Which word?")
          ? ["It is ", isKnown ? "heron." : "lost."]
          : ["No", "ted."];
        return { type: "answer", chunks, usage: USAGE };
      });
      const first = await play(stage, "The word is heron.");
      assert.equal(textIn(first), "Noted.", JSON.stringify(first));
      assert.deepEqual(first.at(-1), { type: "completed", stopReason: "stop" });
      const usage = first.findLast((event) => event.type === "usage")?.usage;
      assert.ok(
        usage !== undefined &&
          (traits.countsContext === true || usage.outputTokens >= USAGE.outputTokens),
        JSON.stringify(usage),
      );
      const history = [{ role: "user" as const, text: "The word is heron." }];
      assert.equal(textIn(await play(stage, "Which word?", {}, { history })), "It is heron.");
    },
  );

  test(
    "[CONF-42] its session goes on in a terminal, and knows afterwards what was said there",
    {
      skip:
        skip || (traits.hasTerminal !== true && "it cannot, or it has a test of its own for that"),
    },
    async () => {
      await using stage = await open(({ said, before }) => {
        const words = `${before}${said}`.match(/heron|otter/g) ?? [];
        return {
          type: "answer",
          chunks: [`Known: ${[...new Set(words)].join("+")}.`],
          usage: USAGE,
        };
      });
      assert.equal(textIn(await play(stage, "The word is heron.")), "Known: heron.");
      const turn = turnOf("The word is heron.");
      const program = await stage.runtime.releaseToTerminal?.(turn, new AbortController().signal);
      assert.ok(typeof program === "object");
      const [file = "", ...args] = program.command;
      {
        await using terminal = openTerminal(file, args, { cwd: program.cwd, env: stage.env });
        await terminal.shows(/heron|Do you trust the files/);
        if (terminal.drawn().includes("Do you trust the files")) terminal.type("\r");
        await terminal.shows(/heron/);
        terminal.type("otter");
        await terminal.shows(/otter/);
        terminal.type("\r");
        await terminal.shows(/heron\+otter/);
      }
      const history = [{ role: "user" as const, text: "The word is heron." }];
      const known = textIn(await play(stage, "Which words?", {}, { history }));
      assert.equal(known, "Known: heron+otter.");
    },
  );

  test(
    "[CONF-23] it calls our tools, and nobody is asked for that",
    { skip: skip || (traits.lookup === null && "it takes no tools of ours") },
    async () => {
      await using stage = await open(({ returned }) =>
        returned.length > 0
          ? { type: "answer", chunks: [`It says ${returned.join()}`], usage: USAGE }
          : {
              type: "answer",
              toolCalls: [{ name: "", ...traits.lookup, input: { q: "tide" } }],
              usage: USAGE,
            },
      );
      const calls: unknown[] = [];
      const asked: PermissionRequest[] = [];
      const events = await play(stage, "Look the tide up.", {
        tools: [LOOKUP],
        callTool: async (name, input) => {
          calls.push([name, input]);
          return { text: "high at noon", isError: false };
        },
        requestPermission: async (request) => (asked.push(request), "denied"),
      });
      assert.deepEqual(asked, []);
      assert.deepEqual(calls, [["lookup", { q: "tide" }]], JSON.stringify(events));
      assert.match(textIn(events), /high at noon/);
    },
  );

  for (const isAtUrl of [false, true]) {
    const where = isAtUrl ? "at an address" : "that is a program";
    test(
      `[CONF-50] it calls the tool of an MCP server of its settings ${where}`,
      { skip: skip || (traits.tide === null && "it takes no MCP servers of ours") },
      async () => {
        await using http = await openTidesHttp();
        await using stage = await openAgentStage(
          programOf(needed.path()),
          callingTide(traits, isAtUrl),
          { settings: { mcpServers: { tides: isAtUrl ? { url: http.url } : tidesServer() } } },
        );
        const allowing = { requestPermission: async () => "allowed" as const };
        const events = await play(stage, "When is high water?", allowing);
        const wanted = isAtUrl ? /High water at noon/ : /High water at Brest: 6:13/;
        assert.match(textIn(events), wanted, JSON.stringify(events));
      },
    );
  }

  for (const ownSettings of traits.leavesOut ? [true, false] : [true]) {
    test(
      `[CONF-51] an MCP server that its user has configured is ${ownSettings ? "in force" : "left out where ownSettings is false"}`,
      { skip },
      async () => {
        const folder = mkdtempSync(join(tmpdir(), "atrium-own-server-"));
        using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
        const begun = join(folder, "begun");
        const { command, args } = tidesServer();
        const script = `touch "$0"; exec "$@"`;
        const mine = { command: "sh", args: ["-c", script, begun, command, ...args] };
        const servers = traits.tide === null ? {} : { mcpServers: { tides: tidesServer() } };
        await using stage = await openAgentStage(
          programOf(needed.path()),
          callingTide(traits, false),
          { settings: { ...servers, ownSettings }, ownServers: { mine } },
        );
        const allowing = { requestPermission: async () => "allowed" as const };
        const events = await play(stage, "When is high water?", allowing);
        const answer = traits.tide === null ? /^Noted\.$/ : /High water at Brest: 6:13/;
        assert.match(textIn(events), answer, JSON.stringify(events));
        assert.equal(existsSync(begun), ownSettings);
      },
    );
  }

  test(
    "[CONF-52] the model that its settings name is the one that is asked",
    { skip },
    async () => {
      const [model, wanted] = traits.secondModel;
      const asked: string[] = [];
      await using stage = await openAgentStage(
        programOf(needed.path()),
        (request) => (
          asked.push(request.model),
          { type: "answer", chunks: ["Noted."], usage: USAGE }
        ),
        { settings: { model } },
      );
      const events = await play(stage, "Which model are you?");
      assert.equal(textIn(events), "Noted.", JSON.stringify(events));
      assert.deepEqual([...new Set(asked)], [wanted]);
      await using usual = await open((request) => {
        asked.push(request.model);
        return { type: "answer", chunks: ["Noted."], usage: USAGE };
      });
      await play(usual, "Which model are you?");
      assert.notEqual(asked.at(-1), wanted);
    },
  );

  test("[AGENT-29] its agent's skills reach its model", { skip }, async () => {
    const sent: string[] = [];
    await using stage = await open(({ whole }) => {
      sent.push(whole);
      return { type: "answer", chunks: ["Noted."], usage: USAGE };
    });
    const skill = makeSkill(join(stage.folder, "..", "skills"));
    const runtime = withSkills(stage.runtime, [skill], traits.skills);
    const events = await play({ ...stage, runtime }, "When is high water?");
    assert.equal(textIn(events), "Noted.", JSON.stringify(events));
    const whole = sent.join("\n");
    assert.ok(whole.includes(SKILL_NAME) && whole.includes(SKILL_PURPOSE), whole);
    if (traits.skills === "tool") assert.match(whole, /read_skill/);
    assert.deepEqual(readdirSync(stage.folder), []);
  });

  test(
    "[CONF-24] a command that a person allows is run, and is reported once",
    { skip },
    async () => {
      await using stage = await open(running("echo high > tide.txt"));
      const asked: PermissionRequest[] = [];
      const events = await play(stage, "Note it.", {
        requestPermission: async (request) => (asked.push(request), "allowed"),
      });
      assert.equal(readFileSync(join(stage.folder, "tide.txt"), "utf8"), "high\n");
      assert.equal(asked.length, 1, JSON.stringify(asked));
      const wanted = traits.asksFor === "commands" ? /echo high > tide\.txt/ : /Note it\./;
      assert.match(JSON.stringify(asked[0]?.input), wanted);
      const tools = events.filter(({ type }) => type.startsWith("tool."));
      assert.deepEqual(
        tools.map(({ type }) => type),
        ["tool.called", "tool.returned"],
        JSON.stringify(events),
      );
      assert.match(textIn(events), /Done\.$/);
    },
  );

  test(
    "[CONF-24] a command that a person denies is not run, and its call is settled",
    { skip },
    async () => {
      await using stage = await open(running("echo high > tide.txt"));
      const events = await play(stage, "Note it.", { requestPermission: async () => "denied" });
      assert.ok(!existsSync(join(stage.folder, "tide.txt")));
      const returned = events.filter((event) => event.type === "tool.returned");
      assert.deepEqual(
        returned.map(({ isError }) => isError),
        [true],
        JSON.stringify(events),
      );
      assert.equal(textIn(events).endsWith("Done."), traits.afterDenial === "goes on");
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    },
  );

  test(
    "[AGENT-2] turns like those that are recorded for npm test: words, a command allowed and denied, a change, a plan",
    { skip: skip || (traits.asksFor === "turns" && "every turn is a program of its own") },
    async () => {
      const folder = process.env["ATRIUM_RECORD_TURNS"];
      const program = programOf(needed.path());
      const steps: ((path: string) => ToolCall)[] = [
        () => traits.runs("echo high > tide.txt"),
        () => traits.runs("echo low > tide.txt"),
        ...(traits.writes === null ? [] : [(at: string) => traits.writes!(at, "high at noon\n")]),
        ...(traits.plans === undefined ? [] : [() => traits.plans!]),
      ];
      let turn = 0;
      await using stage = await openAgentStage(
        program,
        ({ returned }) => {
          const step = steps[turn - 1];
          if (step === undefined) {
            return { type: "answer", chunks: ["High ", "tide."], usage: USAGE };
          }
          if (returned.length > 0) return { type: "answer", chunks: ["Done."], usage: USAGE };
          const call = step(join(stage.folder, "moon.txt"));
          return { type: "answer", toolCalls: [call], usage: USAGE };
        },
        { recordTo: folder === undefined ? undefined : join(folder, `${program.name}.jsonl`) },
      );
      for (; turn <= steps.length; turn++) {
        const isDenied = turn === 2;
        const history = turn === 0 ? [] : [{ role: "user" as const, text: "Turn 0." }];
        const events = await play(
          stage,
          `Turn ${turn}.`,
          { requestPermission: async () => (isDenied ? "denied" : "allowed") },
          { history },
        );
        assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
        const returned = events.filter((event) => event.type === "tool.returned");
        const isPlan = traits.plans !== undefined && turn === steps.length;
        assert.deepEqual(
          returned.map(({ isError }) => isError),
          turn === 0 || isPlan ? [] : [isDenied],
          JSON.stringify(events),
        );
        assert.equal(
          events.some(({ type }) => type === "progress"),
          isPlan,
        );
      }
      assert.equal(readFileSync(join(stage.folder, "tide.txt"), "utf8"), "high\n");
    },
  );

  test(
    "[CONF-36] with the preset edit it is asked in a workspace about its command, not about its change",
    { skip: skip || (traits.writes === null && "it tells of no changes") },
    async () => {
      await using stage = await openAgentStage(
        programOf(needed.path()),
        ({ returned }) => {
          const { runs, writes } = traits;
          const path = join(stage.folder, "tide.txt");
          const calls = [writes?.(path, "high at noon\n"), runs("echo high > ran.txt")];
          const next = calls[returned.length];
          if (next === undefined) return { type: "answer", chunks: ["Done."], usage: USAGE };
          return { type: "answer", toolCalls: [next], usage: USAGE };
        },
        { permissionsOf: () => "edit" },
      );
      const asked: string[] = [];
      const workspace = { folder: stage.folder, store: null };
      const events = await play(
        stage,
        "Note it.",
        {
          requestPermission: async ({ input }) => (asked.push(JSON.stringify(input)), "allowed"),
        },
        { workspace },
      );
      assert.equal(asked.length, 1, `${asked.join("\n")}\n${JSON.stringify(events)}`);
      assert.match(asked[0] ?? "", /ran\.txt/);
      assert.equal(readFileSync(join(stage.folder, "tide.txt"), "utf8"), "high at noon\n");
      assert.equal(readFileSync(join(stage.folder, "ran.txt"), "utf8"), "high\n");
    },
  );

  test("[CONF-25] an abort ends the turn, and the same session goes on", { skip }, async () => {
    await using stage = await open(forever);
    const host = createTestHost({ speed: 1 });
    const aborted: TurnEvent[] = [];
    for await (const event of stage.runtime.start(turnOf("Count forever."), host)) {
      aborted.push(event);
      if (event.type === "text") host.abort();
    }
    assert.deepEqual(aborted.at(-1), { type: "completed", stopReason: "aborted" });
    await stage.model.idle();
    assert.match(textIn(await play(stage, "And now?")), /I am back\.$/);
  });

  test(
    "[CONF-26] killed, it fails its turn, and the next one knows what was said",
    { skip },
    async () => {
      const heard: string[] = [];
      await using stage = await open((asked) => {
        heard.push(asked.before + asked.said);
        return forever(asked);
      });
      await play(stage, "The word is heron.");
      const events: TurnEvent[] = [];
      for await (const event of stage.runtime.start(
        turnOf("Count forever."),
        createTestHost({ speed: 1 }),
      )) {
        const killed = event.type === "text" ? stage.processes() : [];
        for (const pid of killed) process.kill(pid, "SIGKILL");
        events.push(event);
      }
      const last = events.at(-1);
      assert.ok(last?.type === "failed" && last.kind === "unavailable", JSON.stringify(last));
      const history = [{ role: "user" as const, text: "The word is heron." }];
      assert.match(textIn(await play(stage, "And now?", {}, { history })), /I am back\.$/);
      assert.match(heard.at(-1) ?? "", /The word is heron/);
      const isTold = (heard.at(-1) ?? "").includes("What was said before");
      assert.equal(isTold, !traits.resumes);
    },
  );

  test(
    "[CONF-28] after a restart of the server the next turn knows what was said",
    { skip },
    async () => {
      const heard: string[] = [];
      await using stage = await open((asked) => {
        heard.push(asked.before + asked.said);
        return { type: "answer", chunks: ["Noted."], usage: USAGE };
      });
      const first = await play(stage, "The word is heron.");
      const session = first.find((event) => event.type === "session")?.id;
      await stage.runtime.close?.();
      const more = {
        history: [{ role: "user" as const, text: "The word is heron." }],
        ...(session !== undefined && { session }),
      };
      const host = createTestHost({ speed: 1 });
      const events = await eventsOf(await stage.another(), turnOf("Which word?", more), host);
      assert.match(textIn(events), /Noted\.$/, JSON.stringify(events));
      assert.match(heard.at(-1) ?? "", /The word is heron/);
      const isTold = (heard.at(-1) ?? "").includes("What was said before");
      assert.equal(isTold, !traits.resumes);
    },
  );

  test(
    "[CONF-29] what people add while it works is heeded in the same turn",
    { skip: skip || (!traits.isSteered && "it takes nothing in while it works") },
    async () => {
      await using stage = await open((asked) => {
        const { said, before, returned } = asked;
        if (`${before}${said}${returned.join("")}`.includes("also the moon")) {
          return { type: "answer", chunks: ["And the moon."], usage: USAGE };
        }
        return running("echo high > tide.txt")({ ...asked, before: "" });
      });
      const inner = createTestHost({ speed: 1 });
      const listeners = new Set<() => void>();
      const host = {
        ...inner,
        onSteering: (listener: () => void) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
        async requestPermission() {
          inner.steering.push("also the moon");
          for (const tell of listeners) tell();
          return "allowed" as const;
        },
      };
      const events = await eventsOf(stage.runtime, turnOf("Tides?"), host);
      assert.equal(readFileSync(join(stage.folder, "tide.txt"), "utf8"), "high\n");
      assert.match(textIn(events), /And the moon\.$/, JSON.stringify(events));
      assert.deepEqual(inner.taken, ["also the moon"]);
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    },
  );

  test(
    "[CONF-30] a change of a file is told with the lines that change",
    { skip: skip || (traits.writes === null && "it tells of no lines") },
    async () => {
      await using stage = await open(({ returned }) => {
        if (returned.length > 0 || traits.writes === null) {
          return { type: "answer", chunks: ["Done."], usage: USAGE };
        }
        const call = traits.writes(join(stage.folder, "tide.txt"), "high at noon\n");
        return { type: "answer", toolCalls: [call], usage: USAGE };
      });
      const events = await play(stage, "Note it.", { requestPermission: async () => "allowed" });
      const path = join(stage.folder, "tide.txt");
      assert.equal(readFileSync(path, "utf8"), "high at noon\n", JSON.stringify(events));
      const tools = events.filter(({ type }) => type.startsWith("tool."));
      assert.match(JSON.stringify(tools), /tide\.txt/);
      assert.match(JSON.stringify(tools), /high at noon/);
    },
  );

  test("[CONF-27] nothing of it is left when the runtime is closed", { skip }, async () => {
    const stage = await open(running("touch begun; sleep 1000"));
    const allowing = createTestHost({ speed: 1, requestPermission: async () => "allowed" });
    let closing: PromiseLike<void> | undefined;
    for await (const event of stage.runtime.start(turnOf("Wait long."), allowing)) {
      if (event.type !== "tool.called") continue;
      assert.ok(stage.processes().length > 0);
      closing = stage[Symbol.asyncDispose]();
    }
    assert.ok(closing !== undefined);
    await closing;
    assert.deepEqual(stage.processes(), []);
  });
}

const MAX_TRIES = 30;

/** Calls the tool of the MCP server of the settings, and says what it returns. */
function callingTide({ tide }: ProgramTraits, isAtUrl: boolean): Answer {
  return ({ returned }) => {
    if (tide === null) return { type: "answer", chunks: ["Noted."], usage: USAGE };
    // Some begin their first turn before their servers are there.
    const isDone = /High water/.test(returned.at(-1) ?? "") || returned.length >= MAX_TRIES;
    if (isDone) return { type: "answer", chunks: returned, usage: USAGE };
    const call = { ...tide(isAtUrl), input: { at: "Brest" } };
    return { type: "answer", toolCalls: [call], usage: USAGE };
  };
}

/** What every runtime must do, with the program behind it. */
function describeContract(
  { skip }: Needed,
  open: (answer: (asked: Asked) => Behavior) => Promise<AgentStage>,
  { lookup, wrapsResults }: ProgramTraits,
): void {
  if (skip !== false) {
    test("agent runtime contract: the real program", { skip }, () => undefined);
    return;
  }
  const behaviorFor = (situation: Situation, { returned }: Asked): Behavior => {
    switch (situation.type) {
      case "answers":
        return { type: "answer", chunks: situation.answer.split(/(?<= )/), usage: USAGE };
      case "uses a tool":
        return returned.length > 0
          ? { type: "answer", chunks: [situation.answer], usage: USAGE }
          : {
              type: "answer",
              toolCalls: [{ name: "", ...lookup, input: { q: "tide" } }],
              usage: USAGE,
            };
      case "talks on":
        return { type: "forever", chunk: "and on ", everyMs: 20 };
      case "is silent":
        return { type: "silence" };
    }
  };
  describeAgentRuntime(
    "the real program",
    async (situation) => {
      const stage = await open((asked) => {
        const [, wished] = /^Say: (\w+)$/m.exec(asked.said) ?? [];
        if (wished === undefined) return behaviorFor(situation, asked);
        const answer = Buffer.from(wished, "hex").toString();
        return behaviorFor({ type: "answers", answer }, asked);
      });
      return {
        runtime: stage.runtime,
        prompt: "What about the tides?",
        letGo: () => stage.model.idle(),
        promptFor: (answer) => `Say: ${Buffer.from(answer).toString("hex")}`,
        speed: 1,
        [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
      };
    },
    { tools: lookup === null ? "none" : "host", wrapsResults },
  );
}

/** A session that was cut off may tell what was said last and what is said now as one. */
function forever({ said }: Asked): Behavior {
  return said.lastIndexOf("forever") > said.lastIndexOf("And now?")
    ? { type: "forever", chunk: "on ", everyMs: 20 }
    : { type: "answer", chunks: ["I am back."], usage: USAGE };
}
