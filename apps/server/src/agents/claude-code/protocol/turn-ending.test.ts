import assert from "node:assert/strict";
import { test } from "node:test";
import { isKnownSession, isMissingSession } from "./turn-ending.ts";

test("[CLAUDE-2] what Claude Code says of a session is understood, also from a terminal, which has no spaces", () => {
  const id = "516c0b0c-b91c-8e14-aba9-1d490e695ee3";
  for (const text of [
    `No conversation found with session ID: ${id}`,
    `it ended with code 1: 4muNoconversationfoundwithsessionID:${id}`,
  ]) {
    assert.deepEqual([isMissingSession(text), isKnownSession(text)], [true, false], text);
  }
  for (const text of [
    `Error: Session ID ${id} is already in use.`,
    `it ended with code 1: Error:SessionID${id}isalreadyinuse.`,
  ]) {
    assert.deepEqual([isMissingSession(text), isKnownSession(text)], [false, true], text);
  }
});
