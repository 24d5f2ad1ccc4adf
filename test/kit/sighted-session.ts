/**
 * A session of Claude Code as its own files show it, in a home of its own: the list of what runs, with a real process,
 * and the transcript, line by line.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SightedHome extends AsyncDisposable {
  /** What a server is given to read its files. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder that a session works in. */
  readonly project: string;
  open(sessionId?: string, folder?: string): Promise<SightedSession>;
}

export interface SightedSession {
  readonly pid: number;
  /** What its list says that it does. */
  says(status: "idle" | "busy" | "waiting", at?: number): void;
  /** A line of its transcript. */
  writes(line: object): void;
  prompted(text: string): void;
  uses(name: string, input: object): void;
  kill(): Promise<void>;
}

const SESSION_ID = "26f07f03-0193-4ab1-8989-3a62caec5a6b";

export function openSightedHome(): SightedHome {
  const home = mkdtempSync(join(tmpdir(), "atrium-sighted-"));
  const project = join(home, "shop");
  const root = join(home, ".claude");
  for (const path of [project, join(root, "sessions")]) mkdirSync(path, { recursive: true });
  const open: SightedSession[] = [];
  return {
    env: { HOME: home, USER: "ann" },
    project,
    async open(sessionId = SESSION_ID, folder = project) {
      const session = await openSession(root, sessionId, folder);
      open.push(session);
      return session;
    },
    async [Symbol.asyncDispose]() {
      for (const session of open) await session.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function openSession(root: string, sessionId: string, cwd: string): Promise<SightedSession> {
  const child = spawn("sleep", ["600"], { argv0: "claude", stdio: "ignore" });
  await once(child, "spawn");
  const { pid } = child;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const common = { sessionId, cwd, version: "2.1.325", gitBranch: "tides" };
  const chats = join(root, "projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(chats, { recursive: true });
  const writes = (line: object): void => {
    const transcript = join(chats, `${sessionId}.jsonl`);
    appendFileSync(transcript, `${JSON.stringify({ ...common, ...line })}\n`);
  };
  const says: SightedSession["says"] = (status, at = Date.now()) => {
    const fields = { pid, procStart, sessionId, cwd, kind: "interactive", entrypoint: "cli" };
    const about = { ...fields, status, statusUpdatedAt: at };
    writeFileSync(join(root, "sessions", `${pid}.json`), JSON.stringify(about));
  };
  says("idle");
  return {
    pid: pid ?? 0,
    says,
    writes,
    prompted(text) {
      writes({ type: "user", message: { role: "user", content: text } });
      says("busy");
    },
    uses(name, input) {
      const content = [{ type: "tool_use", id: "t1", name, input }];
      const message = { role: "assistant", model: "fake-model", content, stop_reason: "tool_use" };
      writes({ type: "assistant", message });
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
