/** A command and what it prints, as at a terminal: at its end while one does not scroll back. */
import { useId, useMemo, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { terminalText } from "../../world/terminal-text.ts";
import { useFollowEnd } from "../follow-end.ts";
import { PlainText } from "../safe-text/plain-text.tsx";

export interface TerminalViewProps {
  readonly command: string | undefined;
  readonly text: string;
  readonly state: "going" | "done" | "failed";
  /** There was more before. */
  readonly isCut: boolean;
  /** What can be done with it. */
  readonly children?: ReactNode;
}

export function TerminalView(props: TerminalViewProps): ReactNode {
  const { command, text, state, isCut, children } = props;
  const { workshop: words } = useTexts();
  const shown = useMemo(() => terminalText(text), [text]);
  const { scroller, isAtEnd, jump } = useFollowEnd(shown);
  const name = useId();
  return (
    <section className="terminal" data-state={state} aria-labelledby={name}>
      <header className="terminal-head">
        <span className="terminal-mark" aria-hidden="true" />
        <code id={name} className="terminal-command" dir="ltr">
          {command === undefined ? words.terminal : `$ ${terminalText(command)}`}
        </code>
      </header>
      <div className="terminal-box">
        <div
          ref={scroller}
          className="terminal-text"
          dir="ltr"
          role="region"
          aria-labelledby={name}
          tabIndex={0}
        >
          {isCut && <p className="terminal-note">{words.terminalCut}</p>}
          <PlainText text={shown} />
          {state === "going" && <span className="terminal-cursor" aria-hidden="true" />}
          {state !== "going" && shown === "" && (
            <p className="terminal-note">{words.terminalNothing}</p>
          )}
        </div>
        {!isAtEnd && (
          <button type="button" className="button is-small terminal-latest" onClick={jump}>
            {words.terminalLatest}
          </button>
        )}
      </div>
      <footer className="terminal-foot">{children}</footer>
    </section>
  );
}
