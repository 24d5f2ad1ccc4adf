import type { codeWords as english } from "../english/code.ts";

export const codeWords: typeof english = {
  follow: "Der Arbeit folgen",
  followFiles: "Den Änderungen folgen",
  none: "Noch kein Code. Er erscheint, sobald ein Agent in einem Ordner arbeitet.",
  notYet: "In diesem Moment gibt es keine Dateien.",
  changed: (count) =>
    count === 1 ? "1 Datei geändert" : `${count.toLocaleString("de")} Dateien geändert`,
  beside: "Neben dem Zeitstrahl zeigen",
};
