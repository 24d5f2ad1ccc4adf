import type { shellWords as english } from "../english/shell.ts";

export const shellWords: typeof english = {
  pageNames: {
    office: "Büro",
    builds: "Builds",
    chat: "Chat",
    signals: "Signale",
    settings: "Einstellungen",
  },
  pagesLabel: "Seiten",
  skipToContent: "Zum Inhalt springen",
  loading: "Wird geladen…",
  notFoundTitle: "Seite nicht gefunden",
  notFoundText:
    "Unter dieser Adresse gibt es keine Seite. Prüfen Sie die Adresse, oder gehen Sie zum Büro.",
  notFoundHome: "Zum Büro",
  makeDay: "Tagmodus einschalten",
  makeNight: "Nachtmodus einschalten",
  otherLanguage: "EN: show in English",
  fileTooLarge: (name) => `${name} ist zu groß. Erlaubt sind höchstens 5 MB je Datei.`,
  fileTooMany: (name) =>
    `${name} konnte nicht angehängt werden. Erlaubt sind höchstens 10 Dateien mit zusammen 15 MB.`,
  fileUnread: (why) => `Die Datei konnte nicht gelesen werden: ${why} Hängen Sie sie neu an.`,
  dismiss: "Ausblenden",
  close: "Schließen",
  staleTitle: "Verbindung unterbrochen.",
  staleTrying: (retries) => `Neue Verbindung, Versuch ${retries}…`,
  staleWaiting: (retries, seconds) =>
    `Sie sehen den letzten bekannten Stand. Versuch ${retries} beginnt in ${seconds} s. Aktionen ruhen, bis die Verbindung wieder steht.`,
  tryNow: "Jetzt versuchen",
  readingOnlyTitle: "Nur Lesen.",
  readingOnlyText: (why) =>
    `Der Server kann zurzeit keine Änderungen speichern (${why}). Alles bleibt sichtbar; Aktionen gehen wieder, sobald er es kann.`,
  loginTitle: "Anmelden",
  loginText:
    "Öffnen Sie den Link, den der Server beim Start ausgegeben hat, oder fügen Sie hier seinen Token ein.",
  signInAgainTitle: "Bitte melden Sie sich erneut an",
  signInAgainText:
    "Ihre Sitzung in diesem Browser ist abgelaufen oder stammt von einer früheren Version. Öffnen Sie den Link, den der Server ausgegeben hat, oder fügen Sie hier seinen Token ein.",
  waitingTitle: "Wartet auf Freigabe",
  waitingText:
    "Dieser Browser läuft auf einem anderen Computer als Atrium. Öffnen Sie auf dem Computer, auf dem Atrium läuft, Einstellungen → Sitzungen und geben Sie diesen Browser frei. Danach geht es hier automatisch weiter.",
  waitingHint: "Oder führen Sie dort in einem Terminal diesen Befehl aus:",
  turnedAwayTitle: "Zugriff verweigert",
  turnedAwayText:
    "Jemand hat diesem Browser den Zugriff verweigert. War das ein Versehen, öffnen Sie den Link noch einmal.",
  loginsCrowdedTitle: "Zu viele Browser warten",
  loginsCrowdedText:
    "Mehrere Browser in Ihrem Netz warten auf Freigabe. Geben Sie einen davon frei, oder versuchen Sie es in 15 Minuten noch einmal.",
  wrongTokenTitle: "Ungültiger Token",
  wrongTokenText:
    "Der Token ist veraltet oder gehört zu einem anderen Server. Nehmen Sie den Link, den der Server beim Start ausgibt.",
  tooManyTriesText:
    "Dieser Computer hat zu viele falsche Token gesendet. Warten Sie eine Minute und versuchen Sie es dann erneut.",
  noAnswerTitle: "Der Server antwortet nicht",
  noAnswerText: "Vielleicht startet der Server noch. Laden Sie diese Seite gleich noch einmal.",
  loginHint: "Dieser Befehl gibt den Link aus:",
  loginField: "Token oder Link",
  loginButton: "Anmelden",
  done: {
    asked: "Auftrag gesendet. Das Team plant ihn am Besprechungstisch.",
    given: (task, agent) => `An ${agent} vergeben: ${task}`,
    handedOut: (project) => `Arbeit begonnen: ${project}`,
    answered: (choice) => `Ihre Antwort: ${choice}`,
    approved: (result) => `Freigegeben: ${result}`,
    sentBack: (result) => `Änderungen angefordert: ${result}`,
    split: (count) => (count === 1 ? "1 Aufgabe angelegt" : `${count} Aufgaben angelegt`),
    kickoff: (project) => `Kickoff begonnen: ${project}`,
    cancelled: (task) => `Abgebrochen: ${task}`,
    paused: (project) => `Pausiert: ${project}`,
    resumed: (project) => `Fortgesetzt: ${project}`,
    again: (task) => `Neuer Versuch: ${task}`,
    restored: (task) => `Die früheren Dateien sind zurück: ${task}`,
    forked: (task) => `Eine neue Aufgabe beginnt dort: ${task}`,
    added: (task) => `Hinzugefügt: ${task}`,
    edited: (task) => `Gespeichert: ${task}`,
    removed: (task) => `Entfernt: ${task}`,
    reverting: (result) => `Wird zurückgenommen: ${result}`,
    delivering: (project) => `Ausgeliefert: ${project}`,
    applied: (result) => `Vorschläge übernommen: ${result}`,
    updating: (project) => `Wird aktualisiert: ${project}`,
  },
  refusals: {
    VALIDATION_FAILED: "Ungültige Anfrage. Prüfen Sie Ihre Eingabe und versuchen Sie es erneut.",
    NOT_FOUND: "Nicht gefunden. Vielleicht wurde es entfernt.",
    CONFLICT: "Der Stand hat sich geändert. Prüfen Sie ihn und versuchen Sie es erneut.",
    RATE_LIMITED: "Zu viele Anfragen. Warten Sie kurz und versuchen Sie es dann erneut.",
    NOT_ALLOWED: "Der aktuelle Stand lässt diese Aktion nicht zu.",
    INTERNAL:
      "Der Server hatte einen internen Fehler. Versuchen Sie es erneut, oder sehen Sie in das Log des Servers.",
    PROTOCOL_VERSION_UNSUPPORTED:
      "Diese Seite ist älter als der Server. Laden Sie diese Seite neu.",
    STALE:
      "Keine Verbindung. Es wurde nichts gesendet. Versuchen Sie es erneut, sobald die Verbindung wieder steht.",
  },
  refusalReasons: {
    "artifact.superseded":
      "Es gibt eine neuere Version, darum wurde nichts gesendet. Prüfen Sie zuerst die neuere Version.",
    "artifact.status": "Dieses Ergebnis wartet nicht mehr auf eine Prüfung.",
    "task.status": "Der Status der Aufgabe hat sich geändert und lässt diese Aktion nicht mehr zu.",
    "project.status":
      "Das Projekt ist pausiert oder beendet, darum ist diese Aktion nicht möglich.",
    "decision.settled": "Diese Frage ist schon beantwortet.",
    "question.settled": "Diese Frage ist schon beantwortet.",
    "approval.settled": "Über diese Erlaubnis ist schon entschieden.",
    "approval.limited":
      "Sie können das für diesen Bereich nicht erlauben. Erlauben Sie es stattdessen einmal.",
    "question.misanswered":
      "Die Antwort passt nicht zur Frage. Prüfen Sie sie und versuchen Sie es erneut.",
    "build.misanswered":
      "Die Antwort passt nicht zur Frage. Prüfen Sie sie und versuchen Sie es erneut.",
    "plan.malformed":
      "Der Plan passt nicht zusammen. Jede Aufgabe braucht einen Titel, und keine kann auf sich selbst warten.",
    "delivery.unsafe":
      "Ihr Branch kann nicht sicher bewegt werden: Er hat sich geändert, oder Dateien sind nicht eingecheckt. Liefern Sie einen neuen Branch.",
    "delivery.impossible": "Das geht hier nicht. Liefern Sie auf andere Weise aus.",
    "line.missing": "Noch ist nichts zusammengeführt. Geben Sie zuerst eine Änderung frei.",
    "task.waiting": "Diese Aufgabe wartet auf andere. Sie beginnt, wenn diese erledigt sind.",
    "task.missing": "Diese Aufgabe ist nicht mehr im Plan.",
    "request.empty": "Der Auftrag ist leer. Geben Sie einen Text ein.",
    "message.empty": "Die Nachricht ist leer. Geben Sie einen Text ein.",
    "attachment.refused":
      "Der Server hat eine angehängte Datei abgelehnt. Entfernen Sie sie und versuchen Sie es erneut.",
    "agent.unknown": "Kein Agent hat diesen Namen.",
    "workspace.busy":
      "Ein Agent arbeitet gerade an diesen Dateien. Nichts wurde geändert. Warten Sie, bis er fertig ist, oder pausieren Sie das Projekt.",
    "workspace.missing": "Diese Aufgabe hat keine Dateien.",
    "workspace.status": "Der Ordner dieser Aufgabe wurde mit ihrem Ende aufgeräumt.",
    "moment.missing": "Diese Aufgabe hatte in diesem Moment noch keine Dateien.",
  },
  tooLong: (count, most) =>
    `Der Text hat ${count.toLocaleString("de")} Zeichen. Erlaubt sind höchstens ${most.toLocaleString("de")}. Es wurde nichts gesendet.`,
  tooManyTitles: (count, most) =>
    `Sie haben ${count.toLocaleString("de")} Aufgaben eingegeben. Erlaubt sind höchstens ${most.toLocaleString("de")}. Entfernen Sie ${(count - most).toLocaleString("de")}.`,
  titleTooLong: (line, count, most) =>
    `Der Titel von Aufgabe ${line.toLocaleString("de")} hat ${count.toLocaleString("de")} Zeichen. Erlaubt sind höchstens ${most.toLocaleString("de")}.`,
};
