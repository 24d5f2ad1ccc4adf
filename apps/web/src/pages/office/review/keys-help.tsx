/** The keys of a review, in a list that Escape closes. */
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import { IconButton } from "../../../ui/controls.tsx";

export function KeysHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <div
      ref={box}
      className="review-keys"
      role="dialog"
      aria-label={words.review.keys}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className="row spread">
        <h3>{words.review.keys}</h3>
        <IconButton label={words.close} onClick={onClose}>
          <span aria-hidden="true">×</span>
        </IconButton>
      </header>
      <dl className="facts">
        {words.review.keyList.map(([keys, does]) => (
          <div key={keys} className="key-row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
