/**
 * What every agent runtime must do. Each runtime's test file calls this once and sets the stage for the
 * few situations the rules speak of.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTestHost, type TestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { AgentRuntime, ToolResult, Turn, TurnAttachment, TurnEvent } from "./agent-runtime.ts";

export type Situation =
  /** Says `answer` and ends. */
  | { readonly type: "answers"; readonly answer: string }
  /**
   * Calls the tool `lookup` once and ends with `answer`, whatever the tool returned. `returns` is for
   * agents that bring the tool along; the host's tools return what the host says.
   */
  | {
      readonly type: "uses a tool";
      readonly answer: string;
      readonly returns: ToolResult | "never";
    }
  /** Goes on talking until the turn is aborted. */
  | { readonly type: "talks on" }
  /** Says nothing until the turn is aborted. */
  | { readonly type: "is silent" };

export interface Staged extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  readonly prompt: string;
  /** Resolves once nothing works any more on a turn that was left; what is left running never does. */
  letGo(): Promise<void>;
  /** The prompt to which a runtime that is staged to answer gives this answer. */
  promptFor(answer: string): string;
  /** See TestHostOptions. */
  readonly speed?: number;
}

export interface RuntimeTraits {
  /** Whose tools its agents use: the host's, their own, of which they only tell, or none that a test could give them. */
  readonly tools: "host" | "own" | "none";
  /** Its program tells a result in words of its own around it. */
  readonly wrapsResults?: boolean;
}

