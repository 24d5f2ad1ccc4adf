/** What changed in one file, line by line; as much as is asked for. */
import { useMemo, useState, type ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import { sizeText } from "../files/attached-files.ts";
import type { FilePatch } from "./files-http.ts";
import { patchRows, type PatchRow } from "./patch-rows.ts";

export interface PatchViewProps {
  readonly patch: FilePatch;
  readonly onWhole: () => void;
}

const ROWS = 400;
const SIGNS = { added: "+", removed: "−" } as const;

export function PatchView({ patch: shown, onWhole }: PatchViewProps): ReactNode {
  const { patch, is_large, bytes } = shown;
  const { workshop: words } = useTexts();
  const { language } = useAppearance();
  const rows = useMemo(() => patchRows(patch ?? ""), [patch]);
  const [most, setMost] = useState(ROWS);
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
      <ol className="diff" tabIndex={0}>
        {rows.slice(0, most).map((row, at) => (
          <Row key={at} row={row} />
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

function Row({ row }: { readonly row: PatchRow }): ReactNode {
  const words = useTexts();
  if (row.type === "gap" || row.type === "note") {
    return <li className="diff-skipped">{row.text || "⋯"}</li>;
  }
  const { type, line, text } = row;
  return (
    <li data-type={type}>
      <span className="diff-line">{line}</span>
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
