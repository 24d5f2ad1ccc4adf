import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";
import { createScreenReader } from "./screen.ts";

test("a dialog is recognized however it is drawn", () => {
  const screens = {
    starting: "",
    theme: "\u001B[2J\u001B[3;1HChoose\u001B[1Cthe\u001B[1Ctext style that looks best",
    "security notes": "Security notes:\r\n1. Claude can make mistakes.\r\nPress Enter to continue…",
    "trust, no chosen": "❯ No, exit\r\n  Yes, I trust this folder",
    "trust, yes chosen": "  No, exit\r\n❯\u001B[1CYes, I trust this folder",
    login: "Select login method:",
    "api key": "Detected a custom API key in your environment",
    "channel warning": "❯ 1. I am using this for local development\r\n  2. Exit",
    ready: "❯ \r\n⏸ manual mode on · ? for shortcuts",
  };
  for (const [screen, drawn] of Object.entries(screens)) {
    const reader = createScreenReader();
    reader.take(drawn);
    assert.equal(reader.read(), screen);
    reader.forget();
    assert.equal(reader.read(), "starting");
  }
});

test("[CLAUDE-9] a terminal is loaded by the first process that needs one, and what is typed is only text", async () => {
  const loaded: string[] = [];
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      loaded.push(found.url);
      return found;
    },
  });
  await import("../../runtimes.ts");
  assert.ok(loaded.length > 0);
  assert.deepEqual(
    loaded.filter((url) => /node-pty/.test(url)),
    [],
  );
  const { typeable } = await import("./interactive.ts");
  assert.equal(typeable("a\r\nb\tc\u001B[201~\u0003\u009B1m\rd"), "a\nb\tc[201~1m\nd");
  assert.equal(typeable("path\\"), "path\\ ");
});
