/** What was always allowed, with who allowed it, when, by which credential and from where. */
import type { CallResult } from "@atrium/client";
import { ago } from "../../terminal/measures.ts";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine } from "../../terminal/plain-text.ts";

export type Rule = CallResult<"exec.approval.rules.list">["rules"][number];

const REACH = {
  conversation: "in its conversation",
  project: "for its project",
  everywhere: "everywhere",
} as const;

export function describeRules(rules: readonly Rule[], paint: Paint, now: number): string {
  if (rules.length === 0) return "";
  return `${paint.strong("Standing permissions")}\n${rules.map((rule) => describeRule(rule, paint, now)).join("")}`;
}

function describeRule(rule: Rule, paint: Paint, now: number): string {
  const { id, scope, tool, input, cwd, host, agentId, sessionKey, projectId, pattern } = rule;
  const where = [
    agentId,
    cwd === undefined ? undefined : `in ${cwd}`,
    host === undefined ? undefined : `on ${host}`,
    scope === "conversation" ? sessionKey : scope === "project" ? projectId : undefined,
  ].filter((each) => each !== undefined);
  const reach =
    scope === undefined
      ? paint.bad("void: it covered more than was read; the agent asks again")
      : REACH[scope];
  const origin = rule.byOrigin === undefined ? "" : `, ${rule.byOrigin}`;
  const lines = [
    `${id}  ${reach}`,
    ...`${tool} ${input}`.split("\n").map((line) => `│ ${line}`),
    ...(pattern === undefined ? [] : [paint.quiet(`covered: ${plainLine(pattern, 200)}`)]),
    paint.quiet(plainLine(where.join(", "), 300)),
    paint.quiet(`by ${rule.by}${origin}, ${ago(now - rule.createdAtMs)}`),
  ];
  return lines.map((line, at) => `${at === 0 ? "  " : "    "}${line}\n`).join("");
}
