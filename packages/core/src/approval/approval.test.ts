import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "@atrium/log";
import type { Answerer } from "../answerer.ts";
import { createApprovals, type Approvals } from "../projections/approvals.ts";
import { accept, refuse } from "../refusal.ts";
import { given } from "../testing/index.ts";
import { approval, type ApprovalEvent, type ApprovalSubject } from "./approval.ts";
import { CODE_LETTERS, parseReply } from "./reply.ts";
import { fits, isCovered, ruleFor } from "./rule.ts";

const ann: Answerer = { id: "device-a", name: "Ann", via: "gateway" };
const bob: Answerer = { id: "device-b", name: "Bob", via: "chat" };

const subject: ApprovalSubject = {
  tool: "shell",
  summary: "npm publish",
  cwd: null,
  host: null,
  nodeId: null,
  warning: null,
  conversationKey: "agent:main:main",
  runId: "run-1",
  agent: "main",
  askedBy: "agent",
  mayAlways: true,
};

const requested: ApprovalEvent & { type: "approval.requested" } = {
  type: "approval.requested",
  id: "a1",
  code: "abxyz",
  subject,
  expiresAt: 1_000,
};
const request = { ...requested, type: "request", standing: null } as const;
const allowOnce = { type: "allow", how: "once", by: ann } as const;
const allowed: ApprovalEvent = { type: "approval.allowed", how: "once", by: ann };

test("[CORE-130] a permission is asked for once and settled once", () => {
  assert.deepEqual(given(approval).when(request), accept([requested]));
  assert.deepEqual(given(approval, requested).when(request), refuse("approval.taken", "a1"));
  assert.deepEqual(given(approval, requested).when(allowOnce), accept([allowed]));
  assert.deepEqual(
    given(approval, requested).when({ type: "deny", by: bob }),
    accept([{ type: "approval.denied", by: bob }]),
  );
  assert.deepEqual(
    given(approval, requested).when({ type: "expire", why: "timeout" }),
    accept([{ type: "approval.expired", why: "timeout" }]),
  );
  for (const command of [allowOnce, { type: "expire", why: "timeout" }] as const) {
    assert.deepEqual(given(approval).when(command), refuse("approval.missing"));
  }
});

test("[WORLD-100] what is said with a permission is kept with it, whichever way it went", () => {
  const note = "not before Monday";
  assert.deepEqual(
    given(approval, requested).when({ type: "deny", by: ann, note }),
    accept([{ type: "approval.denied", by: ann, note }]),
  );
  assert.deepEqual(
    given(approval, requested).when({ ...allowOnce, note }),
    accept([{ type: "approval.allowed", how: "once", by: ann, note }]),
  );
  // A retry that leaves the note out changes nothing.
  const denied: ApprovalEvent = { type: "approval.denied", by: ann, note };
  assert.deepEqual(given(approval, requested, denied).when({ type: "deny", by: ann }), accept([]));
});

test("[CORE-131] whoever answers second is told who decided what", () => {
  const settled = given(approval, requested, allowed);
  const late = refuse("approval.settled", "allowed once by Ann (gateway)");
  assert.deepEqual(settled.when({ type: "deny", by: bob }), late);
  assert.deepEqual(settled.when({ ...allowOnce, by: bob }), late);
  assert.deepEqual(settled.when({ ...allowOnce, how: "always" }), late);
  assert.deepEqual(settled.when({ type: "expire", why: "timeout" }), late);
  const denied = given(approval, requested, { type: "approval.denied", by: bob });
  assert.deepEqual(denied.when(allowOnce), refuse("approval.settled", "denied by Bob (chat)"));
  const expired = given(approval, requested, { type: "approval.expired", why: "restart" });
  assert.deepEqual(expired.when(allowOnce), refuse("approval.settled", "expired (restart)"));
});

test("[CORE-131] the same answer from the same one is a retry and changes nothing", () => {
  assert.deepEqual(given(approval, requested, allowed).when(allowOnce), accept([]));
  const denied = given(approval, requested, { type: "approval.denied", by: bob });
  assert.deepEqual(denied.when({ type: "deny", by: bob }), accept([]));
  const expired = given(approval, requested, { type: "approval.expired", why: "timeout" });
  assert.deepEqual(expired.when({ type: "expire", why: "run-ended" }), accept([]));
});

test("[CORE-132] always is an answer only where it is offered", () => {
  const always = { type: "allow", how: "always", by: ann } as const;
  assert.equal(given(approval, requested).when(always).ok, true);
  const limited = { ...requested, subject: { ...subject, mayAlways: false } };
  assert.deepEqual(given(approval, limited).when(always), refuse("approval.limited"));
});

test("[CORE-132] what always covers is allowed together with the request", () => {
  assert.deepEqual(
    given(approval).when({ ...request, standing: ann }),
    accept([{ ...requested, isCovered: true }, allowed]),
  );
  const approvals = fold(requested, { type: "approval.allowed", how: "always", by: ann });
  assert.deepEqual(approvals.standingFor({ ...subject, runId: "run-2" }), ann);
  for (const other of [
    { ...subject, summary: "npm publish --force" },
    { ...subject, tool: "other" },
    { ...subject, agent: "eng_1" },
    { ...subject, conversationKey: "agent:main:other" },
  ]) {
    assert.equal(approvals.standingFor(other), undefined);
  }
  assert.equal(fold(requested, allowed).standingFor(subject), undefined);
});

