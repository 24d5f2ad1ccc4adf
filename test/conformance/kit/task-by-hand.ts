/** A task for a session that was started by hand: what its model does about it, and what becomes of it in the office. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { startServer } from "../../kit/server-process.ts";
import type { ServerProcess } from "../../kit/server-process.ts";
import { makeBusyRepository, writeSettings } from "../../kit/workshop.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";
import { USAGE, type Asked } from "./agent-stage.ts";
import type { HandStartedProgram } from "./joined-stage.ts";

const AGENTS = [{ id: "agent_eng_1", runtime: "planner" }];

/** Before the program joins. */
export async function writeTaskSettings(home: string, folder: string): Promise<void> {
  const repository = makeBusyRepository(join(folder, "repository"));
  await writeSettings(home, { agents: AGENTS, repository });
}

export interface TaskOffice extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly peer: WorldPeer;
  readonly taskId: string;
}

/** A project with one open task. */
export async function openTaskOffice(home: string): Promise<TaskOffice> {
  const server = await startServer(home, { env: { PATH: process.env["PATH"] ?? "" } });
  const peer = await enterWorld(server);
  const planned = peer.next(named("tasks_created"));
  const finished = peer.next(named("kickoff_finished"));
  await peer.ask("submit_request", { text: "Note the tide", repository: "shop" });
  const taskId: string = (await planned).payload.tasks[0].task_id;
  await finished;
  return { server, peer, taskId, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Resolves once a joined session has handed it over as a change, which is then reviewed. */
export async function handedOver(peer: WorldPeer): Promise<void> {
  const [made] = await Promise.all([
    peer.first(named("artifact_created")),
    peer.first(named("review_requested")),
  ]);
  assert.match(made.payload.agent_id, /^agent_joined_/);
  assert.equal(made.payload.type, "change");
  assert.equal(made.payload.change.files, 1);
}

/**
 * A model that takes the task of `Take: ID`, notes the tide in the folder that it is given, and hands it over.
 */
export function takesTask(
  { said, returned, whole }: Pick<Asked, "said" | "returned" | "whole">,
  { runs, callsOurs, looksFor }: Pick<HandStartedProgram, "runs" | "callsOurs" | "looksFor">,
): Behavior {
  const answer = { type: "answer", chunks: [] as string[], usage: USAGE } as const;
  const [, taskId] = /Take: (\S+)/.exec(said) ?? [];
  if (taskId === undefined) return { ...answer, chunks: ["Heard."] };
  const call = (name: string, input: object): Behavior => ({
    ...answer,
    toolCalls: [callsOurs?.(name, input) ?? { name: toolNamed(whole, name), input }],
  });
  const steps = looksFor === undefined ? returned : returned.slice(1);
  if (looksFor !== undefined && returned.length === 0) return { ...answer, toolCalls: [looksFor] };
  switch (steps.length) {
    case 0:
      return call("take_task", { task_id: taskId });
    case 1: {
      const [, folder] = /You work in the folder (\S+?),/.exec(steps[0] ?? "") ?? [];
      if (folder === undefined) return { ...answer, chunks: [`No folder: ${returned.join()}`] };
      return { ...answer, toolCalls: [runs(`echo high > ${folder}/tide.txt`)] };
    }
    case 2:
      return call("hand_over_task", { summary: "The tide is noted." });
    default:
      return { ...answer, chunks: ["Delivered."] };
  }
}

/** Each program puts names of its own in front. */
function toolNamed(whole: string, name: string): string {
  return new RegExp(`"name":"([\\w.-]*${name})"`).exec(whole)?.[1] ?? name;
}

function named(name: string) {
  return ({ type, payload }: WorldMessage): boolean => type === "event" && payload.name === name;
}
