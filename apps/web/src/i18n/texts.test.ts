import assert from "node:assert/strict";
import { test } from "node:test";
import { textsOf } from "./texts.ts";

/** Every text that is one, by where it stands; what is a function of something is not among them. */
function textsIn(words: unknown, path = ""): readonly (readonly [string, string])[] {
  if (typeof words === "string") return [[path, words]];
  if (typeof words !== "object" || words === null) return [];
  return Object.entries(words).flatMap(([name, value]) =>
    textsIn(value, path === "" ? name : `${path}.${name}`),
  );
}

/** Said alike in both. */
const SHARED = new Set(
  "Atrium,Builds,Chat,Code,Live,Agent,Name,Browser,System,English,Deutsch,Budget,Budgets,Plan,Repository,Sandbox,Zone,Server,Status,Version,optional".split(
    ",",
  ),
);

test("[WEB-9] each language has words of its own for everything", () => {
  const german = new Map(textsIn(textsOf("de")));
  const same = textsIn(textsOf("en")).filter(
    ([path, text]) =>
      german.get(path) === text && !SHARED.has(text) && !path.startsWith("review.keyList."),
  );
  assert.deepEqual(same, []);
});

test("[WEB-9] the page calls things by the names people know, in both languages", () => {
  const [english, german] = [textsOf("en"), textsOf("de")];
  const said = ({ settings, signals, chat, builds, loginTitle, loginButton }: typeof english) => [
    [loginTitle, loginButton],
    [settings.names.picture, ...Object.values(settings.choices.picture)],
    [settings.names.shortcuts, settings.personNone, settings.choices.theme.auto],
    [signals.fields.correlationId, signals.raw],
    [chat.input, chat.result],
    [builds.failedTitle, builds.retry, builds.refused("no")],
  ];
  assert.deepEqual(said(english), [
    ["Sign in", "Sign in"],
    ["Graphics", "Automatic", "Low", "Medium", "High", "2D floor plan"],
    ["Single-key shortcuts", "Anonymous", "System"],
    ["Correlation ID", "Raw JSON"],
    ["Input", "Result"],
    ["Build failed", "Retry", "Could not send: no"],
  ]);
  assert.deepEqual(said(german), [
    ["Anmelden", "Anmelden"],
    ["Grafik", "Automatisch", "Niedrig", "Mittel", "Hoch", "2D-Grundriss"],
    ["Kürzel mit einer Taste", "Anonym", "System"],
    ["Korrelations-ID", "JSON im Original"],
    ["Eingabe", "Ergebnis"],
    ["Build gescheitert", "Wiederholen", "Nicht gesendet: no"],
  ]);
});

test("[WEB-9] the English texts name what they speak of and use American spelling", () => {
  const unclear = /\b(?:whoever|nobody|of a kind|as it is|what is|that one|cancelled|colour)\b/i;
  const found = textsIn(textsOf("en")).filter(([, text]) => unclear.test(text));
  assert.deepEqual(found, []);
});

test("[WEB-8] a lost connection says which attempt comes next, not that it has failed", () => {
  const said = (["en", "de"] as const).map((language) => textsOf(language).staleWaiting(1, 2));
  for (const text of said) assert.doesNotMatch(text, /fail|fehlgeschlagen/);
  assert.match(said.join(" "), /Attempt 1 starts in 2 s\..*Versuch 1 beginnt in 2 s\./);
});

test("[WEB-9] large numbers are written as the language does", () => {
  const said = ({ chat, signals, tooLong, diffSkipped }: ReturnType<typeof textsOf>) =>
    [
      chat.tokens(12_345),
      signals.listLabel(2_000),
      tooLong(20_001, 20_000),
      diffSkipped(1_500),
    ].map((text) => text.match(/\d[\d.,]*\d/g));
  assert.deepEqual(said(textsOf("en")), [["12,345"], ["2,000"], ["20,001", "20,000"], ["1,500"]]);
  assert.deepEqual(said(textsOf("de")), [["12.345"], ["2.000"], ["20.001", "20.000"], ["1.500"]]);
});
