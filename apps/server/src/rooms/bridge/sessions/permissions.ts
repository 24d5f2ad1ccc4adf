/**
 * What Claude asked to be allowed, and how it was answered.
 *
 * A plugin that lost its connection asks again for everything it has no answer to. The same request is
 * not put to people twice, and one that has been answered meanwhile is answered the same way at once. It
 * is the same only when everything about it is: a code alone could be used again for something else.
 */
import { BoundedMap } from "@atrium/core";
import type { BridgePermissionRequest, PermissionReply } from "@atrium/wire/bridge";

export type Behavior = PermissionReply["behavior"];

export interface BridgePermission {
  /** Five letters; also what people type to answer it. */
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly rationale: string;
}

interface Known {
  readonly text: string;
  readonly behavior: Behavior | undefined;
}

const MAX_REMEMBERED = 256;

export class Permissions {
  readonly #known = new BoundedMap<string, Known>(MAX_REMEMBERED);

  /** `new` for a request that people should see, else how it was answered, if it was. */
  ask(frame: BridgePermissionRequest): "new" | Behavior | undefined {
    const text = JSON.stringify([frame.tool, frame.args, frame.rationale]);
    const known = this.#known.get(frame.request_id);
    if (known?.text === text) return known.behavior;
    this.#known.setNewest(frame.request_id, { text, behavior: undefined });
    return "new";
  }

  answer(id: string, behavior: Behavior): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#known.set(id, { ...known, behavior });
  }
}
