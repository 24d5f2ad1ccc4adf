/** What is shown of each file of a change: loaded when it comes into sight, folded and unfolded by hand. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Comparison, ReviewFile, ReviewHttp } from "../change/review-http.ts";
import { viewOfPatch, type FileView } from "./diff-items.ts";

export interface FileViews {
  /** Another object once something is shown otherwise. */
  readonly all: ReadonlyMap<string, FileView>;
  viewOf(file: ReviewFile): FileView;
  /** It is in sight: load what is to be shown of it. */
  want(file: ReviewFile): void;
  /** Shows it, however large. */
  open(file: ReviewFile): void;
  fold(file: ReviewFile): void;
  /** As it reads, instead of what changed in it. */
  render(file: ReviewFile): void;
  /** What is unchanged at one place; `all`: the whole file. */
  unfold(file: ReviewFile, gap: number | "all"): void;
}

const MAX_LOADING = 4;

export function useFileViews(http: ReviewHttp, of: Comparison): FileViews {
  const [views, setViews] = useState<ReadonlyMap<string, FileView>>(NO_VIEWS);
  const loading = useRef(createQueue());
  const name = `${of.version} ${of.against}`;
  const current = useRef(name);
  current.current = name;
  useEffect(() => {
    setViews(NO_VIEWS);
    loading.current = createQueue();
  }, [http, name]);
  const set = useCallback((path: string, view: FileView) => {
    setViews((before) => new Map(before).set(path, view));
  }, []);
  const load = (file: ReviewFile, isWhole: boolean): void => {
    const { path } = file;
    const read = async (): Promise<void> => {
      const answer = await http.patch(of, path, isWhole);
      if (current.current !== name) return;
      const view: FileView = answer.ok
        ? viewOfPatch(answer.value)
        : { type: "failed", message: answer.message };
      setViews((before) =>
        // Folded meanwhile, it stays so.
        (before.get(path) ?? firstView(file)).type === "loading"
          ? new Map(before).set(path, view)
          : before,
      );
    };
    loading.current(path, read, isWhole);
  };
  const viewOf = (file: ReviewFile): FileView => views.get(file.path) ?? firstView(file);
  return {
    all: views,
    viewOf,
    want(file) {
      if (viewOf(file).type === "loading") load(file, false);
    },
    open(file) {
      if (file.is_binary) {
        set(file.path, { type: "binary" });
        return;
      }
      set(file.path, { type: "loading" });
      load(file, true);
    },
    fold: (file) => set(file.path, { type: "folded" }),
    render: (file) => set(file.path, { type: "rendered" }),
    unfold(file, gap) {
      const unfold = async (): Promise<void> => {
        const text = await (await http.file(of, file.path, "new"))?.text();
        if (text === undefined || current.current !== name) return;
        const lines = text.replace(/\n$/, "").split("\n");
        setViews((before) => {
          const view = before.get(file.path);
          if (view?.type !== "lines") return before;
          const gaps = gap === "all" || view.gaps === "all" ? "all" : new Set(view.gaps).add(gap);
          return new Map(before).set(file.path, { ...view, lines, gaps });
        });
      };
      void unfold();
    },
  };
}

const NO_VIEWS: ReadonlyMap<string, FileView> = new Map();

/** What nobody reads line by line is folded until someone asks for it. */
function firstView(file: ReviewFile): FileView {
  if (file.flag === "lock") return { type: "folded" };
  if (file.is_binary) return { type: "binary" };
  return file.is_large ? { type: "large", bytes: undefined } : { type: "loading" };
}

/** Runs what has a name once unless it must be run, a few at a time, the newest first. */
function createQueue(): (name: string, run: () => Promise<void>, isForced: boolean) => void {
  const begun = new Set<string>();
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const next = async (): Promise<void> => {
    if (running >= MAX_LOADING) return;
    const run = waiting.pop();
    if (run === undefined) return;
    running += 1;
    await run();
    running -= 1;
    await next();
  };
  return (name, run, isForced) => {
    if (begun.has(name) && !isForced) return;
    begun.add(name);
    waiting.push(run);
    void next();
  };
}
