import type { settingsWords as english } from "../english/settings.ts";

export const settingsWords: typeof english = {
  title: "Einstellungen",
  localTitle: "In diesem Browser",
  localText:
    "Nur hier gespeichert. Andere Browser, andere Menschen und die Agenten wissen nichts davon, außer dem Namen.",
  personName: "Ihr Name",
  personNone: "Anonym",
  personHint: (most: number): string =>
    `Steht für alle bei dem, worum Sie bitten, was Sie entscheiden und worauf Sie zeigen. Bis zu ${most} Zeichen. Zum Anmelden dient er nicht.`,
  personKept: (name: string): string => `Ihr Name ist jetzt ${name}.`,
  personForgotten: "Sie sind jetzt anonym.",
  names: {
    theme: "Aussehen",
    language: "Sprache",
    motion: "Bewegung",
    sound: "Ton",
    picture: "Grafik",
    shortcuts: "Kürzel mit einer Taste",
    invitation: "Erste Schritte",
  },
  choices: {
    theme: { auto: "System", day: "Tag", night: "Nacht" },
    language: { auto: "Browser", en: "English", de: "Deutsch" },
    motion: { auto: "System", reduced: "Reduziert" },
    sound: { off: "Stumm", on: "Klang, wenn ich gebraucht werde" },
    picture: {
      auto: "Automatisch",
      low: "Niedrig",
      medium: "Mittel",
      high: "Hoch",
      plan: "Grundriss",
    },
    shortcuts: { on: "An", off: "Aus" },
    invitation: { shown: "Zeigen", dismissed: "Ausblenden" },
  },
  tryChime: "Anhören",
  loginsTitle: "Sitzungen",
  loginsText:
    "Browser, die hier angemeldet sind. Einer von einem anderen Rechner wartet oben, bis Sie ihn einlassen; vergleichen Sie die Kennung, die seine Seite zeigt. Wen Sie abmelden, der braucht wieder den Link des Servers; was er offen hat, wird sofort geschlossen.",
  loginsNone:
    "Kein Browser hat sich angemeldet: Dieser Server verlangt auf seinem eigenen Rechner keinen Token.",
  loginName: (name) => `Name von ${name}`,
  loginAbout: (address, since, seen) => `von ${address}, seit ${since}, zuletzt gesehen ${seen}`,
  loginThis: "Das ist der Browser, in den Sie gerade schauen.",
  loginWaits: (address, since, id) =>
    `wartet auf Einlass, von ${address}, seit ${since}; seine Seite zeigt ${id}`,
  loginApprove: "Einlassen",
  loginReject: "Abweisen",
  loginRevoke: "Abmelden",
  loginSignOut: "Abmelden",
  standingTitle: "Dauerhafte Erlaubnisse",
  standingText:
    "Was Agenten wieder tun dürfen, ohne zu fragen: genau das, und nichts, was anders ist.",
  standingNone: "Nichts ist dauerhaft erlaubt: Agenten fragen jedes Mal.",
  agentRights:
    "Was ein Agent startet, läuft mit den Rechten des Benutzers, dem der Server gehört: Es kann lesen, was dieser lesen kann, auch das Token des Servers.",
  standingScopes: {
    conversation: "in seinem Gespräch",
    project: "für sein Projekt",
    everywhere: "überall",
  },
  standingVoid: (pattern) =>
    `ungültig: galt für mehr, als gelesen wurde${pattern === "" ? "" : ` (${pattern})`}; es wird wieder gefragt`,
  standingBy: (by, origin, when) =>
    `erlaubt von ${by}${origin === "" ? "" : `, ${origin}`}, ${when}`,
  standingRevoke: "Zurücknehmen",
  serverTitle: "Auf dem Server",
  serverText: (file, exists) =>
    exists
      ? `Gelesen aus ${file}. Ändern Sie es dort und starten Sie den Server neu.`
      : `Es gelten die Standardwerte. Zum Ändern schreiben Sie ${file} und starten den Server neu.`,
  agentsTitle: "Agenten",
  agentName: "Name",
  agentRole: "Rolle",
  agentRuntime: "Laufzeit",
  agentModel: "Modell",
  runtimesTitle: "Laufzeiten",
  runtimeName: "Name",
  runtimeType: "Art",
  runtimeAbout: "Wie",
  runtimePrice: "Preis für eine Million Token",
  price: (input, output) => `${input} Eingabe, ${output} Ausgabe`,
  priceCached: (input) => `${input} aus dem Cache`,
  usedBy: "Benutzt von",
  nobody: "niemandem",
  rehearsal: "Kein Modell: Das Team spielt nur, und nichts wird ausgegeben.",
  budgetsTitle: "Budgets",
  budgets: {
    run: "Token je Antwort",
    conversation: "Token je Gespräch",
    project: "Token je Projekt",
  },
  noLimit: "ohne Grenze",
  budgetCost: (cost) => `oder ${cost}`,
  budgetText: "Am Limit halten Agenten an und fragen; keine Arbeit geht verloren.",
  connecting: "Der Server wird gefragt …",
  gone: "Der Server kann gerade nicht gefragt werden.",
};
