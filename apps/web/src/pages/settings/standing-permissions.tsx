/** What agents were always allowed: all of it, with who allowed it and from where, to be taken back one by one. */
import type { CallResult } from "@atrium/client";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { useAppearance, useApp, useTexts } from "../../app/app.ts";
import { messageOf } from "../../app/feedback/error-text.ts";
import { useGateway } from "../../app/use-gateway.ts";
import { Button } from "../../ui/controls.tsx";

type Rule = CallResult<"exec.approval.rules.list">["rules"][number];

export function StandingPermissions(): ReactNode {
  const words = useTexts().settings;
  const { client } = useGateway();
  const { notices } = useApp();
  const [rules, setRules] = useState<readonly Rule[]>();
  const look = useCallback(async (): Promise<void> => {
    if (client === undefined) return;
    setRules((await client.call("exec.approval.rules.list", {})).rules);
  }, [client]);
  useEffect(() => {
    // What cannot be read is not there: the banner says that the server is gone.
    look().catch(() => undefined);
  }, [look]);
  const revoke = async (id: string): Promise<void> => {
    try {
      await client?.call("exec.approval.rules.revoke", { id });
      await look();
    } catch (cause) {
      notices.say(messageOf(cause), "refused");
    }
  };
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
