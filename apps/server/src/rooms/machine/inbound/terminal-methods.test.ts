import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, type Outcome } from "@atrium/core";
import type { OpenedTerminal } from "../../../agents/terminal/attended-turn.ts";
import type { Caller } from "../../../pipeline/method-router.ts";
import { takeTerminalMethod } from "./terminal-methods.ts";

const OPENED = {
  runId: "r1",
  command: ["claude"],
  cwd: "/w",
  env: { HOME: "/h" },
  variables: ["K"],
};

function callerAt(place: object): Caller {
  const principal = {
    credential: { kind: "token" },
    address: "127.0.0.1",
    isLocal: true,
    ...place,
  };
  return {
    principal,
    scopes: new Set(["operator.write"]),
    errorBudget: { allowsDetail: () => true },
  } as unknown as Caller;
}

async function take(caller: Caller, owner?: string) {
  const asked: unknown[] = [];
  const method = takeTerminalMethod({
    async take(target, who): Promise<Outcome<OpenedTerminal>> {
      asked.push([target, who]);
      return accept(OPENED);
    },
  });
  const outcome = await method.call(
    { target: "r1", pid: 7, ...(owner !== undefined && { owner }) },
    caller,
  );
  return { outcome, asked };
}

test("[TERMINAL-5] [TERMINAL-6] a person on this machine takes a session, and an owner is one clean line", async () => {
  const { outcome, asked } = await take(callerAt({}), "ann\u001b[2J\n\u202eeve");
  assert.deepEqual(outcome, {
    ok: true,
    value: { ...OPENED, env: [{ name: "HOME", value: "/h" }] },
  });
  assert.deepEqual(asked, [["r1", { by: "ann[2J", pid: 7 }]]);
  assert.deepEqual((await take(callerAt({}), "\u0007")).asked, [["r1", { by: "someone", pid: 7 }]]);
});

test("[TERMINAL-5] nobody on another machine takes a session, and no agent", async () => {
  for (const [place, code] of [
    [{ isLocal: false }, "credential.elsewhere"],
    [{ isLocal: false, credential: { kind: "device" } }, "terminal.unavailable"],
    [{ credential: { kind: "run" } }, "credential.run"],
    [{ isOfAgent: () => true }, "credential.run"],
  ] as const) {
    const { outcome, asked } = await take(callerAt(place));
    assert.equal(outcome.ok ? "taken" : outcome.code, code);
    assert.deepEqual(asked, []);
  }
});
