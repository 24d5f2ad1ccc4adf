/**
 * Which permissions are waiting for an answer, what became of the latest ones, and which "always" still
 * hold.
 */
import { approval, type ApprovalOutcome, type ApprovalSubject } from "../approval/approval.ts";
import { canonicalInput } from "../approval/reading.ts";
import { isCovered, type ApprovalRule } from "../approval/rule.ts";
import { BoundedMap } from "../engine/bounded-map.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import type { Answerer } from "../people/answerer.ts";

export interface ApprovalRow {
  readonly id: string;
  readonly code: string;
  readonly subject: ApprovalSubject;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** An earlier "always" covers it: nobody was asked. */
  readonly isCovered: boolean;
  readonly settled: { readonly at: number; readonly outcome: ApprovalOutcome } | null;
}

export interface Approvals extends Projection<Saved> {
  readonly openCount: number;
  /** Characters of all that is open. */
  readonly openChars: number;
  /** Oldest first. */
  listOpen(): readonly ApprovalRow[];
  /** Those that are open, after those settled not long ago. */
  list(): readonly ApprovalRow[];
  /** Open, or settled not long ago. */
  get(id: string): ApprovalRow | undefined;
  /** The open one with that code, else the latest settled one. */
  findByCode(code: string): ApprovalRow | undefined;
  /** Who said "always" to something that covers this. */
  standingFor(subject: ApprovalSubject): Answerer | undefined;
  /** What is always allowed, and what no longer is because it covered too much; the newest last. */
  rules(): readonly ApprovalRule[];
}

/** Roughly: an input that is more than words is about as long as it reads. */
function sizeOf(subject: ApprovalSubject): number {
  const inWords = subject.input === undefined ? subject.summary : canonicalInput(subject);
  return inWords.length + (subject.details?.length ?? 0);
}

/** Of what is over, as much as is shown of it. */
const MAX_KEPT_CHARS = 4_000;

function forMemory(subject: ApprovalSubject): ApprovalSubject {
  const size = sizeOf(subject);
  if (size <= MAX_KEPT_CHARS) return subject;
  const { input: _input, writes: _writes, details: _details, summary, ...rest } = subject;
  const shown = summary.slice(0, MAX_KEPT_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  return { ...rest, summary: `${shown}… (${size} characters in all)`, mayAlways: false };
}

const MAX_SETTLED = 200;
const MAX_RULES = 1_000;

interface Saved {
  readonly rows: readonly ApprovalRow[];
  readonly rules: readonly ApprovalRule[];
}

export function createApprovals(): Approvals {
  const open = new Map<string, ApprovalRow>();
  const settled = new BoundedMap<string, ApprovalRow>(MAX_SETTLED);
  const rules = new BoundedMap<string, ApprovalRule>(MAX_RULES);

  function settle(id: string, at: number, outcome: ApprovalOutcome): void {
    const row = open.get(id);
    if (row === undefined) return;
    const remembered = { ...row, subject: forMemory(row.subject), settled: { at, outcome } };
    open.delete(id);
    settled.set(id, remembered);
    if (outcome.type !== "approval.allowed" || outcome.how !== "always") return;
    // A client has its own memory of what it was always allowed.
    if (row.subject.askedBy !== "agent") return;
    const { scope = null, pattern, by } = outcome;
    const subject = scope === null ? forMemory(row.subject) : row.subject;
    rules.set(id, { id, scope, subject, by, at, ...(pattern !== undefined && { pattern }) });
  }

  return {
    name: "approvals",
    version: 4,
    get openCount() {
      return open.size;
    },
    get openChars() {
      return open.values().reduce((sum, { subject }) => sum + sizeOf(subject), 0);
    },
    listOpen: () => [...open.values()],
    list: () => [...settled.values(), ...open.values()],
    get: (id) => open.get(id) ?? settled.get(id),
    findByCode(code) {
      const isIt = (row: ApprovalRow): boolean => row.code === code;
      return open.values().find(isIt) ?? [...settled.values()].findLast(isIt);
    },
    standingFor: (subject) => [...rules.values()].findLast((rule) => isCovered(rule, subject))?.by,
    rules: () => [...rules.values()],
    apply(entry) {
      const id = idIn(approval, entry.stream);
      if (id === undefined) return;
      const event = approval.read(entry);
      switch (event.type) {
        case "approval.requested": {
          const { code, subject, expiresAt, isCovered: covered = false } = event;
          const request = { id, code, subject, createdAt: entry.at, expiresAt };
          open.set(id, { ...request, isCovered: covered, settled: null });
          return;
        }
        case "approval.allowed":
        case "approval.denied":
        case "approval.expired":
          settle(id, entry.at, event);
          return;
        case "approval.revoked":
          rules.delete(id);
      }
    },
    // It may have taken back what was allowed.
    distrust({ stream }) {
      const id = idIn(approval, stream);
      if (id === undefined) return;
      for (const each of [open, settled, rules]) each.delete(id);
    },
    save: (): Saved => ({
      rows: [...settled.values(), ...open.values()],
      rules: [...rules.values()],
    }),
    load(kept) {
      for (const each of [open, settled, rules]) each.clear();
      for (const row of kept.rows) (row.settled === null ? open : settled).set(row.id, row);
      for (const rule of kept.rules) rules.set(rule.id, rule);
    },
  };
}
