import type { reviewWords as english } from "../english/review.ts";

export const reviewWords: typeof english = {
  back: "Zurück ins Büro",
  details: "Einzelheiten",
  keys: "Tasten",
  split: "Nebeneinander",
  source: "Quelltext",
  against: "Vergleichen mit",
  base: "dem Anfang der Arbeit",
  conflict: "dem Konflikt, den sie löst",
  ctrlEnter: "Strg ↵",
  diffLabel: (files) =>
    files === 1 ? "Änderungen in 1 Datei" : `Änderungen in ${files.toLocaleString("de")} Dateien`,
  gap: (lines) =>
    lines === undefined
      ? "Der Rest der Datei"
      : lines === 1
        ? "1 Zeile unverändert"
        : `${lines.toLocaleString("de")} Zeilen unverändert`,
  nothingChanged: "Keine Datei ist anders.",
  progress: (viewed, all, hasMore) =>
    `${viewed.toLocaleString("de")} von ${all.toLocaleString("de")}${hasMore ? "+" : ""} Dateien angesehen`,
  viewed: "Angesehen",
  evidence: "Werkzeuge und Worte",
  foldFile: (path) => `${path} zeigen oder verbergen`,
  viewsOf: (path) => `Wie ${path} gezeigt wird`,
  wholeFile: "Ganze Datei",
  asItReads: "Als Text",
  binary: "Das ist kein Text. Die Seite kann es nicht zeigen.",
  sides: { old: "Vorher", new: "Nachher" },
  flags: { check: "bestimmt über Prüfungen", ci: "Teil der CI", lock: "Lock-Datei" },
  flagged: "Hier zweimal hinsehen",
  omitted: "Nicht in der Änderung",
  omittedWhy: {
    secret: "sieht nach einem Geheimnis aus",
    large: "zu groß",
    nested: "ein eigenes Repository",
    unreadable: "war nicht zu lesen",
    name: "kein möglicher Dateiname",
  },
  instructions: "Was gewünscht war",
  acceptance: "Was gelten muss",
  threads: "Kommentare",
  checks: "Prüfungen",
  checkStates: {
    running: "läuft",
    passed: "bestanden",
    failed: "nicht bestanden",
    error: "konnte nicht laufen",
    skipped: "übersprungen",
  },
  optionalCheck: "nicht verlangt",
  summary: "Was der Agent dazu sagt",
  unfinished: "Der Agent kam an eine Grenze, bevor er fertig war.",
  howMade: "Wie es entstand",
  commentStates: {
    resolved: "erledigt",
    addressed: "bearbeitet",
    untouched: "nicht bearbeitet",
    outdated: "die Zeilen gibt es nicht mehr",
  },
  commentOf: (version, line) => `zu Zeile ${line} von Version ${version}`,
  answer: "Antwort des Agenten",
  resolve: "Erledigt",
  draft: "noch nicht gesendet",
  draftOf: (version) => `nicht gesendet, für Version ${version}`,
  commentOnLine: (line) => `Kommentar zu Zeile ${line}`,
  commentOnLines: (from, to) => `Kommentar zu den Zeilen ${from} bis ${to}`,
  notCommentable:
    "Zeilen einer anderen Version lassen sich nicht kommentieren. Vergleichen Sie erst mit dem Anfang der Arbeit.",
  commentExample: "Was soll hier anders sein?",
  keep: "Kommentar behalten",
  edit: "Bearbeiten",
  discard: "Verwerfen",
  suggest: "Andere Zeilen vorschlagen",
  apply: "Jetzt übernehmen",
  changesField: (comments) =>
    comments === 1
      ? "Was soll sich ändern? (freiwillig: Ihr Kommentar geht mit)"
      : `Was soll sich ändern? (freiwillig: Ihre ${comments} Kommentare gehen mit)`,
  toSend: (comments) =>
    comments === 1
      ? "1 Kommentar geht mit, wenn Sie Änderungen anfordern."
      : `${comments} Kommentare gehen mit, wenn Sie Änderungen anfordern.`,
  landings: {
    pending: "Freigegeben. Die Änderung wird in das Projekt übernommen.",
    landed: "Diese Änderung ist Teil des Projekts.",
    conflicted: "Eine andere Änderung kam dazwischen. Der Agent bringt beide zusammen.",
    reverting: "Die Änderung wird zurückgenommen.",
    reverted: "Diese Änderung wurde zurückgenommen.",
  },
  conflictsIn: (paths) => `Beide ändern ${paths.join(", ")}.`,
  revert: "Änderung zurücknehmen",
  revertSure: "Wirklich zurücknehmen?",
  keyList: [
    ["j k", "nächste und vorige Zeile"],
    ["Umschalt j k", "mehr Zeilen wählen"],
    ["n p", "nächste und vorige Änderung"],
    ["] [", "nächste und vorige Datei"],
    ["c", "die gewählten Zeilen kommentieren"],
    ["e", "unveränderte Zeilen aufklappen"],
    ["v", "Datei angesehen oder nicht"],
    ["s", "nebeneinander oder untereinander"],
    ["a", "freigeben"],
    ["r", "Änderungen anfordern"],
    ["Esc", "zurück ins Büro"],
  ],
};
