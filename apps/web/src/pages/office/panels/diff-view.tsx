import { useMemo, type ReactNode } from "react";
import { useWords } from "../../../shell/house.ts";
import { isSame, lineDiff } from "./line-diff.ts";

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
}

export function DiffView({ before, after }: DiffViewProps): ReactNode {
  const words = useWords();
  const rows = useMemo(() => lineDiff(before, after), [before, after]);
  if (rows === undefined) return <p className="hint">{words.reviewNoText}</p>;
  if (isSame(rows)) return <p className="hint">{words.diffNone}</p>;
  return (
    <ol className="diff">
      {rows.map((row, at) =>
        row.type === "skipped" ? (
          <li key={at} className="hint">
            {words.diffSkipped(row.count)}
          </li>
        ) : (
          <li key={at} data-type={row.type}>
            {row.type !== "same" && (
              <span className="visually-hidden">
                {row.type === "added" ? words.diffAdded : words.diffRemoved}
              </span>
            )}
            {row.text}
          </li>
        ),
      )}
    </ol>
  );
}
