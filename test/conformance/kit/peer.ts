/**
 * What a test needs that may not be there: a real client from npm, or a program of the system. Without it
 * the test is skipped by name; with CI=true it fails by name, because a skip nobody reads proves nothing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPeer } from "../../../scripts/peers.ts";
import { findProgram } from "../../../scripts/system-programs.ts";

export interface Needed {
  /** For the options of a test: why it cannot run here, or false. */
  readonly skip: string | false;
  /** Throws its name when it is nowhere. */
  path(): string;
}

type Env = NodeJS.ProcessEnv;

export function findOpenClaw(version: "2026.9.6" | "2026.4.29", env: Env = process.env): Needed {
  const { id, folder } = findPeer(`openclaw-${version}`, { env });
  return needed(id, folder, env);
}

/** The program itself: its installer, which we do not run, would put it in the place of a stub. */
export function findClaudeCode(env: Env = process.env): Needed {
  const { id, folder } = findPeer("claude-code-2.1.325", { env });
  const program = `../claude-code-${process.platform}-${process.arch}/claude`;
  const path = folder === undefined ? undefined : join(folder, program);
  return needed(id, path === undefined || !existsSync(path) ? undefined : path, env);
}

/** The program itself: the one that npm links is a script that starts it. */
export function findCodex(env: Env = process.env): Needed {
  const { id, folder } = findPeer("codex-0.166.0", { env });
  const cpu = process.arch === "arm64" ? "aarch64" : "x86_64";
  const system = process.platform === "darwin" ? "apple-darwin" : "unknown-linux-musl";
  const name = `codex-${process.platform}-${process.arch}`;
  const path =
    folder === undefined
      ? undefined
      : join(folder, "..", name, `vendor/${cpu}-${system}/bin/codex`);
  return needed(id, path === undefined || !existsSync(path) ? undefined : path, env);
}

export function findClaudeAcp(env: Env = process.env): Needed {
  const { id, folder } = findPeer("claude-agent-acp-0.99.1", { env });
  return needed(id, folder, env);
}

/** The folder of an agent's package. */
export function findAgentProgram(peer: string, env: Env = process.env): Needed {
  const { id, folder } = findPeer(peer, { env });
  return needed(id, folder, env);
}

export function findChromium(env: Env = process.env): Needed {
  return needed("chromium", findProgram("chromium", env), env);
}

function needed(name: string, path: string | undefined, env: Env): Needed {
  const missing = `${name} is not installed; npm run conformance brings it`;
  return {
    skip: path === undefined && env["CI"] !== "true" ? missing : false,
    path() {
      if (path === undefined) throw new Error(missing);
      return path;
    },
  };
}
