/** A folder in which a rehearsal works, with the real tools. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "@atrium/schema";
import { createConfinement } from "../../../confinement/choose-confinement.ts";
import type { Confinement } from "../../../confinement/confinement.ts";
import { openFolders } from "../../../confinement/testing/confinement-stage.ts";
import { holdingTimers } from "../../../platform/timers.ts";
import { defineTool } from "../../../tools/define-tool.ts";
import { fileTools } from "../../../tools/files/file-tools.ts";
import { createToolbox } from "../../../tools/toolbox.ts";
import { createTestHost } from "../../testing/test-host.ts";
import { eventsOf, turnOf } from "../../testing/turns.ts";
import type { PermissionAnswer, Turn, TurnEvent } from "../../turn/agent-runtime.ts";
import { createRehearsal } from "../rehearsal.ts";

interface Options {
  readonly confinement?: (home: string) => Pick<Confinement, "probe" | "run">;
  readonly answer?: PermissionAnswer;
  readonly leftOut?: readonly string[];
  readonly pace?: number;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- what it gives is told by its end
export async function openPlace({
  confinement,
  answer = "allowed",
  leftOut = [],
  pace = 0,
}: Options = {}) {
  const folders = await openFolders();
  const { folder, store, home } = folders;
  const commands: unknown[] = [];
  const answers = new Map<string, string>();
  const answerComment = defineTool({
    name: "answer_comment",
    description: "",
    input: { commentId: Type.String(), text: Type.String() },
    call({ commentId, text }) {
      answers.set(commentId, text);
      return { text: "Answered.", isError: false };
    },
  });
  const toolbox = createToolbox([
    answerComment,
    ...fileTools({
      confinement: (confinement ?? asking(process.env["PATH"] ?? ""))(home),
      permissionsOf: () => "sandbox",
      humanInput: {
        requestPermission(_about, { input }) {
          commands.push(input);
          return Promise.resolve(answer);
        },
      },
      live: { publish: () => undefined },
      blobs: { put: () => Promise.reject(new Error("nothing is that long")) },
      secrets: () => [],
      timers: holdingTimers,
    }),
  ]);
  const workspace = { folder, store };
  const tools = toolbox
    .declarationsFor({ workspace })
    .filter(({ name }) => !leftOut.includes(name));
  let runs = 0;
  let sleptMs = 0;
  const play = async (prompt: string, more: Partial<Turn> = {}): Promise<TurnEvent[]> => {
    const turn = turnOf(prompt, { runId: `run_${++runs}`, form: "task", workspace, ...more });
    const { signal } = new AbortController();
    const caller = { key: "k", runId: turn.runId, agentId: turn.agent.id, workspace, signal };
    const callTool = (name: string, input: unknown) => toolbox.call(name, input, caller);
    const host = createTestHost({ tools, callTool, speed: 1_000 });
    const events = await eventsOf(createRehearsal("x", { pace }), turn, host);
    sleptMs += host.sleeps.reduce((sum, ms) => sum + ms, 0);
    return events;
  };
  const files = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name !== ".git").toSorted();
  const contentOf = (name: string): Promise<string> => readFile(join(folder, name), "utf8");
  return { ...folders, play, files, contentOf, commands, answers, sleptMs: (): number => sleptMs };
}

/** Without a sandbox, where programs are looked for in `path`. */
export function asking(path: string): (home: string) => Confinement {
  return (home) =>
    createConfinement({
      platform: "a system without sandboxes",
      path: "",
      node: process.execPath,
      secret: [home],
      marks: {},
      env: { PATH: path },
      timers: holdingTimers,
      now: () => performance.now(),
    });
}

interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
}

function callsIn(events: readonly TurnEvent[]): Call[] {
  return events.flatMap((event) => {
    if (event.type !== "tool.called") return [];
    const end = events.find((each) => each.type === "tool.returned" && each.id === event.id);
    assert.ok(end?.type === "tool.returned");
    return [{ name: event.name, input: event.input, text: end.text, isError: end.isError }];
  });
}

/** Without `changes`, which needs more than a folder. */
export const namesIn = (events: readonly TurnEvent[]): string =>
  callsIn(events)
    .map(({ name }) => name)
    .filter((name) => name !== "changes")
    .join(" ");
export const runsIn = (events: readonly TurnEvent[]): Call[] =>
  callsIn(events).filter(({ name }) => name === "run");

export function artifactIn(events: readonly TurnEvent[]): Extract<TurnEvent, { type: "artifact" }> {
  const artifact = events.find((event) => event.type === "artifact");
  assert.ok(artifact?.type === "artifact");
  return artifact;
}
