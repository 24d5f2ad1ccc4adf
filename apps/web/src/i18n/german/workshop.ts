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
  preview: "Vorschau öffnen",
  files: "Dateien",
  filesNone: "Noch keine Dateien. Sie erscheinen, sobald ein Agent daran arbeitet.",
  filesAll: "Alle Dateien",
  filesChanged: (count, hasMore) => `Geändert (${count.toLocaleString("de")}${hasMore ? "+" : ""})`,
  filesMore: "Es gibt mehr Dateien, als hier stehen.",
  changesNone: "Keine Datei ist anders als zu Beginn dieser Arbeit.",
  folderEmpty: "Dieser Ordner ist leer.",
  fileLarge: (size) => `Diese Änderung ist lang${size === "" ? "" : ` (${size})`}.`,
  fileAnyway: "Trotzdem zeigen",
  fileGone: "Diese Datei konnte nicht geladen werden.",
  fileBinary: "Das ist kein Text. Laden Sie die Datei herunter, um sie zu öffnen.",
  fileEmpty: "Diese Datei ist leer.",
  linesMore: (count) => `Mehr zeigen (noch ${count.toLocaleString("de")} Zeilen)`,
  hows: {
    added: "neu",
    changed: "geändert",
    removed: "gelöscht",
    renamed: "umbenannt",
    retyped: "Art geändert",
  },
  entryTypes: { program: "Programm", link: "Verweis", folder: "Ordner", submodule: "Submodul" },
  repository: "Repository",
  repositoryOwn: "Ein neues für diese Arbeit",
  repositoryOwnHint: "Die Arbeit beginnt in einem leeren Repository.",
  repositoryAttach: "Eines von Ihren in den Einstellungen anbinden",
  repositoryHint: (path) =>
    `Die Arbeit beginnt mit einer Kopie von ${path}. Ihre Dateien bleiben unberührt.`,
  repositoryUnusable: (id) => `${id} (nicht benutzbar)`,
  repositoryAdd: "Repository hinzufügen",
  repositoryPath: "Ordner auf dem Computer des Servers",
  repositoryPathHint:
    "Der ganze Pfad eines Git-Repositorys oder eines anderen Ordners. Agenten können alles lesen, was darin eingetragen ist.",
  repositoryId: "Kurzname (freiwillig)",
  repositoryBase: "Zweig, mit dem es beginnt (freiwillig)",
  repositoryIsAdded: (id) => `Hinzugefügt: ${id}`,
  repositoryRemove: "Entfernen",
  repositoryRemoved: (id) => `Entfernt: ${id}`,
  repositorySure: (id) =>
    `${id} entfernen? Neue Arbeit kann es nicht mehr wählen. Laufende Arbeit geht weiter, und Ihr Ordner bleibt, wie er ist.`,
  repositoryConfigured: "aus der Einstellungsdatei",
  repositoryAdded: (by, when) =>
    by === "" ? `hinzugefügt am ${when}` : `hinzugefügt von ${by} am ${when}`,
  repositoryRefusals: {
    "repository.missing":
      "Diesen Ordner gibt es auf dem Computer des Servers nicht. Prüfen Sie den Pfad.",
    "repository.forbidden":
      "Dieser Ordner gehört dem Server selbst. Agenten dürfen ihn nicht sehen. Wählen Sie einen anderen.",
    "repository.taken": "Ein anderes Repository hat diesen Kurznamen. Wählen Sie einen anderen.",
    "repository.configured":
      "Dieses Repository steht in der Einstellungsdatei. Entfernen Sie es dort und starten Sie den Server neu.",
  },
  momentHint:
    "Gehen Sie auf dem Zeitstrahl zurück, um frühere Dateien zu sehen, zu ihnen zurückzukehren oder einen anderen Weg zu versuchen.",
  momentOf: (when) => `Das sind die Dateien um ${when}.`,
  momentActs: { restore: "Hierher zurück", fork: "Von hier neu beginnen" },
  momentSure: {
    restore: (when) =>
      `Die Dateien dieser Aufgabe werden wieder so, wie sie um ${when} waren. Was später kam, verlässt den Ordner, bleibt aber auf dem Zeitstrahl; Sie können genauso dorthin zurück.`,
    fork: (when) =>
      `Eine neue Aufgabe beginnt mit den Dateien von ${when} und weiß, was bis dahin gesagt wurde. Diese Aufgabe bleibt, wie sie ist.`,
  },
  momentOtherwise: "Was soll anders werden? (freiwillig)",
  momentOtherwiseExample: "Eine Tabelle statt eines Diagramms",
  forkedFrom: "Begonnen mit den Dateien von",
};
