/**
 * Which permissions are waiting for an answer, what became of the latest ones, and which "always" still
 * hold.
 */
import type { Answerer } from "../answerer.ts";
import { approval, type ApprovalOutcome, type ApprovalSubject } from "../approval/approval.ts";
import { isCovered, ruleFor, type ApprovalRule } from "../approval/rule.ts";
import { keepNewest } from "./newest.ts";
import type { Projection } from "./projection.ts";

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

export interface Approvals extends Projection {
  readonly openCount: number;
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
  /** What is always allowed, the newest last. */
  rules(): readonly ApprovalRule[];
}

const PREFIX = `${approval.name}/`;
const MOST_SETTLED = 200;
const MOST_RULES = 1_000;

interface Saved {
  readonly rows: readonly ApprovalRow[];
  readonly rules: readonly ApprovalRule[];
}

export function createApprovals(): Approvals {
  const open = new Map<string, ApprovalRow>();
  const settled = new Map<string, ApprovalRow>();
  let rules: ApprovalRule[] = [];

  function settle(id: string, at: number, outcome: ApprovalOutcome): void {
    const row = open.get(id);
    if (row === undefined) return;
    open.delete(id);
    settled.set(id, { ...row, settled: { at, outcome } });
    keepNewest(settled, MOST_SETTLED);
    if (outcome.type !== "approval.allowed" || outcome.how !== "always") return;
    rules.push(ruleFor(row.subject, outcome.pattern ?? null, outcome.by));
    if (rules.length > MOST_RULES) rules.shift();
  }

  return {
    name: "approvals",
    version: 3,
    get openCount() {
      return open.size;
    },
    listOpen: () => [...open.values()],
    list: () => [...settled.values(), ...open.values()],
    get: (id) => open.get(id) ?? settled.get(id),
    findByCode(code) {
      const isIt = (row: ApprovalRow): boolean => row.code === code;
      return open.values().find(isIt) ?? [...settled.values()].findLast(isIt);
    },
    standingFor: (subject) => rules.findLast((rule) => isCovered(rule, subject))?.by,
    rules: () => rules,
    apply(entry) {
      if (!entry.stream.startsWith(PREFIX)) return;
      const event = approval.read(entry);
      const id = entry.stream.slice(PREFIX.length);
      switch (event.type) {
        case "approval.requested": {
          const { code, subject, expiresAt, isCovered: covered = false } = event;
          const asked = { id, code, subject, createdAt: entry.at, expiresAt };
          open.set(id, { ...asked, isCovered: covered, settled: null });
          return;
        }
        case "approval.allowed":
        case "approval.denied":
        case "approval.expired":
          settle(id, entry.at, event);
      }
    },
    save: (): Saved => ({
      rows: [...settled.values(), ...open.values()],
      rules,
    }),
    load(saved) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what save() wrote, under the same version
      const kept = saved as Saved;
      for (const row of kept.rows) (row.settled === null ? open : settled).set(row.id, row);
      rules = [...kept.rules];
    },
  };
}
