/** What agents were always allowed: all of it, with who allowed it and from where, to be taken back one by one. */
import type { CallResult, GatewayClient } from "@atrium/client";
import type { ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { Button } from "../../ui/controls.tsx";
import { useGatewayList } from "./use-gateway-list.ts";

type Rule = CallResult<"exec.approval.rules.list">["rules"][number];

async function readRules(client: GatewayClient): Promise<readonly Rule[]> {
  return (await client.call("exec.approval.rules.list", {})).rules;
}

export function StandingPermissions(): ReactNode {
  const words = useTexts().settings;
  const { rows: rules, act } = useGatewayList(readRules);
  const revoke = (id: string): Promise<void> =>
    act((client) => client.call("exec.approval.rules.revoke", { id }));
  if (rules === undefined) return null;
  return (
    <section className="settings-card">
      <h2>{words.standingTitle}</h2>
      <p className="hint">{words.agentRights}</p>
      <p className="hint">{rules.length === 0 ? words.standingNone : words.standingText}</p>
      <ul className="plain-list">
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} onRevoke={() => void revoke(rule.id)} />
        ))}
      </ul>
    </section>
  );
}

function RuleRow({ rule, onRevoke }: { readonly rule: Rule; readonly onRevoke: () => void }) {
  const words = useTexts().settings;
  const { language } = useAppearance();
  const { tool, input, scope, cwd, host, agentId, by, byOrigin, createdAtMs, pattern } = rule;
  const about = [agentId, cwd, host].filter((each) => each !== undefined).join(", ");
  const when = new Date(createdAtMs).toLocaleString(language);
  return (
    <li className="row spread">
      <span className="stack is-tight">
        <strong dir="auto">{tool}</strong>
        <code className="as-written" dir="ltr">
          {input}
        </code>
        <small className="hint">
          {scope === undefined ? words.standingVoid(pattern ?? "") : words.standingScopes[scope]}
          {about !== "" && `, ${about}`}
        </small>
        <small className="hint">{words.standingBy(by, byOrigin ?? "", when)}</small>
      </span>
      <Button look="small" onClick={onRevoke}>
        {words.standingRevoke}
        <span className="visually-hidden"> {tool}</span>
      </Button>
    </li>
  );
}
