import type { buildWords as english } from "../english/builds.ts";

export const buildWords: typeof english = {
  intro:
    "Beschreiben Sie, was Sie brauchen. Ein Agent baut es in sieben Schritten und stellt Ihnen dabei Fragen.",
  promptLabel: "Was möchten Sie bauen?",
  promptExample: "Ein Bot, der mich ans Blumengießen erinnert",
  start: "Build starten",
  listTitle: "Alle Builds",
  none: "Noch keine Builds.",
  more: "Frühere Builds zeigen",
  new: "Neu",
  stages: {
    working: "im Bau",
    waiting: "fragt Sie",
    completed: "fertig",
    failed: "gescheitert",
    cancelled: "abgebrochen",
  },
  stepsLabel: "Schritte",
  stepStates: { pending: "steht aus", active: "läuft", done: "erledigt", skipped: "ausgelassen" },
  stepsDone: (done, total) => `${done} von ${total} Schritten`,
  steps: {
    "Starting your build": {
      title: "Ihr Build beginnt",
      description: "Ich richte Ihre Sitzung ein.",
    },
    "Understanding your request": {
      title: "Ihre Anfrage verstehen",
      description: "Ich lese Ihre Anfrage und entwerfe den Plan.",
    },
    "Gathering what we need": {
      title: "Zusammentragen, was nötig ist",
      description: "Ich sammle Werkzeuge und Unterlagen.",
    },
    "Planning your agent": {
      title: "Ihren Agenten planen",
      description: "Ich erstelle den Bauplan.",
    },
    "Building your agent": {
      title: "Ihren Agenten bauen",
      description: "Ich setze die Teile zusammen.",
    },
    "Testing everything": {
      title: "Alles prüfen",
      description: "Ich prüfe, ob alles funktioniert.",
    },
    Finalizing: {
      title: "Abschließen",
      description: "Ich schließe ab und bereite das Ergebnis vor.",
    },
  },
  talkLabel: "Gespräch",
  system: "Atrium",
  asksSeveral: "Fragen an Sie",
  handover: "Was gebaut wurde",
  handoverFiles: (count, hasMore) =>
    count === 1
      ? "1 Datei geändert"
      : `${count.toLocaleString("de")}${hasMore ? "+" : ""} Dateien geändert`,
  handoverZip: "Als Zip herunterladen",
  handoverClone: "Klonen",
  handoverPassword:
    "Git fragt nach Name und Passwort: ein beliebiger Name und das Token des Servers.",
  optional: "optional",
  permissionLoading: "Die vollständige Anfrage wird geladen…",
  permissionCode: (code) => `Oder schreiben Sie „yes ${code}“ in das Gespräch des Builds.`,
  permissionAsked: (tool) => `Bittet um Erlaubnis: ${tool}`,
  permissionOutcomes: {
    allowed: (by) => `Erlaubt von ${by}`,
    denied: (by) => `Abgelehnt von ${by}`,
    expired: (_by) => "Ohne Antwort abgelaufen",
  },
  checksOutcomes: {
    running: "Die Prüfungen laufen.",
    passed: "Die Prüfungen sind bestanden.",
    failed: "Die Prüfungen sind nicht bestanden.",
  },
  checkVerdicts: {
    running: "läuft",
    passed: "bestanden",
    failed: "nicht bestanden",
    error: "ließ sich nicht ausführen",
    skipped: "ohne Erlaubnis ausgelassen",
  },
  checkOptional: "nicht verlangt",
  exitCode: (code) => `Exit-Code ${code}`,
  skip: "Überspringen",
  leftBlank: "offen gelassen",
  answered: "Antwort gesendet.",
  cancel: "Build abbrechen",
  cancelled: "Build abgebrochen.",
  filesTitle: "Dateien",
  failedTitle: "Build gescheitert",
  noOutput: "Der Agent hat keine Zusammenfassung geschrieben.",
  noReason: "Der Agent hat keinen Grund genannt.",
  openTalk: "Im Chat öffnen",
  thinking: "Der Agent arbeitet",
  unknown: "Build nicht gefunden. Wählen Sie einen Build aus der Liste.",
};
