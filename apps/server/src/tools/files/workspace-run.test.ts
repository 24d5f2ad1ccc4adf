import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { accept, type Outcome } from "@atrium/core";
import type { TurnWorkspace } from "../../agents/turn/agent-runtime.ts";
import { redactingRuntime } from "../../agents/turn/redacting-runtime.ts";
import { useTool } from "../../agents/turn/use-tool.ts";
import { openFolders } from "../../confinement/testing/confinement-stage.ts";
import { openWithoutSandbox } from "../../confinement/testing/sandbox.ts";
import { holdingTimers } from "../../platform/timers.ts";
import type { RunWorkspace } from "../../runs/run-workspace.ts";
import { openStage } from "../../runs/testing/stage.ts";
import { fileTools } from "./file-tools.ts";

test("[TOOL-8] [TOOL-14] a run that has a workspace works there with its tools; another has neither", async () => {
  await using folders = await openFolders();
  const { folder, store, home } = folders;
  const tools = fileTools({
    confinement: openWithoutSandbox([home]),
    permissionsOf: () => "sandbox",
    humanInput: { requestPermission: () => Promise.resolve("allowed") },
    live: { publish: () => undefined },
    blobs: { put: () => Promise.reject(new Error("nothing is that long")) },
    secrets: () => [],
    timers: holdingTimers,
  });
  const seen: unknown[] = [];
  const seenByOwn: unknown[] = [];
  await using stage = await openStage(
    async function* (turn, host) {
      seen.push([turn.workspace?.folder, host.tools.length]);
      if (turn.workspace !== undefined) {
        const write = { path: "made.sh", content: "echo made here\n" };
        yield* useTool(host, { id: "1", name: "write", input: write });
        yield* useTool(host, { id: "2", name: "run", input: { command: "sh made.sh" } });
      }
      yield { type: "completed", stopReason: "stop" };
    },
    {
      tools,
      workspaceOf: ({ runId }) => placeOf(runId === "with" ? { folder, store } : undefined),
    },
  );
  await using own = await openStage(
    async function* (turn, host) {
      seenByOwn.push(turn.workspace?.folder, host.tools.length);
      yield { type: "completed", stopReason: "stop" };
    },
    {
      tools,
      workspaceOf: () => placeOf({ folder, store }),
      around: (played) => redactingRuntime({ ...played, hasFileTools: true }, () => []),
    },
  );
  const watched: unknown[] = [];
  stage.live.onEvent(({ runId, outputs }, event) => {
    if (event.type === "output") watched.push([runId, event.callId, event.text, ...outputs]);
  });
  await own.send("own", "work");
  await own.ended("own");
  await stage.send("with", "work");
  await stage.ended("with");
  await stage.send("without", "talk");
  await stage.ended("without");
  assert.deepEqual(seen, [
    [folder, tools.length],
    [undefined, 0],
  ]);
  // Whoever brings file tools along works there with those.
  assert.deepEqual(seenByOwn, [folder, 0]);
  assert.equal(await readFile(join(folder, "made.sh"), "utf8"), "echo made here\n");
  // People see it while it runs.
  const shown = ["2", "made here\n"];
  assert.deepEqual(watched, [["with", ...shown, shown]]);
  const returned = (await stage.events()).filter(({ type }) => type === "run.tool.returned");
  assert.match(JSON.stringify(returned[1]), /made here\\n\[exit code 0/);
});

/** Without git: nothing is recorded. */
async function placeOf(
  place: TurnWorkspace | undefined,
): Promise<Outcome<RunWorkspace | undefined>> {
  return accept(
    place && {
      place,
      env: {},
      briefing: "",
      recordMoment: () => Promise.resolve(accept("tree")),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  );
}
