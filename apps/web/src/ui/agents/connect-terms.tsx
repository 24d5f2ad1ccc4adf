/** On which terms an agent works: for whom, what it may do, where, for how much, and with which key. */
import { isAskedPerTurn } from "@atrium/client";
import { useId, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { Field } from "../controls.tsx";
import { EVERYONE, PERMISSIONS, type ConnectTerms, type PresentTerms } from "./agent-terms.ts";
import type { DetectedAgent } from "./detected-agents.ts";
import type { Member } from "./settings-http.ts";

interface TermsProps {
  readonly terms: ConnectTerms;
  /** Undefined until the settings are there. */
  readonly present?: PresentTerms | undefined;
  readonly set: (changed: Partial<ConnectTerms>) => void;
}

/** Whatever somebody else works on is another thing to start from. */
export const AS_IT_IS = { permissions: undefined, runCost: undefined, runTokens: undefined };

interface FirstTermsProps extends TermsProps {
  readonly agent: DetectedAgent;
  readonly members: readonly Member[];
}

export function Terms({
  agent,
  members,
  terms: { whom, permissions },
  present,
  set,
}: FirstTermsProps): ReactNode {
  const { agents: words } = useTexts();
  const hint = useId();
  const { name, runtime = {} } = agent;
  const preset = permissions ?? present?.permissions;
  const isPerTurn = isAskedPerTurn({ runtime, permissions: preset });
  return (
    <div className="stack is-tight">
      <div className="connect-terms">
        <Field label={words.forWhom}>
          <select value={whom} onChange={({ target }) => set({ whom: target.value, ...AS_IT_IS })}>
            <option value={EVERYONE}>{words.everyone}</option>
            {members.map((member) => (
              <option key={member.id} value={member.id}>
                {member.name}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.permissions}>
          <select
            value={preset ?? ""}
            aria-describedby={preset === undefined ? undefined : hint}
            onChange={({ target }) =>
              set({ permissions: PERMISSIONS.find((each) => each === target.value) })
            }
          >
            {present?.permissions === undefined && <option value="">{words.asEachHas}</option>}
            {PERMISSIONS.map((each) => (
              <option key={each} value={each}>
                {words.presets[each]}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {preset !== undefined && (
        <small id={hint} className="hint">
          {words.presetScope}
          {isPerTurn && ` ${words.askedPerTurn(name)}`}
        </small>
      )}
      {trustsFolders(runtime) && <small className="hint">{words.trustsFolder(name)}</small>}
    </div>
  );
}

/** It would ask in its own terminal, which it does not have here. */
function trustsFolders({ command }: NonNullable<DetectedAgent["runtime"]>): boolean {
  return Array.isArray(command) && command.includes("--skip-trust");
}

interface ModelFieldProps {
  readonly models: readonly string[];
  readonly model: string | undefined;
  readonly onChange: (model: string) => void;
}

/** Which of the models of a model server. */
export function ModelField({ models, model, onChange }: ModelFieldProps): ReactNode {
  const { agents: words } = useTexts();
  return (
    <Field label={words.model}>
      <select dir="ltr" value={model} onChange={({ target }) => onChange(target.value)}>
        {models.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </Field>
  );
}

interface KeyedTermsProps extends TermsProps {
  /** Variables in which its key can be; empty: it takes none here. */
  readonly keyNames: readonly string[];
}

/** What most people leave as it is. */
export function MoreTerms({ keyNames, terms, present, set }: KeyedTermsProps): ReactNode {
  const { agents: words } = useTexts();
  const hint = useId();
  return (
    <details className="connect-more">
      <summary>{keyNames.length > 0 ? words.moreWithKey : words.more}</summary>
      <div className="stack">
        <div className="stack is-tight">
          <Field label={words.repository}>
            <input
              dir="ltr"
              value={terms.repository}
              placeholder="/home/ann/shop"
              autoComplete="off"
              spellCheck={false}
              aria-describedby={hint}
              onChange={({ target }) => set({ repository: target.value })}
            />
          </Field>
          <small id={hint} className="hint">
            {words.repositoryHint}
          </small>
        </div>
        <div className="connect-terms">
          <Field label={words.runCost}>
            <input
              type="number"
              min="0.01"
              step="any"
              inputMode="decimal"
              value={terms.runCost ?? present?.runCost ?? ""}
              onChange={({ target }) => set({ runCost: target.value })}
            />
          </Field>
          <Field label={words.runTokens}>
            <input
              type="number"
              min="1"
              step="1"
              inputMode="numeric"
              value={terms.runTokens ?? present?.runTokens ?? ""}
              onChange={({ target }) => set({ runTokens: target.value })}
            />
          </Field>
        </div>
        {keyNames.length > 0 && <KeyFields names={keyNames} {...{ terms, set }} />}
      </div>
    </details>
  );
}

interface KeyFieldsProps extends TermsProps {
  readonly names: readonly string[];
  readonly isRequired?: boolean;
}

export function KeyFields({ names, isRequired, terms, set }: KeyFieldsProps): ReactNode {
  const { agents: words } = useTexts();
  const hint = useId();
  return (
    <div className="stack is-tight">
      <div className="connect-terms">
        <Field label={words.keyName}>
          <select value={terms.keyName} onChange={({ target }) => set({ keyName: target.value })}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label={words.key}>
          <input
            type="password"
            dir="ltr"
            required={isRequired}
            value={terms.key}
            maxLength={16_384}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={hint}
            onChange={({ target }) => set({ key: target.value })}
          />
        </Field>
      </div>
      <small id={hint} className="hint">
        {words.keyHint}
      </small>
    </div>
  );
}
