import type { sharedWords as english } from "../english/shared.ts";

export const sharedWords: typeof english = {
  agent: "Agent",
  allowQuestion: "Diese Aktion erlauben?",
  answer: "Antworten",
  cancel: "Abbrechen",
  copying: {
    copy: "Kopieren",
    copied: "Kopiert",
    failed:
      "Dieser Browser kann hier nicht kopieren. Der Text ist markiert; kopieren Sie ihn mit der Tastatur.",
  },
  cut: "Der Rest wird nicht gezeigt.",
  download: "Herunterladen",
  failedTitle: "Der Server hat die Verbindung abgelehnt.",
  input: "Eingabe",
  lost: "Keine Verbindung. Neuer Versuch läuft…",
  open: "Öffnen",
  pause: "Anhalten",
  questionForYou: "Frage an Sie",
  result: "Ergebnis",
  retry: "Wiederholen",
  runtime: "Laufzeit",
  send: "Senden",
  you: "Sie",
  refused: (message) => `Nicht gesendet: ${message}`,
};
