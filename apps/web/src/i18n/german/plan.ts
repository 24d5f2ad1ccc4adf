import type { planWords as english } from "../english/plan.ts";

export const planWords: typeof english = {
  sheet: "Plan",
  count: (count) => (count === 1 ? "1 Aufgabe" : `${count} Aufgaben`),
  notYet: "Das Team plant noch. Die Aufgaben erscheinen hier.",
  drag: "An eine andere Stelle ziehen",
  up: (title) => `Nach oben: ${title}`,
  down: (title) => `Nach unten: ${title}`,
  proposed: "Vorgesehen für",
  after: (numbers) => `nach ${numbers}`,
  waits: (numbers) => `wartet auf ${numbers}`,
  accept: "Fertig, wenn",
  verify: "Geprüft durch",
  kinds: { change: "ändert Dateien", document: "ein Dokument" },
  edit: "Bearbeiten",
  remove: "Entfernen",
  removeSure: "Diese Aufgabe entfernen?",
  add: "Aufgabe hinzufügen",
  save: "Speichern",
  title: "Titel",
  description: "Beschreibung",
  acceptField: "Fertig, wenn (ein Satz je Zeile)",
  verifyField: "Befehle, die es prüfen (einer je Zeile)",
  role: "Für welche Rolle",
  kind: "Ergebnis",
  afterField: "Beginnt nach",
  starts: (count) =>
    count === 1
      ? "1 Aufgabe wird vergeben wie gezeigt."
      : `${count} Aufgaben werden vergeben wie gezeigt.`,
  open: "Plan zeigen",
};
