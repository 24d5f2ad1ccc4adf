import type { workshopWords as english } from "../english/workshop.ts";

export const workshopWords: typeof english = {
  notRead: (why) => `Das konnte nicht geladen werden: ${why}`,
  sandboxTitle: "Sandbox",
  sandboxTesting: "Die Sandbox wird geprüft…",
  sandboxOn: (name) => `An: ${name}`,
  sandboxOff: "Aus: Sie werden bei jedem Befehl gefragt",
  sandboxOnText:
    "Befehle von Agenten laufen in einer Sandbox. Sie ändern nur Dateien im Ordner ihrer Aufgabe, sehen sonst nichts von diesem Computer und haben kein Netz, außer Sie erlauben es für einen Befehl.",
  sandboxOffText:
    "Befehle von Agenten laufen hier ohne Sandbox. Atrium fragt Sie bei jedem und führt keinen ohne Ihre Antwort aus. Ein erlaubter Befehl hat die Rechte des Benutzers, unter dem der Server läuft.",
  sandboxWhy: "Grund",
  sandboxMend:
    "Eine Sandbox braucht Linux, bubblewrap ab Version 0.8 und User-Namespaces. Installieren Sie bubblewrap auf dem Computer des Servers und starten Sie den Server neu.",
  selfTest: (refused, all) =>
    refused === all
      ? `Selbsttest: ${all} Auswege versucht, alle versperrt`
      : `Selbsttest: ${refused} von ${all} Auswegen versperrt`,
  selfTestText: "Beim Start versucht der Server, so aus seiner eigenen Sandbox zu kommen.",
  outcomes: { refused: "versperrt", escaped: "kam hinaus", untried: "nicht zu versuchen" },
  repositories: "Repositorys",
  repositoriesText:
    "Agenten arbeiten an Kopien dieser Repositorys. Ihre Dateien, Zweige und nicht eingetragenen Änderungen bleiben unberührt.",
  repositoriesNone: "Noch kein Repository. Ein Projekt ohne Repository bekommt ein leeres eigenes.",
  gitMissing: "Kein Git",
  gitMissingText:
    "Installieren Sie Git ab Version 2.38 auf dem Computer des Servers. Bis dahin haben Agenten keine Dateien zum Arbeiten; alles andere geht.",
  repositoryReady: "Bereit",
  repositoryBroken: "Nicht benutzbar",
  kinds: { git: "Git-Repository", folder: "Ordner ohne Git", own: "Von Atrium angelegt" },
  startsFrom: (commit) => `Arbeit beginnt bei ${commit}`,
  terminal: "Befehl",
  terminalNothing: "Er hat nichts ausgegeben.",
  terminalCut: "Die frühere Ausgabe steht hier nicht.",
  terminalLatest: "Zum Neuesten",
  terminalWhole: (size) => `Ganze Ausgabe zeigen (${size})`,
  terminalGone: "Die Ausgabe konnte nicht geladen werden. Vielleicht wurde sie gelöscht.",
  download: "Herunterladen",
};
