/** Has an agent that was found work for the crew: for whom, what it may do, and a first turn if one is wanted. */
import { connectPatch } from "@atrium/client";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { useTexts } from "../../app/app.ts";
import { Button, Field } from "../controls.tsx";
import type { DetectedAgent } from "./detected-agents.ts";
import { membersIn } from "./settings-http.ts";
import { useSettings, type SettingsState } from "./use-settings.ts";

export const PERMISSIONS = ["sandbox", "edit", "ask"] as const;
type Permissions = (typeof PERMISSIONS)[number];

const EVERYONE = "";

type Progress =
  | { readonly state: "open" | "connecting" | "connected" | "asking" }
  | { readonly state: "refused"; readonly why: string }
  | { readonly state: "answered"; readonly text: string };

interface ConnectFormProps {
  readonly agent: DetectedAgent;
  readonly onConnected?: (() => void) | undefined;
}

export function ConnectForm({ agent, onConnected }: ConnectFormProps): ReactNode {
  const { agents: words } = useTexts();
  const state = useSettings();
  const [whom, setWhom] = useState(EVERYONE);
  const [permissions, setPermissions] = useState<Permissions>("sandbox");
  const [isTested, setIsTested] = useState(true);
  const [progress, setProgress] = useState<Progress>({ state: "open" });
  const members = state.settings?.ok === true ? membersIn(state.settings.value) : [];
  const isBusy = progress.state === "connecting" || progress.state === "asking";
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    await connect(state, { agent, whom, permissions, isTested }, setProgress);
    onConnected?.();
  };
  return (
    <form className="stack connect-form" onSubmit={(event) => void submit(event)}>
      <div className="connect-terms">
        <Field label={words.forWhom}>
          <select value={whom} onChange={({ target }) => setWhom(target.value)}>
            <option value={EVERYONE}>{words.everyone}</option>
            {members.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <PermissionField value={permissions} onChange={setPermissions} />
      </div>
      <label className="connect-test">
        <input
          type="checkbox"
          checked={isTested}
          onChange={({ target }) => setIsTested(target.checked)}
        />
        <span>
          {words.testTurn}
          <small className="hint">
            {"baseUrl" in agent ? words.testCostLocal : words.testCostProgram}
          </small>
        </span>
      </label>
      <Button type="submit" look="primary" disabled={isBusy || members.length === 0}>
        {whom === EVERYONE ? words.useForEveryone : words.useForOne}
      </Button>
      <Outcome progress={progress} name={agent.name} />
    </form>
  );
}

interface PermissionFieldProps {
  readonly value: Permissions;
  readonly onChange: (next: Permissions) => void;
}

function PermissionField({ value, onChange }: PermissionFieldProps): ReactNode {
  const { agents: words } = useTexts();
  return (
    <Field label={words.permissions}>
      <select
        value={value}
        onChange={({ target }) =>
          onChange(PERMISSIONS.find((each) => each === target.value) ?? "sandbox")
        }
      >
        {PERMISSIONS.map((each) => (
          <option key={each} value={each}>
            {words.presets[each]}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface Wish {
  readonly agent: DetectedAgent;
  readonly whom: string;
  readonly permissions: Permissions;
  readonly isTested: boolean;
}

async function connect(
  { http, settings, change }: SettingsState,
  { agent, whom, permissions, isTested }: Wish,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  if (settings?.ok !== true || agent.runtime === undefined) return;
  const crew = membersIn(settings.value);
  const member = crew.find(({ id }) => id === whom);
  const request = { name: agent.id, runtime: agent.runtime, agentId: member?.id };
  // What is usual stays unwritten.
  const terms = permissions === "sandbox" ? {} : { permissions };
  onProgress({ state: "connecting" });
  const why = await change(connectPatch({ ...request, ...terms }, crew));
  if (why !== undefined) return onProgress({ state: "refused", why });
  if (!isTested) return onProgress({ state: "connected" });
  onProgress({ state: "asking" });
  const answer = await http.takeTestTurn(member?.handle ?? "main");
  if (answer.ok) onProgress({ state: "answered", text: answer.value });
  else onProgress({ state: "refused", why: answer.message });
}

interface OutcomeProps {
  readonly progress: Progress;
  readonly name: string;
}

function Outcome({ progress, name }: OutcomeProps): ReactNode {
  const { agents: words } = useTexts();
  switch (progress.state) {
    case "open":
      return null;
    case "connecting":
      return <p role="status">{words.connecting}</p>;
    case "connected":
      return <p role="status">{words.connected(name)}</p>;
    case "asking":
      return <p role="status">{words.asking(name)}</p>;
    case "refused":
      return (
        <p role="alert" className="connect-problem" dir="auto">
          {progress.why}
        </p>
      );
    case "answered":
      return (
        <div role="status" className="stack is-tight">
          <p>{words.connected(name)}</p>
          <blockquote className="connect-answer" dir="auto">
            {progress.text}
          </blockquote>
        </div>
      );
  }
}
