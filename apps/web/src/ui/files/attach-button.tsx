import type { ChangeEvent, ReactNode } from "react";
import { useTexts } from "../../app/app.ts";

export interface AttachButtonProps {
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where files are picked. What was picked is shown beside it, not in it. */
export function AttachButton({ onFiles }: AttachButtonProps): ReactNode {
  const words = useTexts().chat;
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    // The same file may be chosen again after it was taken back.
    target.value = "";
  };
  return (
    <label className="button is-quiet is-small attach-button" title={words.attachHint}>
      <span aria-hidden="true">+</span>
      <span>{words.attach}</span>
      <input
        type="file"
        multiple
        className="visually-hidden"
        aria-description={words.attachHint}
        onChange={choose}
      />
    </label>
  );
}
