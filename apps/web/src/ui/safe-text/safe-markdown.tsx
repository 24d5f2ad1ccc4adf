/** Markdown from an agent, in a box it cannot leave. The only place of the client that sets HTML. */
import { useMemo, type MouseEvent, type ReactNode } from "react";
import { MAX_CHARS, readHref, renderMarkdown } from "./markdown.ts";

export interface SafeMarkdownProps {
  readonly text: string;
  /** Said after what was cut off. */
  readonly cutNote: string;
}

export function SafeMarkdown({ text, cutNote }: SafeMarkdownProps): ReactNode {
  const html = useMemo(() => renderMarkdown(text), [text]);
  return (
    <>
      {/* The buttons within are real ones; this only hears that one was pressed. */}
      <div className="safe-text" dangerouslySetInnerHTML={{ __html: html }} onClick={follow} />
      {text.length > MAX_CHARS && <p className="hint">{cutNote}</p>}
    </>
  );
}

function follow(event: MouseEvent): void {
  const pressed = event.target instanceof Element ? event.target.closest("[data-href]") : null;
  const href = readHref(pressed?.getAttribute("data-href") ?? "");
  if (href !== undefined) window.open(href, "_blank", "noopener,noreferrer");
}
