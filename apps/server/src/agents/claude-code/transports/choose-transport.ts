/**
 * What "transport": "auto" means here and now: a terminal where Claude Code is logged in with a subscription, because only
 * what it does in one counts as the person's own use of it; headless with a key.
 *
 * Claude Code is asked itself (`claude auth status`), with the environment it will have: it knows where it keeps its login,
 * calls no model for the answer, and tells no secret. Whatever goes wrong, it is headless, which says what is missing.
 */
import { execFile } from "node:child_process";
import { parseFields } from "../../turn/json-fields.ts";
import type { ClaudeSettings, TransportName } from "../protocol/claude-settings.ts";

/** A login that was made meanwhile is noticed after this long. */
const KNOWN_FOR_MS = 5 * 60_000;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 64 * 1024;

type LaunchSettings = Pick<ClaudeSettings, "command" | "cwd" | "env" | "transport">;

export function createTransportChoice(
  settings: LaunchSettings,
  now: () => number,
): () => Promise<TransportName> {
  const { transport } = settings;
  let known: { readonly at: number; readonly choice: Promise<TransportName> } | undefined;
  return () => {
    if (transport !== "auto") return Promise.resolve(transport);
    if (known === undefined || now() - known.at > KNOWN_FOR_MS) {
      known = { at: now(), choice: choose(settings) };
    }
    return known.choice;
  };
}

async function choose(settings: LaunchSettings): Promise<TransportName> {
  return isSubscription(await readStatus(settings), settings.env) ? "interactive" : "headless";
}

export function isSubscription(status: string, env: Readonly<Record<string, string>>): boolean {
  const { apiProvider, authMethod } = parseFields(status) ?? {};
  if (apiProvider !== "firstParty") return false;
  if (authMethod === "claude.ai") return true;
  // The token of `claude setup-token` is a subscription's; that of a gateway is told by the same word.
  const isOwnToken = (env["CLAUDE_CODE_OAUTH_TOKEN"] ?? "") !== "";
  const isGateway = (env["ANTHROPIC_AUTH_TOKEN"] ?? "") !== "";
  return authMethod === "oauth_token" && isOwnToken && !isGateway;
}

/** It exits with 1 when nobody is logged in, and says so all the same. */
function readStatus({ command, cwd, env }: LaunchSettings): Promise<string> {
  const limits = { timeout: TIMEOUT_MS, killSignal: "SIGKILL", maxBuffer: MAX_BYTES } as const;
  const options = { cwd, env, ...limits };
  return new Promise((resolve) => {
    const child = execFile(command, ["auth", "status", "--json"], options, (_error, stdout) =>
      resolve(stdout),
    );
    child.stdin?.end();
  });
}