test("[CORE-133] open ones are found by id and by code, settled ones for a while", () => {
  const open = fold(requested);
  assert.deepEqual(
    open.listOpen().map(({ id }) => id),
    ["a1"],
  );
  assert.equal(open.get("a1")?.settled, null);
  assert.equal(open.findByCode("abxyz")?.id, "a1");
  const settled = fold(requested, allowed);
  assert.deepEqual([settled.openCount, settled.listOpen()], [0, []]);
  assert.deepEqual(settled.get("a1")?.settled, { at: 2, outcome: allowed });
  assert.equal(settled.findByCode("abxyz")?.id, "a1");
});

test("[CORE-133] a code that is used again means the one that is open", () => {
  const approvals = fold(requested, allowed);
  apply(approvals, "a2", { ...requested, id: "a2" });
  assert.equal(approvals.findByCode("abxyz")?.id, "a2");
});

test("[CORE-133] only the latest settled ones are kept, and a snapshot holds the rest", () => {
  const approvals = createApprovals();
  for (let n = 0; n < 250; n++) {
    apply(approvals, `a${n}`, { ...requested, id: `a${n}` });
    if (n < 240) apply(approvals, `a${n}`, { type: "approval.allowed", how: "always", by: ann });
  }
  assert.equal(approvals.get("a0"), undefined);
  assert.equal(approvals.openCount, 10);
  const loaded = createApprovals();
  loaded.load(JSON.parse(JSON.stringify(approvals.save())));
  assert.deepEqual(loaded.save(), approvals.save());
  assert.deepEqual(loaded.listOpen(), approvals.listOpen());
  assert.deepEqual(loaded.standingFor(subject), ann);
});

test("[CORE-134] a reply is read in any case, with spaces and punctuation around", () => {
  for (const text of [
    "yes abxyz",
    " Yes  ABXYZ. ",
    "`yes abxyz`",
    "YES, abxyz!",
    "\nyes: abxyz\n",
  ]) {
    assert.deepEqual(parseReply(text), { isYes: true, isAlways: false, code: "abxyz" }, text);
  }
  const no = { isYes: false, isAlways: false, code: "abxyz" };
  assert.deepEqual(parseReply("No - abxyz"), no);
  assert.equal(parseReply("yes abxyz, always!")?.isAlways, true);
  assert.deepEqual(parseReply("no abxyz always"), no);
});

test("[CORE-134] anything else is no reply", () => {
  for (const text of [
    "",
    "yes",
    "abxyz",
    "yes abxy",
    "yes abxyzz",
    "yes abxyl",
    "yesabxyz",
    "yes abxyz please",
    "oh yes abxyz",
    "maybe abxyz",
    `yes abxyz${" ".repeat(100)}`,
  ]) {
    assert.equal(parseReply(text), undefined, text);
  }
  assert.equal(CODE_LETTERS.includes("l"), false);
  assert.equal(new Set(CODE_LETTERS).size, 25);
});

function fold(...events: readonly ApprovalEvent[]): Approvals {
  const approvals = createApprovals();
  for (const event of events) apply(approvals, "a1", event);
  return approvals;
}

function apply(approvals: Approvals, id: string, { type, ...data }: ApprovalEvent): void {
  const at = type === "approval.requested" ? 1 : 2;
  const entry: Entry = { seq: 1, stream: `approval/${id}`, type, at, data };
  approvals.apply(entry);
}

test("[CORE-135] a pattern stands for words, with stars for anything, in one pass", () => {
  for (const [pattern, words, isFit] of [
    ["npm test", "npm test", true],
    ["npm test", "npm test x", false],
    ["npm *", "npm test", true],
    ["npm *", "npmtest", false],
    ["*", "", true],
    ["git * --force", "git push --force", true],
    ["git * --force", "git --force", false],
    ["a*b*c", "a1b2c", true],
    ["a*b*c", "acb", false],
    ["a*a", "a", false],
    ["npm install *", "npm install left-pad; rm -rf /", false],
    ["npm install *", "npm install left-pad && curl evil.test", false],
    ["npm install *", "npm install $(cat ~/.ssh/id_rsa)", false],
    ["npm install *", "npm install x\nrm -rf /", false],
    ["echo * > log.txt", "echo tide > log.txt", true],
    ["echo * > log.txt", "echo tide > ~/.bashrc; echo x > log.txt", false],
    ["*", "make; make install", true],
    [String.raw`rm \*`, "rm *", true],
    [String.raw`rm \*`, "rm all", false],
    ["a*".repeat(200), `${"a".repeat(5_000)}b`, true],
    [`${"a*".repeat(200)}c`, "a".repeat(5_000), false],
  ] as const) {
    assert.equal(fits(pattern, words), isFit, `${pattern} ${words.slice(0, 20)}`);
  }
});

test("[CORE-135] an always without a pattern covers exactly the same words, stars and all", () => {
  const starred = { ...subject, summary: "rm *" };
  const exact = ruleFor(starred, null, ann);
  assert.equal(isCovered(exact, starred), true);
  assert.equal(isCovered(exact, { ...starred, summary: "rm everything" }), false);
  const wide = ruleFor(subject, "npm *", ann);
  assert.equal(isCovered(wide, { ...subject, summary: "npm install" }), true);
  for (const other of [{ tool: "other" }, { agent: "other" }, { conversationKey: "other" }]) {
    assert.equal(isCovered(wide, { ...subject, summary: "npm install", ...other }), false);
  }
});

test("[CORE-135] a pattern that does not fit what is asked for is refused", () => {
  const open = given(approval, requested);
  const allow = { type: "allow", how: "always", by: ann } as const;
  assert.deepEqual(
    open.when({ ...allow, pattern: "git *" }),
    refuse("approval.unfitting", "git *"),
  );
  const granted = open.when({ ...allow, pattern: "*" });
  assert.deepEqual(
    granted,
    accept([{ type: "approval.allowed", how: "always", pattern: "*", by: ann }]),
  );
});
