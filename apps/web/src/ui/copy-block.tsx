/** A command or address to take away: shown whole, and copied by one press. */
import { useRef, type ReactNode } from "react";
import { useApp, useTexts } from "../app/app.ts";
import { Button } from "./controls.tsx";

export interface CopyBlockProps {
  /** What it is, for whoever cannot see where it stands. */
  readonly label: string;
  readonly text: string;
}

export function CopyBlock({ label, text }: CopyBlockProps): ReactNode {
  const { copying: words } = useTexts();
  const { notices } = useApp();
  const block = useRef<HTMLPreElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      notices.say(words.copied);
    } catch {
      // Not over plain HTTP from another computer, nor where the person has forbidden it.
      if (block.current !== null) window.getSelection()?.selectAllChildren(block.current);
      notices.say(words.failed, "refused");
    }
  };
  return (
    <div className="copy-block">
      <pre ref={block} tabIndex={0} role="group" aria-label={label} dir="ltr">
        {text}
      </pre>
      <Button look="small" aria-label={`${words.copy}: ${label}`} onClick={() => void copy()}>
        {words.copy}
      </Button>
    </div>
  );
}
