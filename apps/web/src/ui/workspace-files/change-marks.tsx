/** How a file was changed, as a letter, and by how many lines. */
import type { ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import type { ChangedFile } from "./files-http.ts";

const LETTERS = { added: "A", changed: "M", removed: "D", renamed: "R", retyped: "T" } as const;

export function ChangeMark({ how }: Pick<ChangedFile, "how">): ReactNode {
  const { workshop: words } = useTexts();
  return (
    <span className="change-mark" data-how={how} role="img" aria-label={words.hows[how]}>
      {LETTERS[how]}
    </span>
  );
}

type Counts = Pick<ChangedFile, "added" | "removed">;

export function ChangeCount({ file: { added, removed } }: { readonly file: Counts }): ReactNode {
  const { language } = useAppearance();
  if (added === null || removed === null) return null;
  return (
    <span className="change-count">
      <span data-type="added">+{added.toLocaleString(language)}</span>{" "}
      <span data-type="removed">−{removed.toLocaleString(language)}</span>
    </span>
  );
}