export function describeAgentRuntime(
  name: string,
  stage: (situation: Situation) => Promise<Staged>,
  { tools, wrapsResults = false }: RuntimeTraits = { tools: "host" },
): void {
  const skip = tools === "none" && "its agent has no tool that a test could give it";
  const answer = "The tide is high at noon.\nBring boots.";
  const play = async (
    situation: Situation,
    options: TestHostOptions = {},
    more: Partial<Turn> = {},
  ): Promise<{ host: TestHost; events: TurnEvent[] }> => {
    await using staged = await stage(situation);
    const host = createTestHost({ speed: staged.speed, ...options });
    const turn = turnOf(staged.prompt, more);
    return { host, events: await eventsOf(staged.runtime, turn, host) };
  };
  /** Aborts the turn when the first event of this type arrives. */
  const abortAt = async (
    type: TurnEvent["type"],
    situation: Situation,
    options: TestHostOptions = {},
  ): Promise<{ before: TurnEvent[]; after: TurnEvent[] }> => {
    await using staged = await stage(situation);
    const host = createTestHost({ speed: staged.speed, ...options });
    const before: TurnEvent[] = [];
    const after: TurnEvent[] = [];
    for await (const event of staged.runtime.start(turnOf(staged.prompt), host)) {
      (host.signal.aborted ? after : before).push(event);
      if (event.type === type) host.abort();
    }
    return { before, after };
  };

  describe(`agent runtime contract: ${name}`, () => {
    test("[AGENT-1] a turn ends with exactly one terminal event, and it is the last", async () => {
      const { events } = await play({ type: "answers", answer });
      assert.deepEqual(events.filter(isTerminal), events.slice(-1));
      assert.equal(events.at(-1)?.type, "completed");
    });

    test("[AGENT-2] the text deltas are the answer, in order and whole", async () => {
      const { events } = await play({ type: "answers", answer });
      assert.equal(textIn(events), answer);
    });

    test(
      "[AGENT-2] every tool call is answered once, with what the tool returned, before the end",
      { skip },
      async () => {
        const { host, events } = await play(
          { type: "uses a tool", answer, returns: NOON },
          { tools: [LOOKUP], callTool: () => Promise.resolve(NOON) },
        );
        assert.deepEqual(
          host.calls.map((call) => call.name),
          tools === "host" ? ["lookup"] : [],
        );
        assert.deepEqual(toolsIn(events, wrapsResults ? "noon" : undefined), [
          ["called", "lookup"],
          ["returned", "noon", false],
        ]);
        assert.match(textIn(events), new RegExp(`${answer}$`));
        assert.ok(isTerminal(events.at(-1)!));
      },
    );

    test(
      "[AGENT-3] a tool that throws is an error result, not the end of the turn",
      { skip },
      async () => {
        const { events } = await play(
          { type: "uses a tool", answer, returns: { text: "the well is dry", isError: true } },
          { tools: [LOOKUP], callTool: () => Promise.reject(new Error("the well is dry")) },
        );
        assert.deepEqual(toolsIn(events, wrapsResults ? "the well is dry" : undefined), [
          ["called", "lookup"],
          ["returned", "the well is dry", true],
        ]);
        assert.equal(events.at(-1)?.type, "completed");
      },
    );

    test("[AGENT-4] a turn aborted while talking says nothing more and ends as aborted", async () => {
      const { before, after } = await abortAt("text", { type: "talks on" });
      assert.notEqual(textIn(before), "");
      assert.equal(textIn(after), "");
      assert.deepEqual(after.filter(isTerminal), [ABORTED]);
      assert.deepEqual(after.at(-1), ABORTED);
    });

    test("[AGENT-4] a turn aborted before it starts says nothing and ends as aborted", async () => {
      await using staged = await stage({ type: "answers", answer });
      const host = createTestHost({ speed: staged.speed });
      host.abort();
      const events = await eventsOf(staged.runtime, turnOf(staged.prompt), host);
      assert.equal(textIn(events), "");
      assert.deepEqual(events.filter(isTerminal), [ABORTED]);
    });

    test("[AGENT-4] a turn aborted while nothing happens ends as aborted", async () => {
      await using staged = await stage({ type: "is silent" });
      const host = createTestHost({ speed: staged.speed });
      const turn = eventsOf(staged.runtime, turnOf(staged.prompt), host);
      setTimeout(() => host.abort(), 50);
      const events = await turn;
      assert.equal(textIn(events), "");
      assert.deepEqual(events.filter(isTerminal), [ABORTED]);
    });

    test(
      "[AGENT-3] a turn aborted while a tool is at work answers for the tool, then ends",
      { skip },
      async () => {
        await using staged = await stage({ type: "uses a tool", answer, returns: "never" });
        const host = createTestHost({
          speed: staged.speed,
          tools: [LOOKUP],
          callTool: () => {
            setImmediate(() => host.abort());
            return new Promise(() => undefined);
          },
        });
        const events: TurnEvent[] = [];
        for await (const event of staged.runtime.start(turnOf(staged.prompt), host)) {
          events.push(event);
          if (tools === "own" && event.type === "tool.called") setImmediate(() => host.abort());
        }
        const [called, returned] = toolsIn(events);
        // A program may tell of a call later than it makes it, and then has not told of this one.
        if (called !== undefined || !wrapsResults) {
          assert.deepEqual(called, ["called", "lookup"]);
          assert.deepEqual([returned?.[0], returned?.[2]], ["returned", true]);
        }
        assert.deepEqual(events.filter(isTerminal), [ABORTED]);
        assert.deepEqual(events.at(-1), ABORTED);
      },
    );

    test(
      "[AGENT-3] a turn aborted as a tool is called answers for the tool, too",
      { skip },
      async () => {
        const situation: Situation = { type: "uses a tool", answer, returns: "never" };
        const { before, after } = await abortAt("tool.called", situation, { tools: [LOOKUP] });
        assert.equal(toolsIn([...before, ...after]).length, 2);
        assert.deepEqual(after.at(-1), ABORTED);
      },
    );

    test("[AGENT-5] usage never falls, and counts the whole turn", { skip }, async () => {
      const { events } = await play(
        { type: "uses a tool", answer, returns: NOON },
        { tools: [LOOKUP] },
      );
      const usages = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
      assert.ok(usages.length > 0);
      for (const key of ["inputTokens", "outputTokens"] as const) {
        const counts = usages.map((usage) => usage[key]);
        assert.ok(counts.every((count) => Number.isInteger(count) && count >= 0));
        assert.deepEqual(
          counts,
          counts.toSorted((a, b) => a - b),
        );
        assert.ok(counts.at(-1)! > 0);
      }
    });

    test("[AGENT-5] what an aborted turn has said is counted, too", async () => {
      const { after } = await abortAt("text", { type: "talks on" });
      const usage = after.findLast((event) => event.type === "usage")?.usage;
      assert.ok(usage !== undefined && usage.outputTokens > 0 && usage.inputTokens > 0);
    });

    test(
      "[AGENT-6] what people add is taken before the end or left where it is",
      { skip },
      async () => {
        await using staged = await stage({ type: "uses a tool", answer, returns: NOON });
        const host = createTestHost({ speed: staged.speed, tools: [LOOKUP] });
        let takenAtTheEnd: readonly string[] = [];
        let isAdded = false;
        for await (const event of staged.runtime.start(turnOf(staged.prompt), host)) {
          if (event.type === "tool.called" && !isAdded) {
            isAdded = true;
            host.steering.push("also the moon");
          }
          if (isTerminal(event)) takenAtTheEnd = [...host.taken];
        }
        assert.deepEqual(host.taken, takenAtTheEnd);
        assert.deepEqual([...host.taken, ...host.steering], ["also the moon"]);
      },
    );

    test("[AGENT-7] an attachment it cannot read is named, not passed over", async () => {
      const { events } = await play(
        { type: "answers", answer },
        {},
        { history: [], attachments: [UNREADABLE] },
      );
      assert.match(textIn(events), /shells\.zip/);
      assert.ok(textIn(events).endsWith(answer));
      assert.equal(events.at(-1)?.type, "completed");
    });

    test("[AGENT-4] whoever stops listening stops the turn", { timeout: LET_GO_MS }, async () => {
      await using staged = await stage({ type: "talks on" });
      const host = createTestHost({ speed: staged.speed });
      for await (const event of staged.runtime.start(turnOf(staged.prompt), host)) {
        if (event.type === "text") break;
      }
      await staged.letGo();
    });

    test("[AGENT-8] turns at the same time do not mix", async () => {
      await using staged = await stage({ type: "answers", answer });
      const answers = ["one\ntwo", "three and four", "five"];
      const turns = answers.map((each) => {
        const conversation = { key: `agent:main:${each.length}`, sessionId: `s${each.length}` };
        const turn = turnOf(staged.promptFor(each), { runId: `run_${each.length}`, conversation });
        return eventsOf(staged.runtime, turn, createTestHost({ speed: staged.speed }));
      });
      assert.deepEqual((await Promise.all(turns)).map(textIn), answers);
    });
  });
}

/** By far longer than letting go takes anywhere. */
const LET_GO_MS = 60_000;
const ABORTED: TurnEvent = { type: "completed", stopReason: "aborted" };

const NOON: ToolResult = { text: "noon", isError: false };

const LOOKUP = {
  name: "lookup",
  description: "Looks something up.",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
};

const UNREADABLE: TurnAttachment = {
  name: "shells.zip",
  mediaType: "application/zip",
  data: "UEsDBAo=",
};

function isTerminal({ type }: TurnEvent): boolean {
  return type === "completed" || type === "failed";
}

/** Calls and returns in order, the returns checked against their calls. `within`: all that must be in a result. */
function toolsIn(events: readonly TurnEvent[], within?: string): unknown[][] {
  const open = new Set<string>();
  const seen: unknown[][] = [];
  for (const event of events) {
    if (event.type === "tool.called") {
      open.add(event.id);
      seen.push(["called", event.name]);
    } else if (event.type === "tool.returned") {
      assert.ok(open.delete(event.id), `${event.id} was returned but not called`);
      const isThere = within !== undefined && event.text.includes(within);
      seen.push(["returned", isThere ? within : event.text, event.isError]);
    }
  }
  assert.deepEqual([...open], []);
  return seen;
}
