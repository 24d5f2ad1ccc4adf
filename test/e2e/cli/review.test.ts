/** `atrium review`: a change is looked at, commented on and approved from the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli, startCliInTerminal } from "../../kit/cli-process.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { get } from "../../kit/moments.ts";
import { modelOn, openShop } from "../../kit/workshop.ts";

const skip = skipWithout("git");
const FIRST = "const a = 1;\nconst b\u001b[31m = 2;\nconst c = 3;\n";
const SECOND = `// Names\n${FIRST.replace("const b", "const better")}`;

/** Writes the file; asked for changes, it writes it otherwise and answers the comment. */
function engineer({ body }: ModelRequest): Behavior {
  const text = JSON.stringify(body.messages);
  const roles: readonly string[] = body.messages.map(({ role }: { role: string }) => role);
  const done = roles.slice(roles.lastIndexOf("user")).filter((role) => role === "tool").length;
  const [commentId] = /cmt_\w+/.exec(text) ?? [];
  const write = (path: string, content: string) => ["write", { path, content }] as const;
  const calls = text.includes("Changes were requested")
    ? [
        ["read", { path: "src/a.ts" }] as const,
        write("src/a.ts", SECOND),
        ["answer_comment", { commentId, text: "It is better now." }] as const,
      ]
    : [write("src/a.ts", FIRST), write("package.json", "{}\n")];
  const [name, input] = calls[done] ?? [];
  if (name === undefined) return { type: "answer", chunks: ["Made."] };
  return { type: "answer", toolCalls: [{ name, input }] };
}

test(
  "[CLI-33] [CLI-34] [CLI-40] [FILES-14] a change is shown, commented on, found again in its next version, and approved",
  { skip },
  async () => {
    await using model = await openModelServer(engineer);
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [{ id: "agent_eng_1", runtime: "local" }],
    });
    const { atrium, peer } = shop;
    const at = ["--url", atrium.url, "--token", atrium.token];
    const review = (...args: readonly string[]) => runCli(["review", ...args, ...at]);
    assert.equal((await review()).stdout, "Nothing waits for a review.\n");

    const [taskId = ""] = await shop.request("Make it", "shop");
    const { artifact_id: id } = (await peer.event("artifact_delivered")).payload;
    const list = await review();
    assert.match(list.stdout, new RegExp(`^ +${id} +Work of agent_eng_1 +version 1, \\+4 −0`, "m"));
    const first = await review(taskId);
    assert.match(first.stdout, /^ +added +package\.json +\+1 −0 +! check file$/m);
    assert.match(first.stdout, /^ +added +src\/a\.ts +\+3 −0$/m);
    assert.match(first.stdout, /^ +2 \+const b‹U\+001B›\[31m = 2;$/m);
    assert.ok(!first.stdout.includes("\u001b"));
    assert.match(first.stderr, new RegExp(`atrium review ${id} --approve`));
    const one = await review(id, "package.json");
    assert.ok(!one.stdout.includes("const a"));

    const mistakes: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["art_nobody"], 1, /No deliverable has the id art_nobody/],
      [[id, "a", "b"], 2, /Unexpected argument: b/],
      [["--approve"], 2, /Name a deliverable or its task/],
      [[id, "--approve", "--changes", "x"], 2, /Either --approve, ask for changes, --apply or/],
      [[id, "--resolve", "cmt_nobody"], 1, /No comment/],
      [[id, "--apply", "src/a.ts:9 x"], 1, /has 3 lines, no/],
      [[id, "--comment", "src/a.ts Why?"], 2, /takes "PATH:LINE TEXT"/],
      [[id, "--comment", "src/a.ts:9 Why?"], 1, /comments\/0: src\/a\.ts has 3 lines, no line 9/],
      [[id, "--comment", "src/b.ts:1 Why?"], 1, /No file or folder has that path/],
      [[id, "--version", "7"], 1, /has no version 7/],
      [[id, "--output", "lint"], 1, /No check is called lint/],
    ];
    for (const [args, code, says] of mistakes) {
      const outcome = await review(...args);
      assert.equal(outcome.code, code, `${args.join(" ")}: ${outcome.stderr}`);
      assert.match(outcome.stderr, says, args.join(" "));
    }

    const second = peer.first(
      ({ payload }) => payload.name === "artifact_delivered" && payload.version === 2,
    );
    const asked = await review(id, "--comment", "src/a.ts:2 Name it");
    assert.equal(asked.code, 0, asked.stderr);
    await second;
    const prompt = JSON.stringify(model.requests.map(({ body }) => body));
    assert.match(prompt, /Name it/);
    const { json } = await get(shop, `/api/artifacts/${id}/comments`);
    const [{ place, answer, line, version }] = json.comments;
    assert.deepEqual([line, version, answer], [2, 1, "It is better now."]);
    assert.deepEqual(place, { path: "src/a.ts", line: 3, end_line: 3, state: "changed" });
    const shown = (await review(id)).stdout;
    assert.match(shown, /^ +src\/a\.ts:3 \(changed\) +cmt_\w+$/m);
    assert.match(shown, /^ {2}Made\.$/m, "what the agent says of it");
    assert.match(
      shown,
      /^ +│ const b‹U\+001B›\[31m = 2;\n +\S.*: Name it\n +answer: It is better now\.$/m,
    );
    const between = (await review(id, "--against", "1")).stdout;
    assert.match(between, /^ +1 \+\/\/ Names$/m);
    assert.ok(!between.includes("package.json"));
    const old = await review(id, "--version", "1");
    assert.match(old.stdout, /version 1: delivered/);

    const [{ comment_id: commentId }] = json.comments;
    assert.equal((await review(id, "--resolve", commentId)).code, 0);
    assert.match((await review(id)).stdout, /^ +resolved by /m);
    assert.equal((await review(id, "--apply", "src/a.ts:1 // Better names")).code, 0);
    assert.match((await review(id)).stdout, /^ +1 \+\/\/ Better names$/m);

    await using editing = startCliInTerminal(["review", id, ...at]);
    await editing.says(/file 1 of 2 › /);
    editing.type("n\r");
    await editing.says(/file 2 of 2 › /);
    editing.type("e\r");
    await editing.says(/line .* › /);
    editing.type("1\r");
    for (const [index, typed] of ["// Names", "// of constants", "."].entries()) {
      await editing.says(`line ${index + 1} instead`);
      editing.type(`${typed}\r`);
    }
    await editing.says(/put it there now/);
    editing.type("y\r");
    assert.equal((await editing.ended).code, 0);
    const mine = (await review(id)).stdout;
    assert.match(mine, /version 4: delivered/);
    assert.match(mine, /^ +1 \+\/\/ Names\n +2 \+\/\/ of constants$/m);

    await using cli = startCliInTerminal(["review", id, ...at]);
    await cli.says(/file 1 of 2 › /);
    cli.type("n\r");
    await cli.says(/file 2 of 2 › /);
    cli.type("c\r");
    await cli.says(/line .* › /);
    cli.type("1-2\r");
    await cli.says(/comment › /);
    cli.type("Shorter\r");
    await cli.says("Noted at src/a.ts:1-2");
    cli.type("q\r");
    await cli.says("1 comment not sent");
    cli.type("a\r");
    await cli.says("Press a again to approve without them.");
    cli.type("a\r");
    assert.equal((await cli.ended).code, 0);
    await peer.event("change_landed");
    await peer.event("project_completed");
    assert.equal((await review()).stdout, "Nothing waits for a review.\n");
    assert.deepEqual(atrium.faults, []);
  },
);
