/** Someone who has used the real Claude Code before, in this folder too, offline and with a home of Atrium beside it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelServer } from "../../kit/model-server/model-server.ts";
import { askedIn, environment, USAGE, type Asked } from "./claude-stage.ts";
import { findClaudeCode } from "./peer.ts";

export interface ClaudeJoinedStage extends AsyncDisposable {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ModelServer;
}

/** Does what it is told in a line that begins with "Run: ", until it was left a message. */
function runCommands({ said, returned, body }: Asked): Behavior {
  const [, command] = /^Run: (.*)$/m.exec(said) ?? [];
  const isTold = JSON.stringify(body).includes("left a message in Atrium");
  if (command === undefined || returned.length > 0 || isTold) {
    return { type: "answer", chunks: ["Done."], usage: USAGE };
  }
  const call = { name: "Bash", input: { command, description: "as told" } };
  return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE };
}

export async function openClaudeJoinedStage(
  answer: (asked: Asked) => Behavior = runCommands,
): Promise<ClaudeJoinedStage> {
  const folder = mkdtempSync(join(tmpdir(), "atrium-joined-"));
  const model = await openModelServer(({ body }) => answer(askedIn(body)));
  const [project, bin, home] = ["project", "bin", "home"].map((name) => join(folder, name));
  for (const each of [project, bin]) mkdirSync(each!);
  symlinkSync(findClaudeCode().path(), join(bin!, "claude"));
  const known = environment(folder, model.baseUrl);
  const env = { ...known, PATH: `${bin}${delimiter}${known["PATH"]}`, USER: "ann" };
  const config = known["CLAUDE_CONFIG_DIR"]!;
  mkdirSync(config);
  const trusted = { [project!]: { hasTrustDialogAccepted: true } };
  const used = { hasCompletedOnboarding: true, theme: "dark", projects: trusted };
  writeFileSync(join(config, ".claude.json"), JSON.stringify(used));
  return {
    folder,
    project: project!,
    home: home!,
    env,
    model,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
