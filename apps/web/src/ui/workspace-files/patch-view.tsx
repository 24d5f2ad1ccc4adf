/** What changed in one file, line by line; as much as is asked for. */
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import { sizeText } from "../files/attached-files.ts";
import type { FilePatch } from "./files-http.ts";
import { freshRows, patchRows, type PatchRow } from "./patch-rows.ts";

export interface PatchViewProps {
  readonly patch: FilePatch;
  readonly onWhole: () => void;
  /** Lines that the patch shown before did not have are marked, and the first of them is brought into sight. */
  readonly marksNew?: boolean;
}

const ROWS = 400;
const SIGNS = { added: "+", removed: "−" } as const;

export function PatchView({ patch: shown, onWhole, marksNew = false }: PatchViewProps): ReactNode {
  const { patch, is_large, bytes } = shown;
  const { workshop: words } = useTexts();
  const { language } = useAppearance();
  const rows = useMemo(() => patchRows(patch ?? ""), [patch]);
  const [most, setMost] = useState(ROWS);
  const { list, fresh } = useFreshRows(rows, marksNew);
  if (is_large === true) {
    return (
      <div className="row files-note">
        <span className="hint">
          {words.fileLarge(bytes === undefined ? "" : sizeText(bytes, language))}
        </span>
        <Button look="small" onClick={onWhole}>
          {words.fileAnyway}
        </Button>
      </div>
    );
  }
  const left = rows.length - most;
  return (
    <>
      <ol className="diff" tabIndex={0} ref={list}>
        {rows.slice(0, most).map((row, at) => (
          <Row key={at} row={row} isFresh={fresh.has(row)} />
        ))}
      </ol>
      {left > 0 && (
        <Button look="small" onClick={() => setMost(most + ROWS * 4)}>
          {words.linesMore(left)}
        </Button>
      )}
    </>
  );
}

const NONE: ReadonlySet<PatchRow> = new Set();

interface FreshRows {
  readonly list: RefObject<HTMLOListElement | null>;
  readonly fresh: ReadonlySet<PatchRow>;
}

function useFreshRows(rows: readonly PatchRow[], isWanted: boolean): FreshRows {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef<readonly PatchRow[]>(undefined);
  const [fresh, setFresh] = useState(NONE);
  useEffect(() => {
    const last = before.current;
    before.current = rows;
    if (!isWanted || last === undefined || last === rows) return;
    setFresh(new Set(freshRows(last, rows)));
  }, [rows, isWanted]);
  useEffect(() => {
    list.current?.querySelector("[data-fresh=true]")?.scrollIntoView({ block: "nearest" });
  }, [fresh]);
  return { list, fresh };
}

interface RowProps {
  readonly row: PatchRow;
  readonly isFresh: boolean;
}

function Row({ row, isFresh }: RowProps): ReactNode {
  const words = useTexts();
  if (row.type === "gap" || row.type === "note") {
    return <li className="diff-skipped">{row.text || "⋯"}</li>;
  }
  const { type, text } = row;
  return (
    <li data-type={type} data-fresh={isFresh || undefined}>
      <span className="diff-line">{row.new ?? row.old}</span>
      {type === "same" ? (
        <span />
      ) : (
        <span className="diff-sign" role="img" aria-label={words.diffSigns[type]}>
          {SIGNS[type]}
        </span>
      )}
      <span className="diff-text" dir="ltr">
        {text}
      </span>
    </li>
  );
}
