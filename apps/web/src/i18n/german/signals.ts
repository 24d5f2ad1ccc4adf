import type { signalWords as english } from "../english/signals.ts";

export const signalWords: typeof english = {
  live: "Live",
  paused: (waiting) =>
    waiting === 0 ? "Angehalten" : `Angehalten, ${waiting.toLocaleString("de")} neue`,
  resume: "Fortsetzen",
  fields: {
    type: "Typ",
    source: "Quelle",
    agent: "Agent",
    correlationId: "Korrelations-ID",
  },
  clear: "Alle zeigen",
  listLabel: (count) => `Signale, ${count.toLocaleString("de")} gezeigt`,
  none: "Noch keine passenden Signale. Neue Signale erscheinen hier automatisch.",
  noSuchType: (type) =>
    `Das Büro sendet keine Signale vom Typ „${type}“. Ein Signal dieses Typs aus einer anderen Quelle erscheint hier.`,
  older: "Ältere zeigen",
  olderFailed: "Ältere Signale konnten nicht geladen werden. Versuchen Sie es erneut.",
  raw: "JSON im Original",
  position: (position) => `Log-Position ${position}`,
  whyTitle: "Warum tut dieser Agent das?",
  whyPick: "Agenten wählen",
  whyHint:
    "Wählen Sie einen Agenten, um zu sehen, welcher Log-Eintrag seinen Zustand ausgelöst hat.",
  whyHeard: "Letztes Signal",
  whyEntry: "Ausgelöst von",
  whyNone: "noch kein Eintrag; das ist sein Anfangszustand",
  whyElsewhere:
    "Dieser Eintrag ist kein Ereignis des Büros. Seine Signale tragen dieselbe Nummer in den Metadaten.",
  whyRawEntry: "JSON des Eintrags",
  whyRawAgent: "JSON des Agenten",
  whySignal: "Letztes Signal",
  whyNoSignal: "Kein aktuelles Signal erwähnt diesen Agenten.",
  entryNumber: (seq) => `Log-Eintrag ${seq}`,
  ago: (span) => `vor ${span}`,
  visitor: "Gast, nur aus Signalen bekannt",
};
