/**
 * Conversation keys: `agent:<handle>:<rest>`, as the gateway's peers write them.
 *
 * Short forms are welcome ("main", "notes") and belong to the default agent unless another is named.
 * Each agent always has a main conversation, whether anyone has spoken in it yet or not.
 */
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import { DEFAULT_HANDLE, type CrewMember } from "../people/crew.ts";

export interface ConversationKey {
  /** The full form; also the conversation's id. */
  readonly text: string;
  readonly agentId: string;
  readonly handle: string;
  readonly isMain: boolean;
}

const MAIN = "main";
const MAX_LENGTH = 512;
const FULL_FORM = /^agent:([^:]+):(.+)$/;
// Control characters and white space would make keys that look alike differ; half a surrogate pair is no
// character at all.
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Zs}\p{Zl}\p{Zp}]/u;

export const MAIN_KEY = keyText(DEFAULT_HANDLE, MAIN);

export function resolveKey(
  crew: readonly CrewMember[],
  written: string,
  handle?: string,
): Outcome<ConversationKey> {
  const name = written.trim().toLowerCase();
  if (name === "" || name.length > MAX_LENGTH || UNREADABLE.test(name)) {
    return refuse(
      "conversation.misnamed",
      "1 to 512 characters without spaces or control characters",
    );
  }
  const full = FULL_FORM.exec(name);
  const named = full?.[1];
  if (named !== undefined && handle !== undefined && named !== handle) {
    return refuse("conversation.misnamed", `the key names agent ${named}, the call ${handle}`);
  }
  const wanted = named ?? handle ?? DEFAULT_HANDLE;
  const agent = crew.find((member) => member.handle === wanted);
  if (agent === undefined) return refuse("agent.unknown", wanted);
  const rest = full?.[2] ?? name;
  return accept({
    text: keyText(wanted, rest),
    agentId: agent.id,
    handle: wanted,
    isMain: rest === MAIN,
  });
}

/** The handle in a full key. */
export function handleOf(key: string): string {
  return FULL_FORM.exec(key)?.[1] ?? DEFAULT_HANDLE;
}

function keyText(handle: string, rest: string): string {
  return `agent:${handle}:${rest}`;
}
