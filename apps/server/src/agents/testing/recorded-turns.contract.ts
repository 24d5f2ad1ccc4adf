/**
 * What every runtime must make of turns that a real program was recorded in. Each runtime calls this for each of its
 * programs; what the program said is as it was, and so is what people answered.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Permission, TurnEvent } from "../turn/agent-runtime.ts";
import { createTestHost, type TestHost } from "./test-host.ts";
import { textIn } from "./turns.ts";

export interface RecordedProgram extends AsyncDisposable {
  /** The recorded turns come one after another. */
  turn(host: TestHost): AsyncIterable<TurnEvent>;
}

export interface RecordedTurn {
  /** What people answered to whatever they were asked. */
  readonly answer: Permission;
  /** The tools that were used, each with whether its result is an error. */
  readonly tools: readonly (readonly [name: string, isError: boolean])[];
  readonly text: RegExp;
  /** What people see of a change: in what was called, or in what it returned. */
  readonly shows?: RegExp;
}

export function describeRecordedTurns(
  name: string,
  open: () => RecordedProgram,
  turns: readonly RecordedTurn[],
): void {
  const hostFor = ({ answer }: RecordedTurn): TestHost =>
    createTestHost({ speed: 1, requestPermission: () => Promise.resolve(answer) });

  describe(`recorded turns: ${name}`, () => {
    test("[AGENT-1] [AGENT-2] each is told in order, every call with its one result, and has one end", async () => {
      await using program = open();
      for (const turn of turns) {
        const events = await Array.fromAsync(program.turn(hostFor(turn)));
        const ends = events.filter(isTerminal);
        assert.deepEqual(ends, [{ type: "completed", stopReason: "stop" }], JSON.stringify(events));
        assert.deepEqual(events.at(-1), ends[0]);
        assert.match(textIn(events), turn.text);
        assert.deepEqual(toolsIn(events), turn.tools);
        const shown = JSON.stringify(events.filter(({ type }) => type.startsWith("tool.")));
        assert.match(shown, turn.shows ?? /^/);
      }
    });

    test("[AGENT-5] what each has used is told, and never falls", async () => {
      await using program = open();
      for (const turn of turns) {
        const events = await Array.fromAsync(program.turn(hostFor(turn)));
        const used = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
        assert.ok(used.length > 0);
        for (const key of ["inputTokens", "outputTokens"] as const) {
          const counts = used.map((usage) => usage[key]);
          assert.deepEqual(
            counts,
            counts.toSorted((a, b) => a - b),
          );
          // One that says nothing has written nothing.
          if (key === "inputTokens") assert.ok((counts.at(-1) ?? 0) > 0);
        }
      }
    });

    test("[AGENT-3] [AGENT-4] stopped when it says or does the first thing, it ends as aborted and says no more", async () => {
      await using program = open();
      const [first] = turns;
      assert.ok(first !== undefined);
      const host = hostFor(first);
      const after: TurnEvent[] = [];
      for await (const event of program.turn(host)) {
        if (host.signal.aborted) after.push(event);
        else if (event.type === "text" || event.type === "tool.called") host.abort();
      }
      assert.equal(textIn(after), "");
      assert.deepEqual(after.filter(isTerminal), [{ type: "completed", stopReason: "aborted" }]);
      assert.ok(after.filter(({ type }) => type === "tool.called").length === 0);
    });
  });
}

function isTerminal({ type }: TurnEvent): boolean {
  return type === "completed" || type === "failed";
}

/** Each call that was told, with whether its one result is an error. */
function toolsIn(events: readonly TurnEvent[]): (readonly [string, boolean])[] {
  const open = new Map<string, string>();
  const seen: (readonly [string, boolean])[] = [];
  for (const event of events) {
    if (event.type === "tool.called") open.set(event.id, event.name);
    if (event.type !== "tool.returned") continue;
    const tool = open.get(event.id);
    assert.ok(tool !== undefined, `${event.id} was returned but not called`);
    open.delete(event.id);
    // A title may name a file, in whatever folder that is here.
    seen.push([tool.replaceAll(/\/\S+\//g, ""), event.isError]);
  }
  assert.deepEqual([...open], []);
  return seen;
}
