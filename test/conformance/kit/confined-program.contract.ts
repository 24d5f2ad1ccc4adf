/**
 * What every real agent program must do in a workspace, in the real sandbox of this machine, with its login and settings
 * where people have them: in files of their home, which the sandbox does not show.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type { TurnEvent } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import {
  openSandbox,
  skipWithoutSandbox,
} from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { openAgentStage, USAGE, type AgentProgram } from "./agent-stage.ts";
import type { Needed } from "./peer.ts";
import { LOOKUP, type ProgramTraits } from "./program-traits.ts";

const OTHERS = { ".ssh/id_other": "a key of ssh", ".netrc": "a login of another program" };

export function describeConfinedProgram(
  needed: Needed,
  programOf: (path: string) => AgentProgram,
  { runs, lookup, resumes, saysLogin, hasOwnSandbox }: ProgramTraits,
): void {
  const skip =
    needed.skip ||
    (hasOwnSandbox === true && "it works in a sandbox of its own") ||
    skipWithoutSandbox();

  test(
    "[CONF-48] in the real sandbox it has its login and settings, changes a file, and killed it resumes",
    { skip },
    async () => {
      const heard: string[] = [];
      const calls = [
        () => runs(command.replaceAll("$HOUSE", stage.home)),
        ...(lookup === null ? [] : [() => ({ ...lookup, input: { q: "tide" } })]),
      ];
      const asked: unknown[] = [];
      const command = `echo high > tide.txt; cat "$HOUSE/.netrc" "$HOUSE"/.ssh/* > seen.txt; true`;
      await using stage = await openAgentStage(
        programOf(needed.path()),
        ({ said, before, returned }) => {
          heard.push(before + said);
          const next = said.includes("Note it.") ? calls[returned.length] : undefined;
          if (next !== undefined) return { type: "answer", toolCalls: [next()], usage: USAGE };
          return said.lastIndexOf("forever") > said.lastIndexOf("And now?")
            ? { type: "forever", chunk: "on ", everyMs: 20 }
            : { type: "answer", chunks: ["I am back."], usage: USAGE };
        },
        { confinement: openSandbox([]), isKeptInFiles: true },
      );
      for (const [name, text] of Object.entries(OTHERS)) {
        mkdirSync(join(stage.home, name, ".."), { recursive: true });
        writeFileSync(join(stage.home, name), text);
      }
      const before = contentsOf(stage.home);
      const { workspace } = stage;
      const host = () =>
        createTestHost({
          speed: 1,
          tools: lookup === null ? [] : [LOOKUP],
          callTool: async (_name, input) => (asked.push(input), { text: "noon", isError: false }),
          requestPermission: async () => "allowed",
        });
      const first = await eventsOf(stage.runtime, turnOf("Note it. heron", { workspace }), host());
      assert.deepEqual(first.at(-1), { type: "completed", stopReason: "stop" }, textOf(first));
      assert.equal(readFileSync(join(stage.folder, "tide.txt"), "utf8"), "high\n", textOf(first));
      assert.equal(readFileSync(join(stage.folder, "seen.txt"), "utf8"), "");
      assert.deepEqual(asked, lookup === null ? [] : [{ q: "tide" }], textOf(first));

      const killed: TurnEvent[] = [];
      const forever = turnOf("Count forever.", { workspace });
      for await (const event of stage.runtime.start(forever, host())) {
        const found = event.type === "text" ? stage.processes() : [];
        for (const pid of found) process.kill(pid, "SIGKILL");
        killed.push(event);
      }
      const last = killed.at(-1);
      assert.ok(last?.type === "failed" && last.kind === "unavailable", textOf(killed));

      const session = first.find((event) => event.type === "session")?.id;
      await stage.runtime.close?.();
      const history = [{ role: "user" as const, text: "Note it. heron" }];
      const more = { workspace, history, ...(session !== undefined && { session }) };
      const back = await eventsOf(await stage.another(), turnOf("And now?", more), host());
      assert.match(textIn(back), /I am back\.$/, textOf(back));
      assert.match(heard.at(-1) ?? "", /heron/);
      assert.equal((heard.at(-1) ?? "").includes("What was said before"), !resumes);
      assert.deepEqual(contentsOf(stage.home), before);
      assert.deepEqual(readdirSync(stage.folder).toSorted(), ["seen.txt", "tide.txt"]);
    },
  );

  test(
    "[CONF-49] in the real sandbox without its login it fails, and people read how it gets one",
    { skip: skip || (saysLogin !== true && "it does not say so before it asks its vendor") },
    async () => {
      await using stage = await openAgentStage(
        programOf(needed.path()),
        () => ({ type: "answer", chunks: ["Here."], usage: USAGE }),
        {
          confinement: openSandbox([]),
          isKeptInFiles: true,
          settings: { sandbox: { login: false, network: false } },
        },
      );
      const turn = turnOf("Hello?", { workspace: stage.workspace });
      const events = await eventsOf(stage.runtime, turn, createTestHost({ speed: 1 }));
      const last = events.at(-1);
      assert.ok(last?.type === "failed" && last.kind === "unavailable", textOf(events));
      assert.match(
        last.reason,
        /wants to be logged in first.*sandbox\.login of its runtime is false/s,
      );
    },
  );
}

function textOf(events: readonly TurnEvent[]): string {
  return JSON.stringify(events);
}

/** Every file by its path, with what is in it. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}
