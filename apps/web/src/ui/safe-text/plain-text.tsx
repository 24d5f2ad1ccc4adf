/** Plain text, whole: in pieces, of which the browser lays out what is in sight, so that its length costs nothing. */
import { useMemo, type ReactNode } from "react";
import { piecesOf } from "./text-pieces.ts";

export function PlainText({ text }: { readonly text: string }): ReactNode {
  const pieces = useMemo(() => piecesOf(text), [text]);
  return (
    <div className="safe-text">
      {pieces.map(({ from, text: piece, lines }) => (
        <pre
          key={from}
          className="plain-text plain-piece"
          style={{ containIntrinsicBlockSize: `auto ${lines * LINE_EMS}em` }}
        >
          {piece}
        </pre>
      ))}
    </div>
  );
}

const LINE_EMS = 1.55;
