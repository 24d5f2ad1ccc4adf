/**
 * A permission as it must be read before it is decided: what, by whom, where, and all of it.
 *
 * What decides it comes only after the end of the text was in sight; `children` are told whether it was.
 */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import type { PermissionFact, PermissionPart } from "./permission-parts.ts";
import { PermissionMarks, PermissionText } from "./permission-text.tsx";

export interface PermissionViewProps {
  readonly facts: readonly PermissionFact[];
  /** What would be done, whole. */
  readonly text: string;
  /** What else belongs to it: what would be written, a warning, more that was told. */
  readonly more?: readonly PermissionPart[];
  readonly onSeen?: () => void;
  readonly children: (isSeen: boolean) => ReactNode;
}

export function PermissionView(props: PermissionViewProps): ReactNode {
  const { facts, text, more = [], onSeen, children } = props;
  const words = useTexts().permission;
  const block = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const isSeen = useSeenOnce(end, onSeen);
  const readOn = (): void => {
    const { current } = block;
    current?.scrollBy({ top: current.clientHeight * 0.85 });
    end.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div className="permission">
      <dl className="facts permission-facts">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      <PermissionMarks text={[text, ...more.map((each) => each.text)].join("\n")} />
      <div
        ref={block}
        className="permission-block"
        tabIndex={0}
        role="group"
        aria-label={words.what}
      >
        <pre className="permission-text">
          <PermissionText text={text} />
        </pre>
        {more.map((each) => (
          <div key={each.label} className="permission-more">
            <span className="label">{each.label}</span>
            <pre className="permission-text">
              <PermissionText text={each.text} />
            </pre>
          </div>
        ))}
        <span ref={end} className="permission-end" />
      </div>
      {!isSeen && (
        <div className="row">
          <p className="hint" role="status">
            {words.readOn}
          </p>
          <Button look="small" onClick={readOn}>
            {words.readOnButton}
          </Button>
        </div>
      )}
      {children(isSeen)}
    </div>
  );
}

/** Whether the end was in sight, once. */
function useSeenOnce(
  end: { readonly current: Element | null },
  onSeen: (() => void) | undefined,
): boolean {
  const [isSeen, setSeen] = useState(false);
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => {
    const { current } = end;
    if (current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      setSeen(true);
      latest.current?.();
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [end]);
  return isSeen;
}
