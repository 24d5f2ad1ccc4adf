/** The rehearsal crew in repositories of its own: real tools, real git, a real sandbox, no model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { FAST_CREW, openBuildHouse, typesOf, WHOLE_BUILD } from "../../kit/builds.ts";
import {
  ALL_CHANNELS,
  enterWorld,
  type WorldMessage,
  type WorldPeer,
} from "../../kit/world-peer.ts";

const skip = skipWithoutSandbox() || skipWithout("git");
const env = { PATH: process.env["PATH"] ?? "" };

type Payload = WorldMessage["payload"];

async function eventWith(peer: WorldPeer, isIt: (payload: Payload) => boolean): Promise<Payload> {
  return (await peer.first(({ type, payload }) => type === "event" && isIt(payload))).payload;
}

test(
  "[REHEARSAL-7] a project of the rehearsal crew shows a failing test, its repair and what was written",
  { skip },
  async () => {
    await using atrium = await openTestAtrium({ env });
    await using peer = await enterWorld(atrium);
    await peer.subscribe({ ...ALL_CHANNELS, calls: true });
    await peer.ask("submit_request", { text: "Create a tide table [[say: ok]]" });
    const { project_id } = (await peer.event("kickoff_finished")).payload;
    await peer.ask("auto_assign", { project_id });
    const ran = (isError: boolean): Promise<Payload> =>
      eventWith(
        peer,
        ({ name, tool, is_error }) =>
          name === "tool_returned" && tool === "run" && is_error === isError,
      );
    const failed = await ran(true);
    assert.match(failed.text, /it counts the points from 1[^]*\[exit code 1,/);
    const passed = await ran(false);
    assert.match(passed.text, /Tide table\n1\. the smallest version[^]*\[exit code 0,/);
    assert.equal(passed.task_id, failed.task_id);
    const { artifact_id } = await eventWith(
      peer,
      ({ name, task_id }) => name === "artifact_delivered" && task_id === passed.task_id,
    );
    const draft = await fetch(new URL(`/api/artifacts/${artifact_id}/latest`, atrium.url), {
      headers: { authorization: `Bearer ${atrium.token}` },
    });
    assert.match(await draft.text(), /rehearsal draft[^]*## Files\n\n- .*tide-table\.mjs/);
    assert.deepEqual(atrium.faults, []);
  },
);

test(
  "[REHEARSAL-7] a build of the rehearsal crew does the same, and tells of it as ever",
  { skip },
  async () => {
    await using house = await openBuildHouse(FAST_CREW, { env });
    const { api, atrium } = house;
    const id = await api.start("Build a bot that waters plants");
    assert.deepEqual(typesOf(await api.see(id)), WHOLE_BUILD);
    const { files } = (await api.get(`/${id}/files`)).body;
    const draft = files.find(({ name }: { name: string }) => name.endsWith(".md"));
    const answer = await fetch(new URL(draft.path, atrium.url), {
      headers: { authorization: `Bearer ${atrium.token}` },
    });
    assert.match(
      await answer.text(),
      /## Files\n\n- .*bot-that-waters-plants\.mjs.*\n- .*\.test\.mjs.*\n\n.*its test passes\./,
    );
  },
);
