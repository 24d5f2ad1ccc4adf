import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveAppearance } from "../app/appearance.ts";
import { createNotices } from "../app/notices.ts";
import { createPerson, plainName } from "../app/person.ts";
import {
  DEFAULT_PREFERENCES,
  PREFERENCES,
  createPreferences,
  readPreferences,
} from "../app/preferences.ts";
import { pathOf, readRoute } from "../app/route.ts";
import { signIn, type LoginDeps } from "../app/server/sign-in.ts";
import { textsOf } from "../i18n/texts.ts";

/** A browser's store, and what is in it. */
function keeping() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  return { kept, storage };
}

test("[WEB-36] a name is kept by the browser as one line of plain text, cut where it gets long", () => {
  const { kept, storage } = keeping();
  createPerson(storage).setState({ name: "Ada" });
  assert.equal(createPerson(storage).getState().name, "Ada");
  kept.set("atrium.name", " \u202Eeve\n\u0000 and\tmallory ");
  assert.equal(createPerson(storage).getState().name, "eve and mallory");
  assert.equal(plainName("<b>Ada</b>"), "<b>Ada</b>");
  assert.equal(plainName("x".repeat(99)).length, 40);
  assert.equal(plainName(`${"x".repeat(39)}😀`), "x".repeat(39));
  assert.equal(plainName(" \u2028 "), "");
});

test("[WEB-6] preferences are kept by the browser; what it kept and nobody understands is left out", () => {
  const { storage } = keeping();
  createPreferences(storage).setState({ theme: "night", language: "de" });
  const again = createPreferences(storage).getState();
  assert.deepEqual(again, { ...DEFAULT_PREFERENCES, theme: "night", language: "de" });
  for (const [name, choices] of Object.entries(PREFERENCES)) {
    for (const choice of choices) {
      const read = readPreferences(JSON.stringify({ [name]: choice }));
      assert.deepEqual(read, { ...DEFAULT_PREFERENCES, [name]: choice });
    }
  }
  for (const text of [null, "", "{", "[]", "null", '{"theme":"pink","motion":7}']) {
    assert.deepEqual(readPreferences(text), DEFAULT_PREFERENCES, String(text));
  }
});

test("[WEB-6] what was not chosen is taken from the browser: darkness, motion, and the first language we speak", () => {
  const around = {
    prefersDark: true,
    prefersReducedMotion: false,
    languages: ["fr-FR", "de-AT", "en"],
  };
  assert.deepEqual(resolveAppearance(DEFAULT_PREFERENCES, around), {
    isNight: true,
    isMotionReduced: false,
    language: "de",
  });
  const chosen = {
    ...DEFAULT_PREFERENCES,
    theme: "day",
    language: "en",
    motion: "reduced",
  } as const;
  assert.deepEqual(resolveAppearance(chosen, around), {
    isNight: false,
    isMotionReduced: true,
    language: "en",
  });
  assert.equal(
    resolveAppearance(DEFAULT_PREFERENCES, { ...around, languages: ["fr"] }).language,
    "en",
  );
});

test("[WEB-7] an address is a page and what is open on it; an unknown path is no page", () => {
  assert.deepEqual(readRoute({ pathname: "/", search: "" }), {
    page: "office",
    rest: "",
    show: undefined,
  });
  const [pathname = "", search = ""] = pathOf("office", "task:task_a b").split("?");
  assert.equal(readRoute({ pathname, search: `?${search}` }).show, "task:task_a b");
  assert.deepEqual(readRoute({ pathname: "/builds/b%201", search: "" }), {
    page: "builds",
    rest: "b 1",
    show: undefined,
  });
  assert.equal(readRoute({ pathname: "/nowhere", search: "" }).page, undefined);
  assert.equal(readRoute({ pathname: "/builds/%", search: "" }).rest, "%");
});

test("[WEB-9] no language lacks a word", () => {
  const said = (value: unknown, path = ""): string[] => {
    if (typeof value === "string") return value === "" ? [] : [path];
    if (typeof value === "function") return [path];
    return Object.entries(value as object).flatMap(([key, each]) => said(each, `${path}.${key}`));
  };
  assert.deepEqual(said(textsOf("de")), said(textsOf("en")));
});

test("[WEB-2] the token leaves the address before it is sent, and never goes into one", async () => {
  const steps: string[] = [];
  const kept: unknown[] = [];
  let said: object = { isIn: true };
  const deps = (hash: string, status: number): LoginDeps => ({
    location: { hash, href: `http://a/?show=ask${hash}` },
    history: { replaceState: (_, __, url) => void steps.push(`address ${String(url)}`) },
    secret: { keep: (secret) => void kept.push(secret) },
    fetch: async (url, init) => {
      steps.push(
        `${init?.method ?? "GET"} ${url as string} ${JSON.stringify(init?.headers ?? {})}`,
      );
      return Response.json(init?.method === "POST" ? { page: "half" } : said, { status });
    },
  });
  assert.deepEqual(await signIn(deps("#token=s3cret", 200)), { type: "in" });
  assert.deepEqual(kept.splice(0), ["half"]);
  assert.deepEqual(steps, [
    "address http://a/?show=ask",
    'POST /api/login {"authorization":"Bearer s3cret"}',
  ]);
  assert.deepEqual(await signIn(deps("#token=s3cret", 401)), { type: "wrong-token" });
  assert.deepEqual(await signIn(deps("#token=s3cret", 429)), { type: "too-many-tries" });
  assert.deepEqual(await signIn(deps("#token=%0a", 200)), { type: "wrong-token" });
  assert.deepEqual(await signIn(deps("", 200)), { type: "in" });
  said = { isIn: false };
  assert.deepEqual(await signIn(deps("", 200)), { type: "no-token" });
  said = { isIn: false, isOutdated: true };
  assert.deepEqual(await signIn(deps("", 200)), { type: "outdated" });
  assert.deepEqual(kept, []);
  const cut = { ...deps("", 200), fetch: () => Promise.reject(new TypeError("no network")) };
  assert.deepEqual(await signIn(cut), { type: "no-answer" });
});

test("notices go away by themselves or when dismissed, and never pile up", () => {
  const due: (() => void)[] = [];
  const spans: number[] = [];
  const notices = createNotices((run, delayMs) => {
    due.push(run);
    spans.push(delayMs);
  });
  const texts = (): string[] => notices.store.getState().map(({ text }) => text);
  for (const text of ["a", "b", "c", "d"]) notices.say(text);
  assert.deepEqual(texts(), ["b", "c", "d"]);
  notices.dismiss(notices.store.getState()[0]!.id);
  due.at(-1)!();
  assert.deepEqual(texts(), ["c"]);
  notices.say("twice");
  notices.say("twice");
  assert.equal(texts().filter((text) => text === "twice").length, 1);
  notices.say("no", "refused");
  assert.ok(spans.at(-1)! > spans[0]!, "what was refused is there for longer");
});
