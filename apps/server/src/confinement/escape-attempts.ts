/**
 * Tries to get out of the sandbox it runs in, and prints what it managed: one JSON object, by name what
 * was seen, "" when it was refused and null when it could not be tried. Told where to try in its first
 * argument. Started by self-test.ts, in a real sandbox.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

interface Targets {
  readonly folder: string;
  readonly store: string;
  readonly outside: string;
  readonly home: string | null;
  readonly port: number;
  readonly pid: number;
  /** Seen by the shell that started this. */
  readonly descriptors: string;
  /** Variables that may be seen. */
  readonly known: readonly string[];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by self-test.ts
const targets = JSON.parse(process.argv[2] ?? "{}") as Targets;
const { folder, store, outside, home, port, pid, descriptors, known } = targets;

const refused = "";

function attempt(act: () => string): string {
  try {
    return act();
  } catch {
    return refused;
  }
}

/** What could be written is gone again at once: where there is no sandbox, this is the machine itself. */
function write(...places: readonly string[]): string {
  const written = places.filter((place) => {
    const file = join(place, `.atrium-${randomUUID()}`);
    const seen = attempt(() => {
      writeFileSync(file, "", { flag: "wx" });
      return "written";
    });
    if (seen !== refused) rmSync(file);
    return seen !== refused;
  });
  return written.join(", ");
}

function change(file: string): string {
  return attempt(() => {
    closeSync(openSync(file, "r+"));
    return file;
  });
}

/** Only of folders that were made for this. */
function remount(): string {
  const done = [store, join(folder, ".git")].filter((path) => {
    const { error, status } = spawnSync("mount", ["-o", "remount,rw,bind", path]);
    if (error !== undefined) throw error;
    return status === 0;
  });
  return done.join(", ");
}

/** Opened and left as they are: writing to them would be felt by the whole machine. */
function kernelFiles(): readonly string[] {
  return ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"].map(change).filter(Boolean);
}

function environments(): string {
  const pids = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && name !== `${process.pid}`,
  );
  const names = pids.flatMap((each) =>
    attempt(() => readFileSync(`/proc/${each}/environ`, "utf8"))
      .split("\0")
      .map((line) => line.split("=", 1)[0] ?? ""),
  );
  return [...new Set(names)].filter((name) => name !== "" && !known.includes(name)).join(", ");
}

function newNamespace(): string {
  const { error, status } = spawnSync("unshare", ["--user", "true"]);
  if (error !== undefined) throw error;
  return status === 0 ? "a user namespace was made" : refused;
}

function reach(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (seen: string): void => {
      socket.destroy();
      resolve(seen);
    };
    socket.once("connect", () => settle(`connected to port ${port}`));
    socket.once("error", () => settle(refused));
  });
}

/** Null: the program for it is not installed. */
function withProgram(act: () => string): string | null {
  try {
    return act();
  } catch {
    return null;
  }
}

process.stdout.write(
  JSON.stringify({
    "remounting for writing": withProgram(remount),
    "the environment of the server": environments(),
    "/etc/shadow": attempt(() => (readFileSync("/etc/shadow") ? "it was read" : refused)),
    "the server's home": home === null ? null : attempt(() => readdirSync(home).join(", ")),
    "settings of the kernel": kernelFiles().join(", "),
    "another folder": attempt(() => readdirSync(outside).join(", ")),
    "writing outside": write("/", "/usr", "/dev", outside, store),
    "writing .git": change(join(folder, ".git")),
    "the server's processes": attempt(() =>
      process.kill(pid, 0) ? `process ${pid} was seen` : refused,
    ),
    "a port of this machine": await reach(),
    "user namespaces": withProgram(newNamespace),
    "open files of the server": descriptors,
  }),
);
