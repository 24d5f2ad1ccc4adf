/** One row of a diff: two numbers and a line, or two lines beside each other. */
import { memo, useMemo, type ReactNode } from "react";
import { useTexts } from "../../../../app/app.ts";
import type { PatchLine } from "../../../../ui/workspace-files/patch-rows.ts";
import type { Side } from "../change/review-http.ts";
import type { LineItem } from "./diff-items.ts";
import type { LineColors } from "./line-colors.ts";
import type { Layout } from "./paired-lines.ts";
import { markPieces, wordMarks, type Span } from "./word-marks.ts";

export interface DiffRowProps {
  readonly item: LineItem;
  readonly layout: Layout;
  readonly colors: LineColors | undefined;
}

const SIGNS = { added: "+", removed: "−" } as const;
const NO_SPANS: readonly Span[] = [];

export const DiffRow = memo(({ item, layout, colors }: DiffRowProps): ReactNode => {
  const { file, old: before, new: after, other } = item;
  const marks = useMemo(() => marksOf(item), [item]);
  if (layout === "split") {
    return (["old", "new"] as const).map((side) => {
      const line = side === "old" ? before : after;
      return <Half key={side} {...{ side, line, colors, path: file.path, spans: marks?.[side] }} />;
    });
  }
  const [line, side]: readonly [PatchLine | undefined, Side] =
    after === undefined ? [before, "old"] : [after, "new"];
  if (line === undefined) return null;
  return (
    <>
      <Numbers path={file.path} side="old" line={before?.old} type={line.type} />
      <Numbers path={file.path} side="new" line={after?.new} type={line.type} />
      <Code {...{ line, side, colors }} spans={other === undefined ? undefined : marks?.[side]} />
    </>
  );
});
DiffRow.displayName = "DiffRow";

function marksOf({ old: before, new: after, other }: LineItem): ReturnType<typeof wordMarks> {
  if (before !== undefined && after !== undefined) {
    return before === after ? undefined : wordMarks(before.text, after.text);
  }
  if (other === undefined) return undefined;
  return wordMarks(before?.text ?? other, after?.text ?? other);
}

interface HalfProps {
  readonly side: Side;
  readonly line: PatchLine | undefined;
  readonly colors: LineColors | undefined;
  readonly path: string;
  readonly spans: readonly Span[] | undefined;
}

function Half({ side, line, colors, path, spans }: HalfProps): ReactNode {
  if (line === undefined) {
    return (
      <>
        <span className="code-number" data-type="none" role="gridcell" />
        <span className="code-text" data-type="none" role="gridcell" />
      </>
    );
  }
  return (
    <>
      <Numbers path={path} side={side} line={line[side]} type={line.type} />
      <Code {...{ line, side, colors, spans }} />
    </>
  );
}

interface NumbersProps {
  readonly path: string;
  readonly side: Side;
  readonly line: number | undefined;
  readonly type: PatchLine["type"];
}

/** Pressed or drawn along, it is what a comment is about. */
function Numbers({ path, side, line, type }: NumbersProps): ReactNode {
  return (
    <span
      className="code-number"
      role="gridcell"
      data-type={type}
      {...(line !== undefined && { "data-path": path, "data-side": side, "data-line": line })}
    >
      {line}
    </span>
  );
}

interface CodeProps {
  readonly line: PatchLine;
  readonly side: Side;
  readonly colors: LineColors | undefined;
  readonly spans: readonly Span[] | undefined;
}

function Code({ line, side, colors, spans = NO_SPANS }: CodeProps): ReactNode {
  const words = useTexts();
  const { type, text } = line;
  const pieces = markPieces(colors?.(line, side) ?? [{ text }], spans);
  return (
    <span className="code-text" role="gridcell" data-type={type} dir="ltr">
      {type !== "same" && (
        <span className="code-sign" role="img" aria-label={words.diffSigns[type]}>
          {SIGNS[type]}
        </span>
      )}
      {pieces.map((piece, at) =>
        piece.kind === undefined && !piece.isMarked ? (
          piece.text
        ) : (
          <span
            key={at}
            data-code={piece.kind}
            className={piece.isMarked ? "code-mark" : undefined}
          >
            {piece.text}
          </span>
        ),
      )}
    </span>
  );
}
