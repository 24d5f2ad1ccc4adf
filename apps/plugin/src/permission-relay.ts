/**
 * Permission prompts of Claude Code, relayed to the server until they are answered. Those that have no
 * answer are sent again on every new connection; the server knows which it has seen.
 */
import { Compile, Type } from "@atrium/schema";
import {
  PermissionCode,
  type BridgePermissionRequest,
  type PermissionReply,
} from "@atrium/wire/bridge";

/** What Claude Code tells a channel about a prompt; all of it is for people to read. */
const PromptParams = Type.Object({
  request_id: PermissionCode,
  tool_name: Type.String({ minLength: 1, maxLength: 256 }),
  description: Type.String(),
  input_preview: Type.String(),
});

/** Prompts that were answered in the terminal are never taken back, so they must not pile up. */
const MAX_OPEN = 64;

export class PermissionRelay {
  readonly #send: (frame: BridgePermissionRequest) => boolean;
  readonly #check = Compile(PromptParams);
  readonly #open = new Map<string, BridgePermissionRequest>();

  constructor(send: (frame: BridgePermissionRequest) => boolean) {
    this.#send = send;
  }

  /** False when it is nothing that can be relayed. */
  prompt(params: unknown): boolean {
    if (!this.#check.Check(params)) return false;
    const { request_id: id, tool_name: tool, description, input_preview: preview } = params;
    const frame: BridgePermissionRequest = {
      type: "permission_request",
      request_id: id,
      tool,
      args: { input_preview: preview },
      rationale: description,
    };
    this.#open.delete(id);
    this.#open.set(id, frame);
    if (this.#open.size > MAX_OPEN) {
      const [oldest] = this.#open.keys();
      if (oldest !== undefined) this.#open.delete(oldest);
    }
    this.#send(frame);
    return true;
  }

  onReply({ request_id: id }: PermissionReply): void {
    this.#open.delete(id);
  }

  onUp(): void {
    for (const frame of this.#open.values()) this.#send(frame);
  }
}
