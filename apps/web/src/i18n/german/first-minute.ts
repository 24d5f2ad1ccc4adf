import type { firstWords as english } from "../english/first-minute.ts";

export const firstWords: typeof english = {
  title: "Ihr erster Auftrag",
  more: "Vorgaben, Repository und Dateien",
  later: "Erst einmal umsehen",
  demo: "Demo: kein Modell.",
  connectOne: "Eines verbinden",
  wasRehearsal: "Das war eine Probe.",
  wasRehearsalText: "Verbinden Sie Ihren Agenten, und er tut dasselbe in Ihrem eigenen Repository.",
  connectYours: "Agenten verbinden",
  notNow: "Nicht jetzt",
  connectTitle: "Einen Agenten verbinden",
  connectText:
    "Das Team probt, bis ein Agent dahintersteht. Wählen Sie einen, der auf dem Rechner des Servers ist.",
  connectWhich: "Welcher Agent",
  looking: "Agenten werden gesucht…",
  lookAgain: "Noch einmal suchen",
  notLooked: (message) => `Agenten ließen sich nicht suchen: ${message}`,
  notFound: (count) => `Nicht gefunden (${count})`,
  notConnectable: (name) => `${name} lässt sich so nicht verbinden.`,
  states: {
    ready: "bereit",
    "login-needed": "erst anmelden",
    "login-unknown": "installiert",
    "too-old": "zu alt",
    broken: "funktioniert nicht",
  },
  stepSettings:
    "1. Schreiben Sie das in atrium.config.json, in dem Ordner, in dem Sie den Server starten",
  stepStart: "2. Starten Sie den Server damit neu",
  stepRepository: "3. Binden Sie Ihr Repository ein",
  stepRepositoryText: "Ihre Dateien bleiben unberührt: Agenten arbeiten an einer Kopie.",
};
