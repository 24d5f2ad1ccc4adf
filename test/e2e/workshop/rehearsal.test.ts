/** The rehearsal crew in repositories of its own: real tools, real git, a real sandbox, no model. */
import assert from "node:assert/strict";
import { mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { findProgram, skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
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

async function read({ url, token }: TestAtrium, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(new URL(path, url), { headers })).text();
}

const contentOf = (atrium: TestAtrium, artifactId: string): Promise<string> =>
  read(atrium, `/api/artifacts/${artifactId}/latest`);

test(
  "[REHEARSAL-11] a project of the rehearsal crew shows a failing check, its repair and what was written",
  { skip },
  async () => {
    await using atrium = await openTestAtrium({ env });
    await using peer = await enterWorld(atrium);
    await peer.subscribe({ ...ALL_CHANNELS, calls: true });
    await peer.ask("submit_request", { text: "Create a tide table [[say: ok]]" });
    const { project_id } = (await peer.event("kickoff_finished")).payload;
    await peer.ask("auto_assign", { project_id });
    const failed = await eventWith(
      peer,
      ({ name, verdict }) => name === "checks_finished" && verdict === "failed",
    );
    const [{ check_id }] = failed.results;
    const output = await read(atrium, `/api/checks/${check_id}/output`);
    assert.match(output, /it counts the points from 1/);
    const passed = await eventWith(
      peer,
      ({ name, tool, is_error }) => name === "tool_returned" && tool === "run" && !is_error,
    );
    assert.match(passed.text, /Tide table\n1\. the smallest version[^]*\[exit code 0,/);
    assert.equal(passed.task_id, failed.task_id);
    const { artifact_id } = await eventWith(
      peer,
      ({ name, task_id }) => name === "artifact_delivered" && task_id === passed.task_id,
    );
    const programAt = async (seq: number): Promise<string> => {
      const moment = { seq: `${seq}`, path: "tide-table.mjs", task: passed.task_id };
      const query = new URLSearchParams(moment);
      return read(atrium, `/api/projects/${project_id}/file?${query.toString()}`);
    };
    assert.match(await programAt(failed.seq), /`\$\{at\}\. /);
    assert.match(await programAt(passed.seq), /`\$\{at \+ 1\}\. /);
    assert.match(
      await contentOf(atrium, artifact_id),
      /^\+.*rehearsal draft[^]*^\+## Files\n\+\n\+- .*tide-table\.mjs/m,
    );
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
    assert.match(
      await read(atrium, draft.path),
      /## Files\n\n- .*bot-that-waters-plants\.mjs.*\n- .*\.test\.mjs.*\n\n.*its test passes\./,
    );
  },
);

test(
  "[REHEARSAL-8] without a sandbox people are asked for each command of the rehearsal, and it goes on",
  { skip: skipWithout("git") },
  async () => {
    await using bin = await mkdtempDisposable(join(tmpdir(), "atrium-bin-"));
    await symlink(findProgram("git") ?? "", join(bin.path, "git"));
    await symlink(process.execPath, join(bin.path, "node"));
    // As in a container that may make no namespaces.
    await writeFile(join(bin.path, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await using atrium = await openTestAtrium({ env: { PATH: bin.path } });
    await using peer = await enterWorld(atrium);
    await peer.subscribe({ ...ALL_CHANNELS, calls: true });
    await peer.ask("submit_request", { text: "Create a tide table [[say: ok]]" });
    const { project_id } = (await peer.event("kickoff_finished")).payload;
    await peer.ask("auto_assign", { project_id });
    const permission = (isIt: (payload: Payload) => boolean): Promise<Payload> =>
      eventWith(peer, (each) => each.kind === "permission" && isIt(each));
    const asked = new Set<string>();
    const allowCheck = async (): Promise<void> => {
      const { decision_id } = await permission(
        (each) => each.prompt.includes("[ -e ") && !asked.has(each.decision_id),
      );
      asked.add(decision_id);
      await peer.ask("resolve_decision", { decision_id, choice: "Allow" });
    };
    await allowCheck();
    const { decision_id, task_id } = await permission(({ prompt }) =>
      prompt.endsWith("&& node tide-table.mjs"),
    );
    await peer.ask("resolve_decision", { decision_id, choice: "Deny", note: "seen enough" });
    await allowCheck();
    const { artifact_id } = await eventWith(
      peer,
      (event) => event.name === "artifact_delivered" && event.task_id === task_id,
    );
    assert.match(await contentOf(atrium, artifact_id), /\$\{at \+ 1\}\. /);
    const said = peer.told("agent_stream").map(({ payload }) => payload.delta as string);
    assert.match(said.join(""), /is not known: A person said no: seen enough/);
    assert.deepEqual(atrium.faults, []);
  },
);
