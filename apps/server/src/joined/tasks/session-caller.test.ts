import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse, type JoinedSessionRow, type SessionDetails } from "@atrium/core";
import { createFindCaller, type CallerClaim } from "./session-caller.ts";

const identityOf = (pid: number): string => `${pid}:1`;

function sessionOf(id: string, details: Partial<SessionDetails>): JoinedSessionRow {
  const known = { program: "codex", model: null, owner: null, branch: null, canAsk: false };
  return {
    id,
    isHere: true,
    details: { ...known, folder: "/shop", process: null, ...details },
    activity: "idle",
    joinedAt: 1,
    heardAt: 1,
    messages: [],
  };
}

test("[JOIN-68] a session's tools are found by its process, by the one that serves it, or by its folder; none is guessed", () => {
  const finder = (...sessions: JoinedSessionRow[]) => {
    const findCaller = createFindCaller({ sessions: { list: () => sessions }, identityOf });
    return (claim: Partial<CallerClaim>) => findCaller({ pid: null, folder: "/shop", ...claim });
  };
  const unknown = refuse("joined-session.unknown");
  const own = finder(sessionOf("a", { process: "7:1" }), sessionOf("b", { process: "8:1" }));
  assert.deepEqual(own({ pid: 8 }), accept("b"));
  assert.deepEqual(own({ pid: 9 }), unknown);
  // The server of a plugin need not be in the session's folder.
  const served = finder(sessionOf("a", { servedBy: "7:1" }), sessionOf("b", {}));
  assert.deepEqual(served({ pid: 7, folder: "/elsewhere" }), accept("a"));
  const two = finder(
    sessionOf("a", { servedBy: "7:1", folder: "/sea" }),
    sessionOf("b", { servedBy: "7:1" }),
    sessionOf("c", {}),
  );
  assert.deepEqual(two({ pid: 7 }), accept("b"));
  assert.deepEqual(two({ pid: 7, folder: "/elsewhere" }), unknown);
  const same = finder(sessionOf("a", {}), sessionOf("b", {}));
  assert.deepEqual(same({ pid: 7 }), unknown);
  assert.deepEqual(finder(sessionOf("a", {}))({ pid: 7 }), accept("a"));
  assert.deepEqual(finder(sessionOf("a", { folder: null }))({ pid: 7, folder: null }), unknown);
});
