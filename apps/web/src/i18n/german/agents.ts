import type { agentWords as english } from "../english/agents.ts";

export const agentWords: typeof english = {
  forWhom: "Arbeitet für",
  everyone: "Das ganze Team",
  useForEveryone: "Für das ganze Team verwenden",
  useForOne: "Für dieses Mitglied verwenden",
  model: "Modell",
  permissions: "Darf ohne Rückfrage",
  presets: {
    sandbox: "Alles innerhalb der Sandbox",
    edit: "Dateien ändern, keine Befehle ausführen",
    ask: "Nichts: fragt jedes Mal",
  },
  presetScope:
    "Das gilt, wo er an der Kopie eines Repositorys arbeitet. Sonst fragt er, wie es seine Einstellungen sagen.",
  presetUsual: "Wie üblich für das, was ihn antreibt",
  askedPerTurn: (name) =>
    `${name} fragt nicht nach einzelnen Werkzeugen: Sie werden einmal vor jedem seiner Züge gefragt.`,
  trustsFolder: (name) =>
    `${name} wird mit --skip-trust gestartet und vertraut so jedem Ordner, in dem es arbeitet, mit den Einstellungen dort. Nennen Sie nur Ordner, denen Sie vertrauen.`,
  asEachHas: "Wie für jeden Agenten eingestellt",
  more: "Repository und Grenzen",
  moreWithKey: "Repository, Grenzen und Schlüssel",
  repository: "Repository, an dem er arbeiten darf",
  repositoryHint:
    "Ein Ordner auf dem Rechner des Servers. Agenten arbeiten an Kopien; Ihre Dateien bleiben, wie sie sind.",
  runCost: "Rückfrage, wenn ein Lauf mehr kostet, in US-Dollar",
  runTokens: "Rückfrage, wenn ein Lauf mehr Token braucht",
  keyName: "Aufbewahrt als",
  key: "Schlüssel",
  keyHint:
    "Statt einer Anmeldung. Er liegt in einer Datei, die nur der Benutzer des Servers liest, und wird nie wieder gezeigt.",
  testTurn: "Danach Hallo sagen",
  testCostProgram:
    "Eine kurze Antwort. Das Programm schickt seine eigenen Anweisungen mit, etwa zehntausend Token, die Ihr Tarif oder Schlüssel bezahlt.",
  testCostLocal: "Eine kurze Antwort eines Modells auf dem Rechner des Servers.",
  connecting: "Wird verbunden …",
  connected: (name) => `${name} arbeitet ab jetzt für Sie.`,
  asking: (name) => `Verbunden. ${name} antwortet …`,
  testTook: (tokens, price) =>
    tokens === undefined
      ? `Kosten: ${price ?? "unbekannt"}.`
      : `Das waren ${tokens} Token, ${price ?? "Kosten unbekannt"}.`,
  byHand: "Stattdessen von Hand einrichten",
  crewTitle: "Agenten",
  crewText: "Wer hier arbeitet und was jeden antreibt. Änderungen gelten sofort.",
  connectTitle: "Einen Agenten verbinden",
  name: "Name",
  role: "Rolle",
  runtime: "Angetrieben von",
  desk: "Schreibtisch",
  deskAny: "Ein freier Schreibtisch",
  deskNumber: (desk) => `Schreibtisch ${desk}`,
  look: "Anderes Aussehen",
  lookNext: (name) => `Anderes Aussehen für ${name}`,
  edit: "Bearbeiten",
  editOne: (name) => `Bearbeiten: ${name}`,
  save: "Speichern",
  remove: "Entfernen",
  removeOne: (name) => `${name} aus dem Team entfernen`,
  cancel: "Abbrechen",
  add: "Mitglied hinzufügen",
  id: "Kennung",
  idHint: "Kleinbuchstaben, Ziffern und _, zum Beispiel ops. Sie lässt sich später nicht ändern.",
  saved: (name) => `${name} ist gespeichert.`,
  added: (name) => `${name} gehört jetzt zum Team.`,
  removed: (name) => `${name} hat das Team verlassen.`,
  notRead: (message) => `Die Einstellungen lassen sich nicht lesen: ${message}`,
};
