import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { helpOf } from "./command-line/usage.ts";
import { COMMANDS, run } from "./run.ts";
import { openTerminal } from "./terminal/terminal.ts";

/** As run by a script that pipes nothing in. */
async function call(...args: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const terminal = openTerminal(stdin as never, stdout as never, stderr as never, {});
  const env = { ATRIUM_HOME: "/nonexistent" };
  const code = await run(args, { env, cwd: tmpdir(), terminal, now: () => 0 });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

test("[CLI-4] what nobody knows is named, with exit code 2 and where to read more", async () => {
  for (const [args, named] of [
    [["dance"], /Unknown command: dance/],
    [["help", "dance"], /Unknown command: dance/],
    [["status", "--loud"], /Unknown option: --loud\nSee atrium status --help/],
    [["chat", "-x", "hi"], /Unknown option: -x\nSee atrium chat --help/],
    [["status", "extra"], /Unexpected argument: extra/],
    [["doctor", "extra"], /Unexpected argument: extra/],
    [["up", "extra"], /Unexpected argument: extra/],
    [["up", "--json", "extra"], /Unexpected argument: extra/],
    [["sessions", "burn"], /Unknown subcommand: burn\. Use one of: list, show,/],
    [["sessions", "show"], /atrium sessions show KEY/],
    [["devices", "approve"], /atrium devices approve ID/],
    [["sessions", "--limit", "0"], /--limit takes a number from 1 to 1000/],
    [["sessions", "--limit"], /--limit needs a value: --limit N/],
    [["sessions", "--limit", "--json"], /--limit needs a value/],
    [["chat", "--session", "", "hi"], /--session needs a value: --session KEY/],
    [["status", "--json=yes"], /--json takes no value/],
    [["status", "--url", "not an address"], /not an address/],
    [["signals"], /Missing subcommand\. Use one of: tail, pipe, hook/],
    [["signals", "dance"], /Unknown subcommand: dance\. Use one of: tail, pipe, hook/],
    [["signals", "tail", "extra"], /Unexpected argument: extra/],
    [["build", "--follow", "x", "y"], /--follow takes no prompt/],
    [["build", "--answer", "x"], /--answer needs an answer/],
  ] as const) {
    const { code, stdout, stderr } = await call(...args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, named);
    assert.doesNotMatch(stderr, /^ {4}at |To specify a positional/m);
  }
});

test("[CLI-4] what stands behind -- is words", async () => {
  const { code, stderr } = await call("chat", "--", "--help");
  assert.deepEqual([code, stderr.startsWith("atrium: No server is running")], [1, true]);
});

test("[CLI-4] each command has a help of its own, also behind one more word", async () => {
  const page = (await call("--help")).stdout;
  for (const [args, says] of [
    [["help"], /^ {2}atrium chat \[MESSAGE…\] {2,}send a message[^]*Exit codes: 0 done/m],
    [["status", "--help"], /^ {2}--home FOLDER /m],
    [["help", "status"], /^ {2}--home FOLDER /m],
    [["sessions", "show", "--help"], /--limit N/],
    [["signals", "--help"], /atrium signals hook --help/],
    [["signals", "tail", "-h"], /--after POSITION[^]*Examples:\n {2}atrium signals tail/],
    [["help", "signals", "tail"], /--after POSITION/],
    [["signals", "hook", "--help"], /--source NAME[^]*PreToolUse/],
  ] as const) {
    const { code, stdout, stderr } = await call(...args);
    assert.deepEqual([code, stderr], [0, ""], args.join(" "));
    assert.match(stdout, says);
    assert.equal(stdout === page, args[0] === "help" && args.length === 1, args.join(" "));
  }
});

test("[CLI-4] a help has every call, every flag and an example, and the page of all has every call", async () => {
  const page = (await call("--help")).stdout;
  for (const command of COMMANDS.flatMap((each) => [each, ...(each.members ?? [])])) {
    const help = helpOf(command);
    assert.ok(command.examples.length > 0, command.name);
    for (const example of command.examples) assert.ok(help.includes(example), example);
    for (const [wording, what] of command.calls) {
      for (const said of [help, page]) assert.ok(said.includes(wording) && said.includes(what));
    }
    for (const name of Object.keys(command.options)) {
      assert.match(help, new RegExp(`^ {2}--${name}\\b`, "m"), `${command.name} --${name}`);
    }
  }
});
