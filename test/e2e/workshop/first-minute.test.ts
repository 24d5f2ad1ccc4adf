/** What a newcomer sees in the first minute, with the rehearsal crew: real git, a real sandbox, no model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { FAST_CREW, openBuildHouse } from "../../kit/builds.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";

type Payload = WorldMessage["payload"];

const skip = skipWithoutSandbox() || skipWithout("git");
const env = { PATH: process.env["PATH"] ?? "" };

async function eventOf(peer: WorldPeer, isIt: (payload: Payload) => boolean): Promise<Payload> {
  return (await peer.first(({ type, payload }) => type === "event" && isIt(payload))).payload;
}

test(
  "[REHEARSAL-11] [REHEARSAL-12] a plan, a check that fails and is mended, comments that are answered, landing and trophy",
  { skip },
  async () => {
    await using house = await openBuildHouse(FAST_CREW, { env });
    const { atrium } = house;
    await using peer = await enterWorld(atrium);
    await peer.ask("submit_request", { text: "Create a tide table" });
    const { tasks, project_id } = (await peer.event("tasks_created")).payload;
    const build: Payload = tasks.find((task: Payload) => task.verify !== undefined);
    const last: Payload = tasks.at(-1);
    assert.deepEqual(last.after, [build.task_id]);
    for (const task of tasks) assert.ok(task.accept.length > 0, task.title);
    await peer.event("kickoff_finished");
    await peer.ask("auto_assign", { project_id });
    const { decision_id, options } = (await peer.event("decision_requested")).payload;
    await peer.ask("resolve_decision", { decision_id, choice: options[0] });

    const ofBuild = (name: string) => (payload: Payload) =>
      payload.name === name && payload.task_id === build.task_id;
    const { artifact_ids } = await eventOf(peer, ofBuild("review_requested"));
    const [artifact_id] = artifact_ids;
    const verdicts = (): readonly string[] =>
      peer
        .told("event")
        .filter(({ payload }) => ofBuild("checks_finished")(payload))
        .map(({ payload }) => payload.verdict);
    assert.deepEqual(verdicts(), ["failed", "passed"]);
    const read = async (path: string): Promise<Payload> => {
      const headers = { authorization: `Bearer ${atrium.token}` };
      const response = await fetch(new URL(`/api/artifacts/${artifact_id}${path}`, atrium.url), {
        headers,
      });
      return response.json();
    };
    const { files, version } = await read("/changes");
    assert.ok(files.some(({ path }: Payload) => path === "tide-table.mjs"));
    assert.equal(version, 2);

    const path = "tide-table.mjs";
    const comments = [
      { path, line: 2, side: "new", text: "For which harbour?" },
      { path, line: 4, side: "new", text: '```suggestion\n  "one step",\n```' },
    ];
    await peer.ask("request_changes", { artifact_id, instructions: "", comments });
    await eventOf(
      peer,
      (event) => ofBuild("artifact_delivered")(event) && event.version === version + 1,
    );
    const { patch } = await read(`/diff?version=3&against=2&path=${path}`);
    assert.match(
      patch,
      /\n\+export const title = "Tide table"; \/\/ wished: For which harbour\?\n/,
    );
    assert.match(patch, /\n\+ {2}"one step",\n/);
    const answered: readonly Payload[] = (await read("/comments")).comments;
    assert.deepEqual(
      answered.map(({ answer }) => answer?.slice(0, 10)),
      ["Line 2 now", "Taken over"],
    );

    const approved = new Set<string>();
    for (const { task_id } of tasks) {
      const reviewed = await eventOf(
        peer,
        ({ name, ...event }) => name === "review_requested" && event.task_id === task_id,
      );
      for (const id of reviewed.artifact_ids) {
        await peer.ask("approve_artifact", { artifact_id: id });
        approved.add(id);
      }
    }
    await peer.event("project_completed");
    await peer.event("decor_unlocked");
    const landed = peer.told("event").filter(({ payload }) => payload.name === "change_landed");
    assert.equal(landed.length, approved.size);
    assert.deepEqual(atrium.faults, []);
  },
);
