/**
 * What a person has noted about a result and not sent yet: comments, which files were looked at, which criteria were
 * found to hold. It stays in the browser, so that a reload loses none of it, and goes once the review is sent.
 */
import { createStore, type StoreApi } from "zustand/vanilla";

export interface DraftComment {
  readonly id: string;
  /** The version it is about. */
  readonly version: number;
  readonly path: string;
  readonly side: "old" | "new";
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
}

export interface ReviewNotes {
  readonly comments: readonly DraftComment[];
  /** Files, with the version in which they were looked at. */
  readonly viewed: ReadonlyMap<string, number>;
  /** Criteria that were found to hold. */
  readonly met: ReadonlySet<string>;
  /** What is to change as a whole. */
  readonly instructions: string;
  /** The version that was judged last; 0: none was. */
  readonly judged: number;
}

export type ReviewNotesStore = StoreApi<ReviewNotes>;

type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

const KEY = "atrium.reviews";
/** Results that nobody looked at for longer are forgotten. */
const MAX_RESULTS = 40;
const MAX_COMMENTS = 500;
const MAX_FILES = 5_000;

export const NO_NOTES: ReviewNotes = {
  comments: [],
  viewed: new Map(),
  met: new Set(),
  instructions: "",
  judged: 0,
};

export function createReviewNotes(storage: Storage, artifactId: string): ReviewNotesStore {
  const kept = readAll(storage).find(([id]) => id === artifactId)?.[1];
  const store = createStore<ReviewNotes>(() => readNotes(kept));
  store.subscribe((notes) => {
    // Read again: another tab may have written about another result.
    const others = readAll(storage).filter(([id]) => id !== artifactId);
    const mine = isEmpty(notes) ? [] : [[artifactId, packed(notes)] as const];
    try {
      storage.setItem(KEY, JSON.stringify([...others, ...mine].slice(-MAX_RESULTS)));
    } catch {
      // A full store keeps what it has; the page goes on with what it holds.
    }
  });
  return store;
}

function isEmpty({ comments, viewed, met, instructions, judged }: ReviewNotes): boolean {
  return comments.length + viewed.size + met.size + judged === 0 && instructions === "";
}

function packed({ comments, viewed, met, instructions, judged }: ReviewNotes): object {
  return {
    comments: comments.slice(-MAX_COMMENTS),
    viewed: [...viewed].slice(-MAX_FILES),
    met: [...met],
    instructions,
    judged,
  };
}

function readAll(storage: Storage): readonly (readonly [string, unknown])[] {
  return listOf(parse(storage.getItem(KEY))).flatMap((entry) => {
    const [id, notes] = listOf(entry);
    return typeof id === "string" ? [[id, notes] as const] : [];
  });
}

/** Whatever was kept, by whichever version: what is not understood is as if it were not there. */
function readNotes(kept: unknown): ReviewNotes {
  if (typeof kept !== "object" || kept === null) return NO_NOTES;
  const { comments, viewed, met, instructions, judged } = { ...NO_KEPT, ...kept };
  return {
    // One that was begun and not written is none.
    comments: listOf(comments)
      .filter(isComment)
      .filter(({ text }) => text.trim() !== ""),
    viewed: new Map(
      listOf(viewed).flatMap((entry) => {
        const [path, version] = listOf(entry);
        return typeof path === "string" && typeof version === "number" ? [[path, version]] : [];
      }),
    ),
    met: new Set(listOf(met).filter((each) => typeof each === "string")),
    instructions: typeof instructions === "string" ? instructions : "",
    judged: typeof judged === "number" ? judged : 0,
  };
}

const NO_KEPT: Readonly<Record<keyof ReviewNotes, unknown>> = NO_NOTES;

function isComment(value: unknown): value is DraftComment {
  if (typeof value !== "object" || value === null) return false;
  const { id, version, path, side, line, endLine, text } = value as Partial<DraftComment>;
  const isPlaced = [version, line, endLine].every((each) => Number.isSafeInteger(each));
  const isNamed = [id, path, text].every((each) => typeof each === "string");
  return isPlaced && isNamed && (side === "old" || side === "new");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
}
