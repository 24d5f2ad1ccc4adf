import type { settingsWords as english } from "../english/settings.ts";

export const settingsWords: typeof english = {
  localTitle: "Dieser Browser",
  localText:
    "Diese Einstellungen gelten nur in diesem Browser. Andere Menschen und die Agenten sehen nur Ihren Namen.",
  personName: "Ihr Name",
  personNone: "Anonym",
  personHint: (most) =>
    `Alle sehen diesen Namen bei Ihren Aufträgen, Entscheidungen und Zeigern. Bis zu ${most} Zeichen. Zum Anmelden brauchen Sie ihn nicht.`,
  personKept: (name) => `Ihr Name ist jetzt „${name}“.`,
  personForgotten: "Sie sind jetzt anonym.",
  names: {
    theme: "Darstellung",
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
    sound: { off: "Aus", on: "Klang bei Bedarf" },
    picture: {
      auto: "Automatisch",
      low: "Niedrig",
      medium: "Mittel",
      high: "Hoch",
      plan: "2D-Grundriss",
    },
    shortcuts: { on: "An", off: "Aus" },
    invitation: { shown: "Zeigen", dismissed: "Ausblenden" },
  },
  tryChime: "Klang abspielen",
  loginsTitle: "Sitzungen",
  loginsText:
    "Browser, die an diesem Server angemeldet sind. Ein Browser auf einem anderen Computer wartet oben, bis Sie ihn freigeben. Vergleichen Sie vorher seine ID mit der ID auf seiner Seite. Wenn Sie einen Browser abmelden, wird er sofort getrennt und braucht zum Anmelden wieder den Link des Servers.",
  loginsNone:
    "Kein Browser ist angemeldet. Dieser Server verlangt auf seinem eigenen Computer keinen Token.",
  loginName: (name) => `Name von ${name}`,
  loginAbout: (address, since, seen) =>
    `Adresse: ${address}. Angemeldet: ${since}. Zuletzt gesehen: ${seen}.`,
  loginThis: "Diesen Browser benutzen Sie gerade.",
  loginWaits: (address, since, id) =>
    `Wartet auf Freigabe seit ${since}. Adresse: ${address}. ID auf seiner Seite: ${id}`,
  loginApprove: "Freigeben",
  loginReject: "Ablehnen",
  loginRevoke: "Abmelden",
  standingTitle: "Dauerhafte Erlaubnisse",
  standingText: "Agenten dürfen genau diese Aktionen wiederholen, ohne Sie zu fragen.",
  standingNone: "Es gibt keine dauerhaften Erlaubnisse. Agenten fragen Sie jedes Mal.",
  agentRights:
    "Ein Programm, das ein Agent startet, hat die Rechte des Benutzers, unter dem der Server läuft. Es kann jede Datei lesen, die dieser Benutzer lesen kann, auch den Token des Servers.",
  standingScopes: {
    conversation: "in seinem Gespräch",
    project: "in seinem Projekt",
    everywhere: "überall",
  },
  standingVoid: (pattern) =>
    `Ungültig: Sie galt für mehr, als Sie gelesen hatten${pattern === "" ? "" : ` (${pattern})`}. Agenten fragen Sie wieder`,
  standingBy: (by, origin, when) =>
    `Erlaubt von ${by}${origin === "" ? "" : `, ${origin}`}, ${when}`,
  standingRevoke: "Widerrufen",
  serverTitle: "Server",
  serverText: (file, exists) =>
    exists
      ? `Es gelten die Einstellungen in ${file}.`
      : `Es gelten die Standardeinstellungen. Was Sie ändern, steht danach in ${file}.`,
  agentsTitle: "Agenten",
  agentName: "Name",
  agentRole: "Rolle",
  agentModel: "Modell",
  agentPermissions: "In seinem Arbeitsbereich",
  permissions: {
    ask: "Fragt vor jeder Änderung und jedem Befehl",
    edit: "Ändert Dateien, fragt vor Befehlen",
    sandbox: "Tut alles, was in der Sandbox bleibt",
  },
  permissionsUsual: "Wie üblich für seine Laufzeit",
  runtimesTitle: "Laufzeiten",
  runtimeName: "Name",
  runtimeType: "Typ",
  runtimeAbout: "Einzelheiten",
  runtimePrice: "Preis je Million Token",
  price: (input, output) => `${input} Eingabe, ${output} Ausgabe`,
  priceCached: (input) => `${input} Eingabe aus dem Cache`,
  usedBy: "Benutzt von",
  nobody: "keinem Agenten",
  rehearsal: "Kein Modell. Die Agenten folgen einem Skript und kosten nichts.",
  budgetsTitle: "Budgets",
  budgets: {
    run: "Token je Antwort",
    conversation: "Token je Gespräch",
    project: "Token je Projekt",
  },
  noLimit: "Kein Limit",
  budgetCost: (cost) => `oder ${cost}`,
  budgetText:
    "Wenn ein Budget aufgebraucht ist, hält der Agent an und fragt Sie. Es geht keine Arbeit verloren.",
  connecting: "Die Einstellungen des Servers werden geladen…",
  gone: "Die Einstellungen des Servers konnten nicht geladen werden. Prüfen Sie, ob der Server läuft.",
};
