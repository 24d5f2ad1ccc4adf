/** A secret of every kind went in, and every place is searched for it. docs/secrets.md has the table. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtempDisposable, readdir, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { filesWith } from "../../kit/files-with.ts";
import { canary, GIVEN, playSecretStory, type SecretStory } from "../../kit/secret-story.ts";
import { runServer } from "../../kit/server-process.ts";

const skip =
  process.platform === "linux" ? skipWithout("curl") : "processes are looked at on Linux";

const opened = new AsyncDisposableStack();
let story: SecretStory;

before(async () => {
  if (skip !== false) return;
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), "atrium-secrets-")));
  story = await playSecretStory(folder.path);
});
after(() => opened.disposeAsync());

/** The only files of the home that may hold one; those for `curl` are there only while the server is. */
const KEPT_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ["token", ["token"]],
  ["device-secret", ["device-secret"]],
  ["hook-secret", ["hook-secret"]],
  ["waking", [join("joined", "qwen-controller.json")]],
  ["kept", ["keys.json"]],
]);

test("[SECRET-1] what holds a secret is for the owner of the home alone", { skip }, async () => {
  assert.equal((await stat(story.home)).mode & 0o077, 0, "the home");
  for (const name of [...KEPT_IN.values(), "joined.curl", "signals.curl"].flat()) {
    assert.equal(story.modes.get(name), 0o600, name);
  }
  const files = await readdir(story.home);
  assert.deepEqual(
    files.filter((name) => /\.[0-9a-f-]{36}$/.test(name)),
    [],
    "no draft is left",
  );
});

test(
  "[SECRET-2] no secret is in the log, the journal or another file of the home, nor in a copy",
  { skip },
  async () => {
    for (const [kind, secret] of story.secrets) {
      assert.ok(secret.length >= 16, kind);
      const found = await filesWith(story.home, secret);
      assert.deepEqual([kind, found.toSorted()], [kind, KEPT_IN.get(kind) ?? []]);
      assert.ok(!readFileSync(story.copy, "latin1").includes(secret), `${kind} in the copy`);
    }
  },
);

test(
  "[SECRET-3] [SECRET-4] [SECRET-5] no secret is in anything that was shown, answered or said",
  { skip },
  () => {
    assert.match(story.shown.get("turn of a program") ?? "", /it was/, "it did say them");
    assert.ok(story.shown.size > 40, [...story.shown.keys()].join(", "));
    for (const [place, text] of story.shown) {
      for (const [kind, secret] of story.secrets) {
        assert.ok(!text.includes(secret), `${kind} in ${place}`);
      }
    }
  },
);

test(
  "[SECRET-6] no process has a secret in its arguments, and each has the variables that its settings name",
  { skip },
  () => {
    const { children, secrets } = story;
    const program = children.find(({ args }) => args.includes("agent.sh"));
    const acp = children.find(({ args }) => args.includes("acp-agent.ts"));
    assert.ok(program !== undefined && acp !== undefined, JSON.stringify(children));
    for (const { args } of children) {
      for (const [kind, secret] of secrets) assert.ok(!args.includes(secret), `${kind}: ${args}`);
    }
    const named = (env: string): readonly string[] =>
      [...secrets].filter(([, secret]) => env.includes(secret)).map(([kind]) => kind);
    assert.deepEqual(named(program.env).toSorted(), ["VAR_API_KEY", "kept"]);
    assert.deepEqual(named(acp.env), []);
    for (const { env } of children) assert.ok(!env.includes(GIVEN.UNNAMED_API_KEY), env);
  },
);

test("[SECRET-4] a start that fails says what is wrong and repeats no secret", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-secret-start-"));
  const home = join(folder.path, "home");
  const file = join(folder.path, "atrium.config.json");
  const secret = canary("hidden");
  const parts = Array.from({ length: secret.length - 6 }, (_, at) => secret.slice(at, at + 7));
  const broken = [
    `{ "token": "${secret}" oops }`,
    `{ "token": "${secret}`,
    `{ "token": ${secret} }`,
    `{ "token": "${secret}\n" }`,
    JSON.stringify({ token: [secret] }),
    JSON.stringify({ token: secret, colour: secret }),
    JSON.stringify({ log: `nats://ann:${secret}@127.0.0.1:4222` }),
    JSON.stringify({ log: "nats://127.0.0.1:9", logMonitor: `http://ann:${secret}@127.0.0.1:9` }),
    JSON.stringify({ runtimes: { m: { type: "model", apiKey: secret } } }),
    JSON.stringify({ runtimes: { m: { type: "openclaw", url: `ws://x:${secret}@h`, token: 1 } } }),
  ];
  for (const text of broken) {
    await writeFile(file, text);
    const { code, stdout, stderr } = await runServer(home, ["--config", file, "--port", "0"]);
    assert.notEqual(code, 0, text);
    assert.notEqual(stderr, "", text);
    for (const part of parts) assert.ok(!`${stdout}${stderr}`.includes(part), `${text}\n${stderr}`);
  }
  const short = "canary-short";
  const { code, stderr } = await runServer(home, ["--token", short, "--port", "0"]);
  assert.notEqual(code, 0);
  assert.ok(!stderr.includes(short), stderr);
});
