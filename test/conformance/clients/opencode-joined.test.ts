/** The real opencode, started by hand in a terminal, with the plugin that `atrium join` installs. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decision, joinedAgent, nextJoined, nobodyJoined } from "../../kit/joined-office.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { openChatModel } from "../kit/agent-stage.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import {
  answerInOffice,
  openJoinedStage,
  submit,
  type HandStartedProgram,
} from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";
import { WRITTEN_BY_OPENCODE } from "../kit/written-by-programs.ts";

const needed = findAgentProgram("opencode-1.18.33");
const { skip } = needed;
const CONFIG = ".config/opencode";

/** The program itself: its installer, which we do not run, would put it in the place of a stub. */
function opencode(folder: string): HandStartedProgram {
  const program = `../opencode-${process.platform}-${process.arch}/bin/opencode`;
  return {
    command: "opencode",
    call: [join(folder, program)],
    runs: (command) => ({ name: "bash", input: { command, description: "as told" } }),
    async openModel(answer, home) {
      const model = await openChatModel(answer);
      installPackage(join(home, CONFIG));
      const options = { baseURL: model.baseUrl, apiKey: "sk-not-a-key" };
      const settings = {
        // It adds this by itself.
        $schema: "https://opencode.ai/config.json",
        model: "fake/test-model",
        small_model: "fake/test-model",
        autoupdate: false,
        share: "disabled",
        permission: { bash: "ask", edit: "ask" },
        provider: {
          fake: {
            npm: "@ai-sdk/openai-compatible",
            options,
            models: { "test-model": { name: "test-model", tool_call: true } },
          },
        },
      };
      writeFileSync(
        join(home, CONFIG, "opencode.json"),
        `{\n  ${JSON.stringify(settings).slice(1)}`,
      );
      return {
        env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
        heard: () => JSON.stringify(model.requests.map(({ body }) => body)),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}

/** As opencode leaves it behind when it has been started with network once. */
function installPackage(config: string): void {
  const found = join(config, "node_modules/@opencode-ai/plugin");
  mkdirSync(found, { recursive: true });
  const dependencies = { "@opencode-ai/plugin": "1.18.33" };
  const lock = { name: "opencode", lockfileVersion: 3, packages: { "": { dependencies } } };
  writeFileSync(join(config, "package.json"), JSON.stringify({ dependencies }));
  writeFileSync(join(config, "package-lock.json"), JSON.stringify(lock));
  writeFileSync(
    join(found, "package.json"),
    JSON.stringify({ name: "@opencode-ai/plugin", version: "1.18.33" }),
  );
}

test(
  "[JOIN-37] [JOIN-70] opencode started by hand is in the office, is answered there and in its terminal, and a message wakes it",
  { skip },
  async () => {
    await using stage = await openJoinedStage(opencode(needed.path()));
    const { project } = stage;
    const files = rememberFiles(join(stage.userHome, CONFIG), WRITTEN_BY_OPENCODE);
    const joined = await stage.cli("join", "opencode");
    assert.equal(joined.code, 0, joined.stderr);
    let server = await startServer(stage.home);
    try {
      await using terminal = stage.start();
      await terminal.shows(/Ask anything/);
      const peer = await enterWorld(server);
      // It begins its session with the first prompt.
      await submit(terminal, "Run: touch by-office.txt");
      const came = await joinedAgent(peer, () => true);
      assert.equal(came.name, "opencode · project");
      assert.equal(came.joined.owner, "ann");
      await answerInOffice(peer, "touch by-office.txt", "Allow");
      assert.ok(existsSync(join(project, "by-office.txt")));
      // Answered in the terminal, whose dialog is open all the time.
      await submit(terminal, "Run: touch by-terminal.txt");
      await decision(peer, ({ prompt }) => prompt.includes("by-terminal.txt"));
      await terminal.shows(/Allow once/);
      const rested = nextJoined(peer, ({ status }) => status === "idle");
      terminal.type("\r");
      await decision(
        peer,
        ({ status, prompt }) => status === "expired" && prompt.includes("by-terminal.txt"),
      );
      await rested;
      assert.ok(existsSync(join(project, "by-terminal.txt")));
      // Asked before Atrium was killed, answered after it is back.
      await submit(terminal, "Run: touch by-next.txt");
      await decision(peer, ({ prompt }) => prompt.includes("by-next.txt"));
      await server.end("SIGKILL");
      server = await startServer(stage.home);
      const later = await enterWorld(server);
      await answerInOffice(later, "touch by-next.txt", "Allow");
      assert.ok(existsSync(join(project, "by-next.txt")));
      // It is idle, and takes a message at once.
      await later.ask("leave_message", { agent_id: came.agent_id, text: "Mind the tides." });
      await joinedAgent(
        later,
        ({ joined: info, status }) => info.messages?.[0]?.moment === "at-once" && status === "idle",
      );
      assert.match(stage.model.heard(), /left a message in Atrium: Mind the tides/);
      terminal.type("\u0003");
      await nobodyJoined(later);
    } finally {
      await server.end();
    }
    const left = await stage.cli("leave");
    assert.equal(left.code, 0, left.stderr);
    files.assertUnchanged();
  },
);

/** Asks what it is told to, each time with the same choices. */
function asking(question: string): { readonly name: string; readonly input: object } {
  const options = ["Wide", "Narrow"].map((label) => ({ label, description: "as told" }));
  return { name: "question", input: { questions: [{ question, header: "Net", options }] } };
}

test(
  "[JOIN-61] a question of opencode started by hand is answered in the office and in its terminal",
  { skip },
  async () => {
    await using stage = await openJoinedStage({ ...opencode(needed.path()), runs: asking });
    const joined = await stage.cli("join", "opencode");
    assert.equal(joined.code, 0, joined.stderr);
    const server = await startServer(stage.home);
    try {
      await using terminal = stage.start();
      await terminal.shows(/Ask anything/);
      const peer = await enterWorld(server);
      await submit(terminal, "Run: which net by office?");
      const isOf =
        (place: string, state = "open") =>
        ({ prompt, status }: { prompt: string; status: string }): boolean =>
          status === state && prompt.includes(`by ${place}?`);
      const { decision_id } = await decision(peer, isOf("office"));
      await joinedAgent(peer, ({ status, joined: { can_ask } }) => status === "asks" && can_ask);
      await terminal.shows(/as told/);
      const rested = nextJoined(peer, ({ status }) => status === "idle");
      await peer.ask("resolve_decision", { decision_id, choice: "Narrow" });
      await rested;
      assert.match(stage.model.heard(), /by office\?\\*"=\\*"Narrow/);
      await submit(terminal, "Run: which net by terminal?");
      await decision(peer, isOf("terminal"));
      await terminal.shows(/by terminal\?[^]*Wide/);
      const restedThere = nextJoined(peer, ({ status }) => status === "idle");
      terminal.type("\r");
      await decision(peer, isOf("terminal", "expired"));
      await restedThere;
      assert.match(stage.model.heard(), /by terminal\?\\*"=\\*"Wide/);
      terminal.type("\u0003");
      await nobodyJoined(peer);
    } finally {
      await server.end();
    }
  },
);
