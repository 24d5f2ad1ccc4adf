/** Two versions of a Markdown text as it reads: paragraphs that came and went are marked. */
import { diffArrays } from "diff";
import { useMemo, type ReactNode } from "react";
import { useTexts } from "../../../../app/app.ts";
import { markdownBlocks } from "../../../../ui/safe-text/markdown.ts";
import { SafeMarkdown } from "../../../../ui/safe-text/safe-markdown.tsx";

export interface RichDiffProps {
  readonly before: string;
  readonly after: string;
}

export function RichDiff({ before, after }: RichDiffProps): ReactNode {
  const words = useTexts();
  const parts = useMemo(
    () => diffArrays(markdownBlocks(before), markdownBlocks(after)),
    [before, after],
  );
  return (
    <div className="rich-diff" dir="auto" role="document" tabIndex={0}>
      {parts.map(({ value, added, removed }, at) => {
        const type = added ? "added" : removed ? "removed" : undefined;
        const text = <SafeMarkdown text={value.join("")} cutNote={words.reviewCut} />;
        if (type === undefined) return <div key={at}>{text}</div>;
        return (
          <div
            key={at}
            className="rich-part"
            data-type={type}
            role="group"
            aria-label={words.diffSigns[type]}
          >
            {text}
          </div>
        );
      })}
    </div>
  );
}
