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
  loading: "Einen Moment…",
  notFoundTitle: "Hier ist nichts",
  notFoundText: "Unter dieser Adresse gibt es keine Seite.",
  notFoundHome: "Zum Büro",
  makeDay: "Auf Tag umstellen",
  makeNight: "Auf Nacht umstellen",
  otherLanguage: "EN: show in English",
  fileTooLarge: (name) => `${name} ist zu groß; Dateien dürfen bis zu 5 MB haben.`,
  fileTooMany: (name) =>
    `Für ${name} ist kein Platz mehr; anhängen lassen sich bis zu 10 Dateien mit zusammen 15 MB.`,
  fileUnread: (why) => `Diese Datei lässt sich nicht lesen: ${why}`,
  dismiss: "Ausblenden",
  close: "Schließen",
  cancel: "Abbrechen",
  staleTitle: "Nicht live.",
  staleTrying: (retries) => `Neue Verbindung, Versuch ${retries}…`,
  staleWaiting: (retries, seconds) =>
    `Sie sehen den letzten Stand. Versuch ${retries} schlug fehl, der nächste folgt in ${seconds} s. Aktionen ruhen, bis die Verbindung wieder steht.`,
  failedTitle: "Der Server hat diese Seite abgewiesen.",
  tryNow: "Jetzt versuchen",
  loginTitle: "Anmelden",
  loginText:
    "Öffnen Sie es mit dem Link, den der Server beim Start ausgibt; er enthält Ihren Token.",
  signInAgainTitle: "Bitte melden Sie sich neu an",
  signInAgainText:
    "Die Anmeldung dieses Browsers ist vorbei oder stammt von einer früheren Version. Öffnen Sie den Link, den der Server ausgegeben hat, oder fügen Sie seinen Token ein.",
  waitingTitle: "Wartet auf Einlass",
  waitingText:
    "Dieser Browser läuft auf einem anderen Rechner als Atrium. Lassen Sie ihn auf dem Rechner ein, auf dem Atrium läuft, unter Einstellungen → Sitzungen; dann geht es hier von selbst weiter.",
  waitingHint: "Oder dort in einem Terminal:",
  turnedAwayTitle: "Dieser Browser wurde abgewiesen",
  turnedAwayText:
    "Jemand hat entschieden, ihn nicht einzulassen. War das ein Versehen, kommen Sie noch einmal über den Link.",
  loginsCrowdedTitle: "Zu viele Browser warten",
  loginsCrowdedText:
    "Aus Ihrem Netz haben schon mehrere um Einlass gebeten. Lassen Sie einen davon ein, oder versuchen Sie es in einer Viertelstunde noch einmal.",
  wrongTokenTitle: "Ungültiger Token",
  wrongTokenText:
    "Ihr Link gehört zu einem anderen Büro oder ist veraltet. Nehmen Sie den Link, den der Server beim Start ausgibt.",
  tooManyTriesText:
    "Von diesem Rechner kamen zu viele falsche Token. Warten Sie eine Minute und versuchen Sie es dann erneut.",
  noAnswerTitle: "Der Server antwortet nicht",
  noAnswerText: "Vielleicht startet er noch. Laden Sie die Seite gleich noch einmal.",
  loginHint: "Ausgegeben wird er von",
  loginField: "Token oder der ganze Link",
  loginButton: "Anmelden",
  done: {
    asked: "Der Empfang hat es. Achten Sie auf den Besprechungstisch.",
    given: (task: string, agent: string): string => `An ${agent} gegeben: ${task}`,
    handedOut: (project: string): string => `Arbeit begonnen: ${project}`,
    answered: (choice: string): string => `Ihre Antwort: ${choice}`,
    approved: (result: string): string => `Freigegeben: ${result}`,
    sentBack: (result: string): string => `Zurückgegeben: ${result}`,
    split: (count: number): string =>
      count === 1 ? "Eine neue Aufgabe daraus gemacht" : `In ${count} Aufgaben geteilt`,
    kickoff: (project: string): string => `Kickoff: ${project}`,
    cancelled: (task: string): string => `Abgebrochen: ${task}`,
    paused: (project: string): string => `Angehalten: ${project}`,
    resumed: (project: string): string => `Fortgesetzt: ${project}`,
    again: (task: string): string => `Noch einmal: ${task}`,
  },
  refusals: {
    VALIDATION_FAILED: "Ungültige Anfrage.",
    NOT_FOUND: "Das gibt es nicht mehr.",
    CONFLICT: "Inzwischen hat sich etwas geändert; sehen Sie noch einmal nach.",
    RATE_LIMITED: "Zu viel auf einmal. Warten Sie kurz und versuchen Sie es dann erneut.",
    NOT_ALLOWED: "Das geht zurzeit nicht.",
    INTERNAL: "Auf der Seite des Servers ist etwas schiefgegangen.",
    PROTOCOL_VERSION_UNSUPPORTED: "Diese Seite ist älter als der Server. Laden Sie sie neu.",
    STALE: "Gerade besteht keine Verbindung; es wurde nichts gesendet.",
  },
  refusalReasons: {
    "artifact.superseded":
      "Inzwischen gibt es eine neuere Fassung. Sehen Sie sie erst an; es wurde nichts gesendet.",
    "artifact.status": "Dieses Ergebnis wartet nicht mehr auf eine Prüfung.",
    "task.status": "Die Aufgabe ist inzwischen weiter; das geht damit nicht mehr.",
    "project.status": "Das Projekt ruht oder ist vorbei, darum geht das jetzt nicht.",
    "decision.settled": "Das wurde schon beantwortet.",
    "question.settled": "Das wurde schon beantwortet.",
    "approval.settled": "Das wurde schon entschieden.",
    "approval.limited": "Diese Erlaubnis lässt sich nur einmal geben.",
    "question.misanswered": "Die Antwort passt nicht zur Frage.",
    "build.misanswered": "Die Antwort passt nicht zur Frage.",
    "plan.malformed": "So lassen sich keine Aufgaben anlegen: Jede braucht einen eigenen Titel.",
    "request.empty": "Da steht noch nichts.",
    "message.empty": "Da steht noch nichts.",
    "attachment.refused": "Eine der Dateien kann nicht angenommen werden.",
    "agent.unknown": "So heißt niemand im Team.",
  },
  tooLong: (count, most) =>
    `Das sind ${count.toLocaleString("de")} Zeichen; höchstens ${most.toLocaleString("de")} sind möglich. Es wurde nichts gesendet.`,
  tooManyTitles: (count, most) =>
    `${count.toLocaleString("de")} Aufgaben sind ${count - most} zu viel; höchstens ${most.toLocaleString("de")} gehen auf einmal.`,
  titleTooLong: (line, count, most) =>
    `Aufgabe ${line.toLocaleString("de")} hat ${count.toLocaleString("de")} Zeichen; ein Titel hat höchstens ${most.toLocaleString("de")}.`,
};
