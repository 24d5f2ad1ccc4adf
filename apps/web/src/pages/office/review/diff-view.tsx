import { useMemo, type ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import { isSame, lineDiff } from "./line-diff.ts";

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
}

/** In a column of their own, where no text can be mistaken for them. */
const SIGNS = { added: "+", removed: "−" } as const;

export function DiffView({ before, after }: DiffViewProps): ReactNode {
  const words = useTexts();
  const rows = useMemo(() => lineDiff(before, after), [before, after]);
  if (rows === undefined) return <p className="hint">{words.reviewNoText}</p>;
  if (isSame(rows)) return <p className="hint">{words.diffNone}</p>;
  return (
    <ol className="diff">
      {rows.map((row, at) =>
        row.type === "skipped" ? (
          <li key={at} className="diff-skipped">
            {words.diffSkipped(row.count)}
          </li>
        ) : (
          <li key={at} data-type={row.type}>
            <span className="diff-line">{row.line}</span>
            {row.type === "same" ? (
              <span />
            ) : (
              <span className="diff-sign" role="img" aria-label={words.diffSigns[row.type]}>
                {SIGNS[row.type]}
              </span>
            )}
            <span className="diff-text">{row.text}</span>
          </li>
        ),
      )}
    </ol>
  );
}
