/** Which questions are waiting for a person, and what became of the latest ones. */
import { BoundedMap } from "../engine/bounded-map.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import type { QuestionItem } from "../question/answers.ts";
import { question, type QuestionOutcome, type QuestionSource } from "../question/question.ts";

export interface QuestionRow {
  readonly id: string;
  readonly items: readonly QuestionItem[];
  readonly source: QuestionSource;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly settled: { readonly at: number; readonly outcome: QuestionOutcome } | null;
}

export interface Questions extends Projection<readonly QuestionRow[]> {
  readonly openCount: number;
  /** Oldest first. */
  listOpen(): readonly QuestionRow[];
  /** Those that are open, after those settled not long ago. */
  list(): readonly QuestionRow[];
  /** Open, or settled not long ago. */
  get(id: string): QuestionRow | undefined;
}

const MAX_SETTLED = 200;

export function createQuestions(): Questions {
  const open = new Map<string, QuestionRow>();
  const settled = new BoundedMap<string, QuestionRow>(MAX_SETTLED);

  return {
    name: "questions",
    version: 1,
    get openCount() {
      return open.size;
    },
    listOpen: () => [...open.values()],
    list: () => [...settled.values(), ...open.values()],
    get: (id) => open.get(id) ?? settled.get(id),
    apply(entry) {
      const id = idIn(question, entry.stream);
      if (id === undefined) return;
      const event = question.read(entry);
      switch (event.type) {
        case "question.asked": {
          const { items, source, expiresAt } = event;
          open.set(id, { id, items, source, createdAt: entry.at, expiresAt, settled: null });
          return;
        }
        case "question.answered":
        case "question.withdrawn":
        case "question.expired": {
          const row = open.get(id);
          if (row === undefined) return;
          open.delete(id);
          settled.set(id, { ...row, settled: { at: entry.at, outcome: event } });
        }
      }
    },
    save: () => [...settled.values(), ...open.values()],
    load(rows) {
      open.clear();
      settled.clear();
      for (const row of rows) {
        (row.settled === null ? open : settled).set(row.id, row);
      }
    },
  };
}
