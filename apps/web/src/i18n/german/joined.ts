import type { joinedWords as english } from "../english/joined.ts";

export const joinedWords: typeof english = {
  role: "beigetretene Sitzung",
  program: "Programm",
  model: "Modell",
  owner: "Gestartet von",
  folder: "Ordner",
  branch: (folder, branch) => `${folder} (Branch ${branch})`,
  doing: "Benutzt",
  answers: {
    both: "Was sie fragt, wird hier oder in ihrem Terminal beantwortet; die erste Antwort zählt.",
    office: "Was sie fragt, wird hier beantwortet. Ihr eigener Dialog bleibt solange geschlossen.",
    terminal: "Was sie fragt, wird in ihrem Terminal beantwortet, nicht hier.",
  },
  source: "Bekannt aus",
  fromTranscript: "aus ihrem Protokoll gelesen",
  readOnly: (command) =>
    `Sie ist nicht beigetreten: Von hier kann nichts gefragt oder gesendet werden. Zum Beitreten ${command} ausführen und sie neu starten.`,
  cannotJoin:
    "Sie ist nicht beigetreten: Von hier kann nichts gefragt oder gesendet werden. Schreiben Sie in ihrem Terminal.",
  asksInTerminal: "Sie fragt etwas. Antworten Sie in ihrem Terminal.",
  takesTasks:
    "Ihr kann eine Aufgabe gegeben werden: auf der Tafel, oder indem man eine auf sie zieht.",
  attach: {
    title: "In einem Terminal weiterführen",
    text: "Auf dem Rechner des Servers öffnet dies die Sitzung des Agenten in Ihrem Terminal. Er hält solange an und arbeitet weiter, wenn Sie das Programm beenden.",
  },
  messages: "Nachrichten",
  field: "Eine Nachricht hinterlassen",
  leave: "Hinterlassen",
  arrives: {
    working: {
      "at-once": "Sie bekommt dies nach ihrem jetzigen Schritt, wie in ihrem Terminal eingegeben.",
      "tool-result":
        "Sie bekommt dies mit dem Ergebnis des nächsten Werkzeugs oder am Ende ihres Zugs.",
      "turn-end": "Sie bekommt dies am Ende ihres Zugs.",
      wake: "Sie bekommt dies, sobald ihr Zug zu Ende ist.",
      prompt: "Sie bekommt dies mit der nächsten Eingabe in ihrem Terminal.",
    },
    idle: {
      "at-once": "Sie wartet. Sie bekommt dies sofort, wie in ihrem Terminal eingegeben.",
      wake: "Sie wartet. Sie bekommt dies sofort und beginnt damit.",
      prompt: "Sie wartet. Sie bekommt dies mit der nächsten Eingabe in ihrem Terminal.",
      "turn-end": "Sie wartet. Sie bekommt dies am Ende des nächsten Zugs in ihrem Terminal.",
      "tool-result": "Sie wartet. Sie bekommt dies, wenn sie wieder ein Werkzeug benutzt.",
    },
    never: "Dieses Programm nimmt keine Nachrichten an. Schreiben Sie in seinem Terminal.",
  },
  waits: "wartet",
  unconfirmed: "gesendet; das Programm hat den Empfang nicht bestätigt",
  denied: "im Terminal abgelehnt",
  delivered: {
    "at-once": "sofort zugestellt",
    "tool-result": "mit dem Ergebnis eines Werkzeugs zugestellt",
    "turn-end": "am Ende eines Zugs zugestellt",
    prompt: "mit einer Eingabe zugestellt",
    wake: "sofort zugestellt",
  },
  sightings: {
    title: "Sitzungen in Terminals",
    text: "Sitzungen zeigen, die nicht beigetreten sind. Dazu werden die Dateien gelesen, die ein Programm auf dem Rechner des Servers führt. Sie sind zu sehen, nicht zu beantworten. Eingaben und Antworten werden nicht behalten.",
    reads: (files) => `Liest ${files}`,
    on: (name) => `Sitzungen von ${name} werden gezeigt.`,
    off: (name) => `Sitzungen von ${name} werden nicht mehr gelesen.`,
  },
};
