/** `atrium files`, `diff`, `restore` and `fork`, with a task that a model works on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli } from "../../kit/cli-process.ts";
import { calling, openModelShop, returnsOf, write } from "../../kit/moments.ts";

const skip = skipWithout("git");

test(
  "[CLI-30] [CLI-31] the files of a task are shown, compared, put back and forked from the command line",
  { skip },
  async () => {
    await using model = await calling([
      write("a.txt", "one\u001b[31m\n"),
      write("src/b.txt", "two\n"),
    ]);
    await using shop = await openModelShop(model);
    const { url, token } = shop.atrium;
    const cli = (...args: readonly string[]) => runCli([...args, "--url", url, "--token", token]);
    const [taskId = ""] = await shop.request("Make it", "shop");
    await shop.peer.event("review_requested");
    const [first = 0] = await returnsOf(shop);
    const projectId = `proj_${taskId.split("_")[1]}`;

    const listed = await cli("files", projectId);
    assert.match(listed.stdout, /^task_\S+ at \d+\n/);
    assert.match(listed.stdout, /^ +a\.txt +9 B$/m);
    assert.match(listed.stdout, /^ +src\/$/m);
    assert.match((await cli("files", taskId, "src")).stdout, /^ +b\.txt +4 B$/m);
    assert.doesNotMatch((await cli("files", taskId, "src", "--at", `${first}`)).stdout, /b\.txt/);
    // What is piped is not a person's screen.
    assert.equal((await cli("files", taskId, "a.txt")).stdout, "one\u001b[31m\n");
    const { entries } = JSON.parse((await cli("files", taskId, "--json")).stdout);
    assert.equal(entries.length, 4);

    const changes = (await cli("diff", taskId)).stdout;
    assert.match(changes, /^ +added +a\.txt +\+1 −0$/m);
    assert.match(changes, /^ +added +src\/b\.txt +\+1 −0$/m);
    assert.doesNotMatch((await cli("diff", taskId, "--from", `${first}`)).stdout, /a\.txt/);
    assert.match((await cli("diff", taskId, "src/b.txt")).stdout, /^\+two$/m);
    const same = await cli("diff", taskId, "--from", `${first}`, "--to", `${first}`);
    assert.equal(same.stdout, "Nothing has changed.\n");

    const restored = await cli("restore", taskId, "--at", `${first}`);
    assert.match(restored.stdout, /are as they were at \d+\.\nTo undo it, run: (.*)\n$/);
    assert.equal((await cli("files", taskId, "src/b.txt")).code, 1);
    const undo = /run: atrium (.*)\n$/.exec(restored.stdout)?.[1]?.split(" ") ?? [];
    assert.equal((await cli(...undo)).code, 0);
    assert.equal((await cli("files", taskId, "src/b.txt")).stdout, "two\n");
    const forked = await cli("fork", taskId, "--at", `${first}`, "--say", "Otherwise");
    assert.equal(
      forked.stdout,
      `${taskId.replace(/\d+$/, "2")} starts from ${taskId} at ${first}.\n`,
    );

    const mistakes: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["files"], 2, /Name a project, task or build/],
      [["files", taskId, "a", "b"], 2, /Unexpected argument: b/],
      [["files", "proj_nobody"], 1, /No project has that id. \(proj_nobody\)/],
      [["files", taskId, "nowhere"], 1, /No file or folder has that path. \(nowhere\)/],
      [["files", taskId, "--at", "soon"], 1, /seq must be a position/],
      [["diff", taskId, "README.md"], 1, /does not differ/],
      [["restore", taskId], 2, /Say to which position: --at SEQ/],
      [["restore", taskId, "--at", "x"], 2, /a whole number/],
      [["restore", "nobody", "--at", "1"], 1, /No workspace has that id/],
    ];
    for (const [args, code, says] of mistakes) {
      const outcome = await cli(...args);
      assert.equal(outcome.code, code, args.join(" "));
      assert.match(outcome.stderr, says, args.join(" "));
    }
  },
);
