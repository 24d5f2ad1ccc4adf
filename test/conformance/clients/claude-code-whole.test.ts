/** The whole way with the real Claude Code, offline: what people see, and what they see when something is killed. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openSqliteLog } from "@atrium/log";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import type { Asked } from "../kit/claude-stage.ts";
import { USAGE } from "../kit/claude-stage.ts";
import {
  askedForPermission,
  ended,
  openWholeStage,
  say,
  transcript,
  type WholeStage,
} from "../kit/claude-whole.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();
const { skip } = claude;

for (const transport of ["headless", "interactive"] as const) {
  const open = (answer: (asked: Asked) => Behavior): Promise<WholeStage> =>
    openWholeStage({ command: claude.path(), transport, answer });

  test(
    `[CONF-13] ${transport}: asked by one client, Claude replies, delivers, is allowed to by another, and ends`,
    { skip },
    async () => {
      await using stage = await open(({ said, returned }) => {
        if (said.includes("Second")) {
          return [bash("echo two >> ran.txt"), speak("Twice.")][returned.length] ?? speak("?");
        }
        const steps = [
          call("mcp__atrium__reply", { text: "I am on it." }),
          call("mcp__atrium__deliver_artifact", { name: "plan.md", content: "# Plan" }),
          bash("echo one >> ran.txt"),
          speak("All done."),
        ];
        return steps[returned.length] ?? speak("?");
      });
      const server = await stage.start();
      await using ann = await server.connect({ client: { displayName: "Ann" } });
      await using bob = await server.connect({ client: { displayName: "Bob" } });
      await say(ann, "r1", "First task");
      const { code } = await askedForPermission(bob, "echo one");
      await say(bob, "answer", `yes ${code}`);
      assert.equal((await ended(ann, "r1")).status, "ok");
      await say(ann, "r2", "Second task");
      const { id } = await askedForPermission(bob, "echo two");
      await bob.ask("approval.resolve", { id, kind: "exec", decision: "allow-once" });
      assert.equal((await ended(ann, "r2")).status, "ok");
      assert.equal(readFileSync(join(stage.folder, "ran.txt"), "utf8"), "one\ntwo\n");
      const lines = await transcript(ann);
      assert.deepEqual(
        lines.filter((line) => !line.startsWith("toolResult")),
        [
          "user: First task",
          "assistant: reply",
          "assistant: I am on it.",
          "assistant: deliver_artifact",
          "assistant: plan.md",
          "assistant: Bash",
          "assistant: All done.",
          "user: Second task",
          "assistant: Bash",
          "assistant: Twice.",
        ],
      );
      await server.end();
      assert.deepEqual(await stage.processes(), []);
    },
  );

  test(
    `[CONF-14] [CLAUDE-13] ${transport}: a plugin that is killed is there again, and the turn goes on, nothing twice`,
    { skip },
    async () => {
      await using stage = await open(({ said, returned }) => {
        const [first, ...others] = [
          bash("echo ran >> ran.txt; sleep 3"),
          call("mcp__atrium__reply", { text: "Here I am." }),
          speak("Done."),
        ] as const;
        // An interactive one is about to be started again, and told so.
        const isBack = said.includes("tools was lost, and you were restarted");
        if (isBack) return others[returned.length] ?? speak("?");
        if (transport === "interactive" && returned.length > 0) return { type: "silence" };
        return [first, ...others][returned.length] ?? speak("?");
      });
      const server = await stage.start();
      await using peer = await server.connect();
      await say(peer, "r1", "Go");
      const { code } = await askedForPermission(peer, "echo ran");
      await say(peer, "answer", `yes ${code}`);
      await stage.written("ran.txt");
      await stage.kill("plugin");
      assert.equal((await ended(peer, "r1")).status, "ok");
      assert.equal(readFileSync(join(stage.folder, "ran.txt"), "utf8"), "ran\n");
      const lines = await transcript(peer);
      assert.equal(
        lines.filter((line) => line === "assistant: Here I am.").length,
        1,
        lines.join("\n"),
      );
      assert.equal(lines.at(-1), "assistant: Done.");
      const left = await stage.processes();
      assert.equal(left.filter(({ part }) => part === "plugin").length, 1);
      assert.equal(left.filter(({ part }) => part === "claude").length, 1);
    },
  );

  test(
    `[CONF-14] [CLAUDE-13] ${transport}: a call that was under way when the plugin was killed is not made again`,
    { skip },
    async () => {
      await using stage = await open(({ said, returned }) => {
        const [first, ...others] = [
          call("mcp__atrium__ask", { question: "Which color?", options: ["Red", "Blue"] }),
          call("mcp__atrium__reply", { text: "Here I am." }),
          speak("Done."),
        ] as const;
        const isBack = said.includes("tools was lost, and you were restarted");
        if (isBack) return others[returned.length] ?? speak("?");
        if (transport === "interactive" && returned.length > 0) return { type: "silence" };
        return [first, ...others][returned.length] ?? speak("?");
      });
      const server = await stage.start();
      await using peer = await server.connect();
      await say(peer, "r1", "Go");
      await peer.first(({ event }) => event === "question.requested");
      await stage.kill("plugin");
      assert.equal((await ended(peer, "r1")).status, "ok");
      const lines = await transcript(peer);
      const [, , closed, , , said] = lines;
      assert.deepEqual(lines, [
        "user: Go",
        "assistant: ask",
        closed,
        "assistant: reply",
        "assistant: Here I am.",
        said,
        "assistant: Done.",
      ]);
      assert.match(closed ?? "", /^toolResult: .*(?:closed|lost)/);
      assert.match(said ?? "", /^toolResult: .*"said":true/);
      const events = peer.frames.map(({ event }) => event);
      assert.equal(events.filter((event) => event === "question.requested").length, 1);
      // Nobody is left with a question that no one waits for, and not only because the turn is over.
      assert.ok(events.indexOf("question.resolved") < events.lastIndexOf("chat"), events.join(" "));
    },
  );

  test(
    `[CONF-14] [CLAUDE-13] ${transport}: a plugin that is killed between two turns is there again in the next`,
    { skip },
    async () => {
      await using stage = await open(({ said, returned }) => {
        if (returned.at(-1)?.includes("said") === true || returned.length > 3) {
          return speak("Done.");
        }
        // A call that meets the dead one fails. It is made once more, or the process is about to be ended.
        if (transport === "interactive" && returned.length > 0) return { type: "silence" };
        const number = ["First", "Second"].findIndex((word) => said.includes(word));
        return call("mcp__atrium__reply", { text: ["One.", "Two."][number] ?? "Three." });
      });
      const server = await stage.start();
      await using peer = await server.connect();
      await say(peer, "r1", "First");
      assert.equal((await ended(peer, "r1")).status, "ok");
      await stage.kill("plugin");
      // Without its tools it is of no use, and goes.
      if (transport === "interactive") await stage.empty();
      await say(peer, "r2", "Second");
      assert.equal((await ended(peer, "r2")).status, "ok");
      // And at once.
      await stage.kill("plugin");
      await say(peer, "r3", "Third");
      assert.equal((await ended(peer, "r3")).status, "ok");
      const lines = await transcript(peer);
      for (const said of ["One.", "Two.", "Three."]) {
        assert.equal(
          lines.filter((line) => line === `assistant: ${said}`).length,
          1,
          lines.join("\n"),
        );
      }
    },
  );

  test(
    `[CONF-16] ${transport}: a permission of a turn that was stopped can no longer be given, and nothing is run`,
    { skip },
    async () => {
      await using stage = await open(({ said, returned }) => {
        if (said.includes("Next")) return speak("Here.");
        return [bash("echo ran >> ran.txt")][returned.length] ?? speak("?");
      });
      const server = await stage.start();
      await using peer = await server.connect();
      await say(peer, "r1", "Go");
      const { id, code } = await askedForPermission(peer, "echo ran");
      await peer.ask("chat.abort", { sessionKey: "main", runId: "r1" });
      await ended(peer, "r1");
      await peer.first(({ event }) => event === "exec.approval.resolved");
      const late = { id, kind: "exec", decision: "allow-once" };
      assert.equal((await peer.ask("approval.resolve", late)).applied, false);
      const typed = await peer.request("chat.send", {
        sessionKey: "main",
        message: `yes ${code}`,
        idempotencyKey: "late",
      });
      assert.equal(typed.error?.message, "approval already resolved: expired (run-ended)");
      await say(peer, "r2", "Next");
      assert.equal((await ended(peer, "r2")).status, "ok");
      assert.ok(!existsSync(join(stage.folder, "ran.txt")));
      assert.deepEqual(await transcript(peer), [
        "user: Go",
        "assistant: Bash",
        "toolResult: The turn was stopped before Bash answered.",
        "user: Next",
        "assistant: Here.",
      ]);
    },
  );

  test(
    `[CONF-17] ${transport}: a question to people is waited for, however soon Claude Code would go on without`,
    { skip },
    async () => {
      const soon = {
        CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "1000",
        CLAUDE_AUTO_BACKGROUND_TASKS: "1",
      };
      const steps = [
        call("mcp__atrium__ask", { question: "Which color?", options: ["Red", "Blue"] }),
        speak("So it is."),
      ];
      await using stage = await openWholeStage({
        command: claude.path(),
        transport,
        env: soon,
        answer: ({ returned }) => steps[returned.length] ?? speak("?"),
      });
      const server = await stage.start();
      await using peer = await server.connect();
      await say(peer, "r1", "Go");
      const { payload } = await peer.first(({ event }) => event === "question.requested");
      await setTimeout(4_000);
      await peer.ask("question.answer", { id: payload.id, text: "Blue" });
      assert.equal((await ended(peer, "r1")).status, "ok");
      const lines = await transcript(peer);
      assert.match(lines[2] ?? "", /^toolResult: .*Blue/, lines.join("\n"));
      assert.equal(lines.at(-1), "assistant: So it is.");
    },
  );

  test(
    `[CONF-15] ${transport}: a session that was not written down before Claude Code died is begun anew, with what was said`,
    { skip },
    async () => {
      await using stage = await open(({ said, returned }) => {
        if (said.includes("Which word")) return speak("It is heron.");
        if (returned.length === 0) return bash("echo ran >> ran.txt; sleep 300");
        return speak("Never said.");
      });
      const server = await stage.start();
      await using peer = await server.connect();
      await say(peer, "r1", "The word is heron.");
      const { id } = await askedForPermission(peer, "echo ran");
      await peer.ask("approval.resolve", { id, kind: "exec", decision: "allow-once" });
      await stage.written("ran.txt");
      await stage.kill("claude");
      assert.equal((await ended(peer, "r1")).status, "error");
      stage.forget();
      await say(peer, "r2", "Which word?");
      const next = await ended(peer, "r2");
      assert.equal(next.status, "ok", JSON.stringify(next));
      const asked = JSON.stringify(stage.model.requests.at(-1)?.body.messages);
      assert.match(asked, /The word is heron/);
      assert.equal(readFileSync(join(stage.folder, "ran.txt"), "utf8"), "ran\n");
    },
  );

  for (const part of ["server", "claude"] as const) {
    test(
      `[CONF-15] [CLAUDE-4] ${transport}: when the ${part} is killed in the middle, the turn ends once and the next goes on`,
      { skip },
      async () => {
        await using stage = await open(({ said, returned }) => {
          if (said.includes("Which word")) return speak("It is heron.");
          if (returned.length === 0) return bash("echo ran >> ran.txt; sleep 300");
          return speak("Never said.");
        });
        let server = await stage.start();
        let peer = await server.connect();
        await say(peer, "r1", "The word is heron.");
        const { id } = await askedForPermission(peer, "echo ran");
        await peer.ask("approval.resolve", { id, kind: "exec", decision: "allow-once" });
        await stage.written("ran.txt");
        await stage.remembered("echo ran");
        if (part === "claude") await stage.kill("claude");
        else {
          await server.end("SIGKILL");
          // Nobody is there to end them: they notice by themselves.
          await stage.empty();
          server = await stage.start();
          peer = await server.connect();
        }
        assert.equal((await ended(peer, "r1")).status, "error");
        const left = await stage.processes();
        assert.deepEqual(
          left.filter(({ line }) => line.startsWith("sleep 300")),
          [],
        );
        await say(peer, "r2", "Which word?");
        const next = await ended(peer, "r2");
        assert.equal(next.status, "ok", JSON.stringify(next));
        const asked = JSON.stringify(stage.model.requests.at(-1)?.body.messages);
        assert.match(asked, /The word is heron/);
        assert.match(asked, /echo ran/);
        assert.equal(readFileSync(join(stage.folder, "ran.txt"), "utf8"), "ran\n");
        const lines = await transcript(peer);
        assert.match(lines.splice(2, 1).join("\n"), /^toolResult: The turn ended before/);
        assert.deepEqual(lines, [
          "user: The word is heron.",
          "assistant: Bash",
          // Why the turn failed, and not a word with it.
          "assistant: ",
          "user: Which word?",
          "assistant: It is heron.",
        ]);
        await server.end();
        assert.deepEqual(await stage.processes(), []);
        assert.deepEqual(await endings(stage), ["run.failed r1", "run.completed r2"]);
      },
    );
  }
}

/** How every turn ended, as the log has it. */
async function endings({ home }: WholeStage): Promise<string[]> {
  await using log = await openSqliteLog({ file: join(home, "atrium.db") });
  const entries = await Array.fromAsync(log.read());
  return entries
    .filter(({ type }) => /^run\.(?:completed|failed|aborted)$/.test(type))
    .map(({ type, data }) => `${type} ${(data as { runId: string }).runId}`);
}

function speak(text: string): Behavior {
  return { type: "answer", chunks: [text], usage: USAGE };
}

function call(name: string, input: object): Behavior {
  return { type: "answer", toolCalls: [{ name, input }], usage: USAGE };
}

function bash(command: string): Behavior {
  return call("Bash", { command, description: "Does it" });
}
