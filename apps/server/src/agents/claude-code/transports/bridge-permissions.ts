import { permissionFor } from "../../process/tool-permission.ts";
/**
 * What a program on the bridge asks to be allowed, put to people and answered under the code it came with.
 *
 * A request belongs to the program, not to a turn: it may go on working after it has replied. The same code for something
 * else withdraws what it stood for before, so that no answer is taken for another.
 */
import {
  readPermission,
  type PermissionAnswer,
  type PermissionRequest,
} from "../../turn/agent-runtime.ts";
import { fieldsOf } from "../../turn/json-fields.ts";
import type { BridgedRequest } from "../../turn/mcp-tool-server.ts";

export interface BridgePermissionDeps {
  readonly cwd: string | undefined;
  readonly ask: (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
  readonly reply: (code: string, behavior: "allow" | "deny") => void;
}

export interface BridgePermissions {
  onRequest(request: BridgedRequest): void;
  /** Withdraws all, and tells the program no: nobody decides them any more. */
  denyAll(): void;
}

/** Open at once, of one program: nobody reads more, and others want to ask too. */
const MAX_OPEN = 32;
/** Of the arguments, as JSON. */
const MAX_CHARACTERS = 1_000_000;

export function createBridgePermissions(deps: BridgePermissionDeps): BridgePermissions {
  const { cwd, ask, reply } = deps;
  const open = new Map<string, AbortController>();

  async function put({ code, tool, input, rationale }: BridgedRequest): Promise<void> {
    const own = new AbortController();
    open.set(code, own);
    const description = rationale === "" ? undefined : rationale;
    const request = {
      ...permissionFor({ tool, input, description, cwd }),
      ...(isPreview(input) && PREVIEW),
      code,
    };
    const answer = await ask(request, own.signal).catch(() => "expired" as const);
    // Withdrawn, or its code stands for something else by now.
    if (open.get(code) !== own) return;
    open.delete(code);
    reply(code, readPermission(answer).permission === "allowed" ? "allow" : "deny");
  }

  return {
    onRequest(request) {
      const { code, input } = request;
      open.get(code)?.abort();
      open.delete(code);
      const isTooLarge = (JSON.stringify(input)?.length ?? 0) > MAX_CHARACTERS;
      if (isTooLarge || open.size >= MAX_OPEN) reply(code, "deny");
      else void put(request);
    },
    denyAll() {
      for (const [code, own] of open) {
        open.delete(code);
        own.abort();
        reply(code, "deny");
      }
    },
  };
}

/** Claude Code tells a channel no more than this: shortened, with white space folded and what looks like a secret left out. */
function isPreview(input: unknown): boolean {
  const names = Object.keys(fieldsOf(input));
  return names.length === 1 && names[0] === "input_preview";
}

const PREVIEW = {
  warning: "This is a preview that the program made; what would be done may be more.",
  mayAlways: false,
} as const;
