/** Has an agent that was found work for the crew: for whom, what it may do, and a first turn if one is wanted. */
import { usualModel } from "@atrium/client";
import { useMemo, useState, type ReactNode, type SubmitEvent } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import { dollarsOf } from "../../i18n/dollars.ts";
import { Button } from "../controls.tsx";
import { createRepositoriesHttp } from "../repositories/repositories-http.ts";
import { EVERYONE, presentTerms, type ConnectTerms } from "./agent-terms.ts";
import { connectAgent, type ConnectProgress } from "./connect-agent.ts";
import { AS_IT_IS, KeyFields, ModelField, MoreTerms, Terms } from "./connect-terms.tsx";
import type { DetectedAgent } from "./detected-agents.ts";
import { membersIn } from "./settings-http.ts";
import { useSettings } from "./use-settings.ts";

interface ConnectFormProps {
  readonly agent: DetectedAgent;
  readonly onConnected?: (() => void) | undefined;
}

export function ConnectForm({ agent, onConnected }: ConnectFormProps): ReactNode {
  const { agents: words } = useTexts();
  const state = useSettings();
  const repositories = useMemo(() => createRepositoriesHttp(createFetchJson(fetchOwn)), []);
  const keyNames = "keys" in agent ? agent.keys : [];
  const [terms, setTerms] = useState<ConnectTerms>({ ...USUAL, keyName: keyNames[0] ?? "" });
  const [progress, setProgress] = useState<ConnectProgress>({ state: "open" });
  const set = (changed: Partial<ConnectTerms>): void => setTerms({ ...terms, ...changed });
  const settings = state.settings?.ok === true ? state.settings.value : undefined;
  const members = settings === undefined ? [] : membersIn(settings);
  const present = settings && presentTerms(settings, terms.whom);
  const isBusy = progress.state === "connecting" || progress.state === "asking";
  const needsKey = agent.state === "login-needed";
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    await connectAgent({ ...state, repositories }, agent, terms, setProgress);
    set({ key: "" });
    onConnected?.();
  };
  return (
    <form className="stack connect-form" onSubmit={(event) => void submit(event)}>
      {needsKey && <KeyFields names={keyNames} isRequired {...{ terms, set }} />}
      {"models" in agent && agent.models.length > 1 && (
        <ModelField
          models={agent.models}
          model={terms.model ?? (settings && usualModel(agent, settings.values))}
          onChange={(model) => set({ model })}
        />
      )}
      <Terms {...{ agent, members, terms, present, set }} />
      <MoreTerms keyNames={needsKey ? [] : keyNames} {...{ terms, present, set }} />
      <label className="connect-test">
        <input
          type="checkbox"
          checked={terms.isTested}
          onChange={({ target }) => set({ isTested: target.checked })}
        />
        <span>
          {words.testTurn}
          <small className="hint">
            {"baseUrl" in agent ? words.testCostLocal : words.testCostProgram}
          </small>
        </span>
      </label>
      <Button type="submit" look="primary" disabled={isBusy || members.length === 0}>
        {terms.whom === EVERYONE ? words.useForEveryone : words.useForOne}
      </Button>
      <Outcome progress={progress} name={agent.name} />
    </form>
  );
}

const USUAL: ConnectTerms = {
  whom: EVERYONE,
  model: undefined,
  ...AS_IT_IS,
  repository: "",
  keyName: "",
  key: "",
  isTested: true,
};

/** The answer comes below the form, which may fill the panel. */
function showWhole(outcome: HTMLElement | null): void {
  outcome?.scrollIntoView({ block: "nearest" });
}

interface OutcomeProps {
  readonly progress: ConnectProgress;
  readonly name: string;
}

function Outcome({ progress, name }: OutcomeProps): ReactNode {
  const { agents: words } = useTexts();
  const { language } = useAppearance();
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
    case "answered": {
      const { text, tokens, cost } = progress.turn;
      const price = cost === undefined ? undefined : dollarsOf(cost, language);
      const took = words.testTook(tokens?.toLocaleString(language), price);
      return (
        <div ref={showWhole} role="status" className="stack is-tight">
          <p>{words.connected(name)}</p>
          <blockquote className="connect-answer" dir="auto">
            {text}
          </blockquote>
          <p className="hint">{took}</p>
        </div>
      );
    }
  }
}
