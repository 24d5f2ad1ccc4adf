/**
 * The stream that holds a log: how one is made, and what must be true of one that exists. Nothing of an existing
 * stream is ever changed; every difference is named with the setting to change.
 */
import { chainSubject } from "./jetstream-chain.ts";

/** As JetStream writes them. Servers leave out what is not set, and know settings that are not named here. */
export interface StreamConfig {
  readonly name: string;
  readonly subjects?: readonly string[];
  readonly [setting: string]: unknown;
}

export interface StreamInfo {
  readonly config: StreamConfig;
  readonly state: {
    readonly messages: number;
    readonly first_seq: number;
    readonly last_seq: number;
    readonly num_deleted?: number;
  };
  /** Absent at a server that stands alone. */
  readonly cluster?: { readonly leader?: string; readonly replicas?: readonly unknown[] };
}

/** What must be so whoever made the stream: by its name, what JetStream means when it is left out, and our value. */
const WANTED: readonly (readonly [setting: string, absent: unknown, wanted: unknown])[] = [
  ["retention", "limits", "limits"],
  ["storage", "file", "file"],
  ["discard", "old", "new"],
  ["max_msgs", -1, -1],
  ["max_bytes", -1, -1],
  ["max_msgs_per_subject", -1, -1],
  ["max_msg_size", -1, -1],
  ["max_age", 0, 0],
  ["deny_delete", false, true],
  ["deny_purge", false, true],
  ["allow_rollup_hdrs", false, false],
  ["allow_direct", false, false],
  ["allow_msg_ttl", false, false],
  ["sealed", false, false],
  ["no_ack", false, false],
];

/** What would write, move or drop messages on its own. */
const UNWANTED = ["mirror", "sources", "subject_transform", "republish"] as const;
const REPLICAS = [3, 5];

export function newStream(name: string, replicas: number): StreamConfig {
  return {
    name,
    subjects: [chainSubject(name)],
    num_replicas: replicas,
    ...Object.fromEntries(WANTED.map(([setting, , wanted]) => [setting, wanted])),
  };
}

/** One line for each setting that is wrong: what it is, and what it must be. */
export function streamProblems(
  config: StreamConfig,
  { hasReplicas, isUnsafe }: { readonly hasReplicas: boolean; readonly isUnsafe: boolean },
): readonly string[] {
  const problems: string[] = [];
  const given = new Map(Object.entries(config));
  for (const [setting, absent, wanted] of WANTED) {
    const found = given.get(setting) ?? absent;
    if (found !== wanted && !isSame(setting, found)) problems.push(line(setting, found, wanted));
  }
  for (const setting of UNWANTED) {
    if (isPresent(given.get(setting))) problems.push(`${setting} is set, must not be`);
  }
  if (config["persist_mode"] === "async") problems.push(line("persist_mode", "async", "default"));
  const replicas = config["num_replicas"] ?? 1;
  if (hasReplicas && !isUnsafe && !REPLICAS.some((count) => count === replicas)) {
    problems.push(line("num_replicas", replicas, 3));
  }
  return problems;
}

/** Whether it is a stream for a log of this name at all: one subject, ours. */
export function isOurs({ name, subjects = [] }: StreamConfig): boolean {
  return subjects.length === 1 && subjects[0] === chainSubject(name);
}

/** A limit of zero is none, like -1. */
function isSame(setting: string, found: unknown): boolean {
  return setting.startsWith("max_") && (found === 0 || found === -1);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function line(setting: string, found: unknown, wanted: unknown): string {
  return `${setting} is ${JSON.stringify(found)}, must be ${JSON.stringify(wanted)}`;
}
