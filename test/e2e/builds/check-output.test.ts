/** What the checks of a build print, for programs and in a terminal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openCheckedBuild } from "../../kit/checked-build.ts";
import { runCli, startCli } from "../../kit/cli-process.ts";
import { get } from "../../kit/moments.ts";

const skip = skipWithout("git") || skipWithoutSandbox();

test(
  "[BUILD-28] the output of a build's check is read by its id while it runs and afterwards",
  { skip },
  async () => {
    await using checked = await openCheckedBuild();
    const { shop, api } = checked;
    const id = await checked.start("Make it good");
    const unknown = await get(shop, "/api/builds/__proto__/checks");
    assert.deepEqual([unknown.status, unknown.json.error.code], [404, "build.missing"]);
    const list = () => get(shop, `/api/builds/${id}/checks`);
    let listed = await list();
    while (listed.json.checks?.[0]?.state !== "running") {
      await setTimeout(50);
      listed = await list();
    }
    const [{ check_id: checkId, name, required }] = listed.json.checks;
    assert.deepEqual([name, required], ["the words", true]);
    const output = async (of: string): Promise<string> =>
      (await get(shop, `/api/checks/${of}/output`)).text;
    while (!(await output(checkId)).includes("made: bad")) await setTimeout(50);
    await checked.letGo();
    const finished: { check_id: string; verdict: string }[] = [];
    for await (const { type, payload } of api.events(id)) {
      if (type !== "checks.finished") continue;
      finished.push(payload.checks[0]);
      if (finished.length === 1) await checked.letGo();
    }
    const [first, second] = finished;
    assert.deepEqual([first?.check_id, first?.verdict], [checkId, "failed"]);
    assert.match(await output(checkId), /made: bad\nover\n$/);
    assert.equal(second?.verdict, "passed");
    assert.notEqual(second?.check_id, checkId, "other files, another check");
    assert.match(await output(second?.check_id ?? ""), /made: good\nover\n$/);
    const { body } = await api.get(`/${id}`);
    assert.equal(body.build.checks[0].check_id, second?.check_id);
    const [ended] = (await list()).json.checks;
    assert.deepEqual([ended.check_id, ended.state], [second?.check_id, "passed"]);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[CLI-49] build prints the end of what a failed check printed; --output prints all of it",
  { skip },
  async () => {
    await using checked = await openCheckedBuild();
    const { url, token } = checked.shop.atrium;
    const at = ["--url", url, `--token=${token}`];
    const id = await checked.start("Make it good");
    await using cli = startCli(["build", ...at, "--follow", id]);
    await checked.letGo();
    await cli.says("✗ the words failed");
    await cli.says(/│ made: bad\n +│ over\n/);
    await cli.says(`for all, run: atrium build --follow ${id} --output 'the words'`);
    assert.doesNotMatch(cli.stderr, /│ 12\n/);
    const readWhole = () => runCli(["build", ...at, "--follow", id, "--output", "the words"]);
    let whole = await readWhole();
    // The next check of that name may have begun in the meantime, and not have printed anything yet.
    while (whole.code === 0 && !whole.stdout.includes("made: ")) whole = await readWhole();
    assert.equal(whole.code, 0, whole.stderr);
    assert.match(whole.stdout, /^1\n2\n3\n[^]*made: /);
    await checked.letGo();
    const { code, stderr } = await cli.ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /✓ the words passed/);
    const none = await runCli(["build", ...at, "--follow", id, "--output", "nothing"]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /No check is called nothing\.\nChecks: the words/);
    const what = await runCli(["build", ...at, "--output", "x"]);
    assert.equal(what.code, 2);
  },
);
