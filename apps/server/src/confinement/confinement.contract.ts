/**
 * What every way to run commands must do. Each way's test file calls this once.
 */
import assert from "node:assert/strict";
import { readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { MAX_KEPT_BYTES, MAX_SHOWN_CHARS } from "../platform/long-text.ts";
import type { Confinement } from "./confinement.ts";
import { markedProcesses } from "./process-tree.ts";
import {
  openFolders,
  shellIn,
  type ConfinementFolders,
  type Shell,
} from "./testing/confinement-stage.ts";

export interface ConfinementStage {
  /** Why it cannot be tried here. */
  readonly skip: string | false;
  readonly open: (folders: ConfinementFolders) => Confinement;
}

export function describeConfinement(name: string, { skip, open }: ConfinementStage): void {
  async function withShell(
    act: (shell: Shell, folders: ConfinementFolders) => Promise<void>,
  ): Promise<void> {
    await using folders = await openFolders();
    await act(shellIn(open(folders), folders), folders);
  }

  describe(`confinement contract: ${name}`, { skip }, () => {
    test("[CONFINE-1] a command works in its folder and ends with its own exit code", async () => {
      await withShell(async (shell, { folder }) => {
        const result = await shell("pwd; echo made > file; cat; exit 7");
        assert.deepEqual(result.end, { how: "exited", code: 7 });
        assert.equal(result.output.text, `${folder}\n`);
        assert.equal(await readFile(join(folder, "file"), "utf8"), "made\n");
      });
    });

    test("[CONFINE-1] output is told as it comes, of both streams", async () => {
      await withShell(async (shell) => {
        const told: string[] = [];
        const gate = Promise.withResolvers<void>();
        const running = shell(
          "echo first; echo second >&2; while [ ! -e go ]; do sleep 0.02; done; echo third",
          {
            onOutput(text, stream) {
              told.push(`${stream}: ${text}`);
              if (told.length === 2) gate.resolve();
            },
          },
        );
        await gate.promise;
        assert.deepEqual(told.toSorted(), ["stderr: second\n", "stdout: first\n"]);
        const opened = await shell("touch go");
        assert.equal(opened.end.how, "exited");
        const { output } = await running;
        assert.match(output.text, /third\n$/);
      });
    });

    const DETACHED = {
      setsid: "setsid sleep 1000 > /dev/null 2>&1 &",
      nohup: "nohup sleep 1000 > /dev/null 2>&1 &",
      "a double fork": "(setsid sh -c 'sleep 1000 & sleep 1000 &' > /dev/null 2>&1 &) ; true",
      "one that holds the output": "(setsid sleep 1000 &)",
      "one that ignores signals": "(trap '' TERM HUP INT; setsid sh -c 'sleep 1000; sleep 1000' &)",
    };
    for (const [how, script] of Object.entries(DETACHED)) {
      test(`[CONFINE-2] nothing outlives its call: ${how}`, async () => {
        await withShell(async (shell, { folder }) => {
          const env = { OUTLIVES: folder };
          const { end } = await shell(`${script}\necho over`, { env });
          assert.deepEqual(end, { how: "exited", code: 0 });
          assert.deepEqual(markedProcesses(`OUTLIVES=${folder}`), []);
        });
      });
    }

    test("[CONFINE-3] a command that never ends is stopped with everything it started", async () => {
      await withShell(async (shell, { folder }) => {
        const env = { OUTLIVES: folder };
        const script = "setsid sleep 1000 & echo started; while :; do sleep 1; done";
        const { end, output } = await shell(script, { env, limits: { timeoutMs: 500 } });
        assert.deepEqual(end, { how: "stopped", why: "time" });
        // How far it came in that time is the machine's business.
        assert.ok("started\n".startsWith(output.text), output.text);
        assert.deepEqual(markedProcesses(`OUTLIVES=${folder}`), []);
      });
    });

    test("[CONFINE-3] one whose caller gives up is stopped, before and while it runs", async () => {
      await withShell(async (shell, { folder }) => {
        const caller = new AbortController();
        const env = { OUTLIVES: folder };
        const running = shell("echo on; sleep 1000", {
          env,
          signal: caller.signal,
          onOutput: () => caller.abort(),
        });
        assert.deepEqual((await running).end, { how: "stopped", why: "aborted" });
        assert.deepEqual(markedProcesses(`OUTLIVES=${folder}`), []);
        const late = await shell("touch late", { signal: caller.signal });
        assert.deepEqual(late.end, { how: "stopped", why: "aborted" });
        await assert.rejects(readFile(join(folder, "late")), { code: "ENOENT" });
      });
    });

    test("[CONFINE-3] a fork bomb is stopped", async () => {
      await withShell(async (shell, { folder }) => {
        const env = { OUTLIVES: folder };
        // It multiplies to 126 and gives up after a while, so that a machine survives this test anyway.
        const bomb = `bomb() { if [ "$1" -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; sleep 10; }; bomb 5`;
        const { end } = await shell(bomb, { env, limits: { processes: 40 } });
        assert.deepEqual(end, { how: "stopped", why: "processes" });
        assert.deepEqual(markedProcesses(`OUTLIVES=${folder}`), []);
      });
    });

    test("[CONFINE-3] a tree that takes too much memory is stopped", async () => {
      await withShell(async (shell) => {
        const memoryBytes = 64 * 1024 * 1024;
        // Each of them is small enough; together they are not.
        const hogs =
          "for each in 1 2 3 4; do dd if=/dev/zero bs=30M count=1 | sleep 1000 & done; wait";
        const { end } = await shell(hogs, { limits: { memoryBytes } });
        assert.deepEqual(end, { how: "stopped", why: "memory" });
      });
    });

    test("[CONFINE-4] megabytes of output are cut to head and tail, and kept whole", async () => {
      await withShell(async (shell) => {
        const { end, output } = await shell("seq 1 200000");
        assert.deepEqual(end, { how: "exited", code: 0 });
        const all = Array.from({ length: 200_000 }, (_, n) => `${n + 1}\n`).join("");
        assert.equal(Buffer.from(output.whole).toString(), all);
        const { head, gap, tail } =
          /^(?<head>.*\n)\n… (?<gap>\d+) lines left out.*…\n(?<tail>.*)$/s.exec(output.text)
            ?.groups ?? {};
        assert.ok(head !== undefined && tail !== undefined && head.startsWith("1\n2\n"));
        assert.ok(tail.endsWith("\n199999\n200000\n"));
        assert.ok(head.length + tail.length <= MAX_SHOWN_CHARS);
        const shown = `${head}${tail}`.split("\n").length - 1;
        assert.equal(Number(gap) + shown, 200_000);
        assert.equal(output.linesLeftOut, Number(gap));
      });
    });

    test("[CONFINE-4] beyond 10 MB the rest is counted, and the tail still shown", async () => {
      await withShell(async (shell) => {
        const { output } = await shell("head -c 12000000 /dev/zero | tr '\\0' 'a'; echo; echo end");
        assert.equal(output.whole.length, MAX_KEPT_BYTES);
        assert.equal(output.bytes, 12_000_005);
        assert.match(output.text, /a\nend\n$/);
        assert.ok(output.text.length < MAX_SHOWN_CHARS + 100);
      });
    });

    test("[CONFINE-4] a command that writes without end is read at a pace the server can bear", async () => {
      await withShell(async (shell) => {
        const { end, output } = await shell("exec yes", { limits: { timeoutMs: 2_000 } });
        assert.deepEqual(end, { how: "stopped", why: "time" });
        assert.ok(output.bytes > MAX_KEPT_BYTES);
        assert.ok(output.bytes < MAX_KEPT_BYTES + 60 * 1024 * 1024, `${output.bytes} bytes`);
      });
    });

    test("[CONFINE-4] of binary output the size is shown", async () => {
      await withShell(async (shell) => {
        const { output } = await shell("printf 'a\\000b'");
        assert.equal(output.text, "[3 bytes of binary output, not shown]");
        assert.deepEqual(Buffer.from(output.whole), Buffer.from("a\0b"));
      });
    });

    test("[CONFINE-4] names with line breaks come through as they are", async () => {
      await withShell(async (shell) => {
        const { output } = await shell(
          `name="$(printf 'a\\nb')"; touch "$name"; printf '%s' "$name"`,
        );
        assert.equal(output.text, "a\nb");
      });
    });

    test("[CONFINE-5] of the server's environment and open files a command gets nothing", async () => {
      await withShell(async (shell) => {
        process.env["SERVER_SECRET"] = "do not tell";
        try {
          // Without a pipe, which the shell would have open for a moment.
          const { output } = await shell("env; ls -l /proc/$$/fd");
          assert.doesNotMatch(output.text, /do not tell/);
          const files = Array.from(output.text.matchAll(/ -> (.*)$/gm), ([, file = ""]) => file);
          const odd = files.filter((file) => !/^(?:\/dev\/null|\/proc\/|socket:)/.test(file));
          assert.deepEqual(odd, []);
          assert.equal(files.filter((file) => file.startsWith("socket:")).length, 2);
        } finally {
          delete process.env["SERVER_SECRET"];
        }
      });
    });

    test("[CONFINE-6] a folder that is missing, a link, or around the home is refused", async () => {
      await withShell(async (shell, { root, folder, other }) => {
        await symlink(folder, join(root, "link"));
        const places = [
          [join(root, "nowhere"), /does not exist/],
          [join(root, "link"), /does not exist|is a link/],
          [root, /which agents must not reach/],
        ] as const;
        for (const [place, says] of places) {
          const { end } = await shell("echo never", { place: { folder: place } });
          assert.equal(end.how, "refused");
          assert.match(end.how === "refused" ? end.reason : "", says);
        }
        await rename(join(folder, ".git"), join(folder, "was-git"));
        await symlink(other, join(folder, ".git"));
        const { end } = await shell("echo never");
        assert.match(end.how === "refused" ? end.reason : "", /neither a file nor a folder/);
      });
    });

    test("[CONFINE-6] a zero byte, which would end one thing and begin another, is refused", async () => {
      await withShell(async (shell, { folder, other }) => {
        const env = { NAME: `x\0--bind\0${other}\0${other}` };
        const readable = [{ from: folder, to: `/x\0--bind\0/\0/` }];
        for (const more of [{ env }, { place: { readable } }, { argv: ["/bin/sh", "a\0b"] }]) {
          const { end } = await shell("echo never", more);
          assert.deepEqual(end, { how: "refused", reason: "A command must not have a zero byte." });
        }
      });
    });

    test("[CONFINE-6] what is shown in the folder is not put through a link in it", async () => {
      await withShell(async (shell, { folder, store, other }) => {
        await symlink(other, join(folder, "packages"));
        const readable = [{ from: store, to: join(folder, "packages/deps") }];
        const { end } = await shell("echo never", { place: { readable } });
        assert.match(end.how === "refused" ? end.reason : "", /is not a folder/);
        await writeFile(join(folder, "ok"), "");
      });
    });
  });
}
