import type { signalWords as english } from "../english/signals.ts";

export const signalWords: typeof english = {
  title: "Signale",
  live: "Live",
  lost: "Keine Verbindung; neuer Versuch läuft …",
  paused: (waiting) =>
    waiting === 0 ? "Angehalten" : `Angehalten, ${waiting.toLocaleString("de")} neue`,
  pause: "Anhalten",
  resume: "Fortsetzen",
  fields: {
    type: "Art",
    source: "Quelle",
    agent: "Agent",
    correlationId: "Korrelations-ID",
  },
  clear: "Alle zeigen",
  listLabel: (count) => `Signale, ${count.toLocaleString("de")} gezeigt`,
  none: "Noch nichts, das passt. Was geschieht, erscheint hier von selbst.",
  noSuchType: (type: string): string =>
    `Signale der Art „${type}“ hat das Büro nicht. Wenn jemand eines schickt, erscheint es hier.`,
  older: "Ältere zeigen",
  olderFailed: "Was älter ist, lässt sich gerade nicht lesen.",
  raw: "JSON im Original",
  position: (position) => `Stelle ${position} im Protokoll`,
  whyTitle: "Warum tut er das?",
  whyAgent: "Agent",
  whyPick: "Agenten wählen",
  whyHint: "Wählen Sie einen Agenten, um zu sehen, welcher Eintrag hinter seinem Verhalten steht.",
  whyRuntime: "Laufzeit",
  whyHeard: "Zuletzt gehört",
  whyEntry: "Grund",
  whyNone: "noch keiner; er ist, wo er anfängt",
  whyElsewhere:
    "Dieser Eintrag gehört nicht zu den Ereignissen des Büros; seine Signale tragen dieselbe Nummer in den Metadaten.",
  whyRawEntry: "Der Eintrag als JSON",
  whyRawAgent: "Der Agent als JSON",
  whySignal: "Sein letztes Signal",
  whyNoSignal: "Kein Signal hat zuletzt von ihm erzählt.",
  entryNumber: (seq) => `Eintrag ${seq}`,
  ago: (span) => `vor ${span}`,
  visitor: "ein Gast; nur Signale erzählen von ihm",
};
