/**
 * Whether the chain is whole as whoever leads it has it: every message there, undamaged, and each following on the one
 * before. Given a node's copy, whether that says the same. Reads everything once and changes nothing.
 */
import type { Chain } from "../chain/chain.ts";
import { decodeMessage, NO_HASH, type DecodedMessage } from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import type { CopyFile } from "./copy-file.ts";

export interface ChainFindings {
  readonly messages: number;
  /** The hash of the last message, which covers all before it; undefined when that one is not there. */
  readonly hash: string | undefined;
  /** Messages that are not there, or not as they were written. */
  readonly broken: readonly number[];
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 50;

export async function verifyChain(
  chain: Pick<Chain, "read" | "last">,
  copy: Pick<CopyFile, "applied" | "hashAt" | "path"> | undefined,
  note: (message: number, of: number) => void,
): Promise<ChainFindings> {
  const messages = await chain.last();
  const broken: number[] = [];
  const problems: string[] = [];
  let previous: string | undefined = NO_HASH;
  /** The first message from which on the copy says something else. */
  let parting: number | undefined;
  for (let n = 1; n <= messages; n++) {
    const found = await look(chain, n);
    if (typeof found === "string") {
      broken.push(n);
      problems.push(`message ${n} ${found}`);
      // What it should have been proves the next one.
      previous = parting === undefined ? copy?.hashAt(n) : undefined;
      continue;
    }
    if (previous !== undefined && found.message.previous !== previous) {
      problems.push(`message ${n} does not follow on message ${n - 1}`);
    }
    previous = found.hash;
    if (copy !== undefined && n <= copy.applied && copy.hashAt(n) !== found.hash) parting ??= n;
    note(n, messages);
  }
  if (copy !== undefined && parting !== undefined) {
    problems.push(
      parting === 1
        ? `${copy.path} is the copy of another log`
        : `${copy.path} has another history from message ${parting} on`,
    );
  } else if (copy !== undefined && copy.applied > messages) {
    problems.push(
      `the servers have ${messages} messages and ${copy.path} has ${copy.applied}: they lost what they had acknowledged`,
    );
  }
  return { messages, hash: previous, broken, problems: cut(problems) };
}

/** The message, or what is wrong with it. */
async function look(chain: Pick<Chain, "read">, n: number): Promise<DecodedMessage | string> {
  const bytes = await chain.read(n);
  if (bytes === undefined) return "is missing";
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (!(error instanceof LogFault)) throw error;
    return error.code === "foreign" ? `cannot be read: ${error.message}` : "is damaged";
  }
}

function cut(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more <= 0 ? problems : [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`];
}
