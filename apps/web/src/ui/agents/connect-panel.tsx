/** How an agent takes the place of the rehearsal: which were found, what to write, what to run, and the repository it works in. */
import { useId, useMemo, useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { createFetchJson, type JsonResponse } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import { Button, Chip, type ChipTone } from "../controls.tsx";
import { CopyBlock } from "../copy-block.tsx";
import { useRead } from "../use-read.ts";
import { ConnectForm } from "./connect-form.tsx";
import {
  settingsFor,
  usableFirst,
  type AgentDetection,
  type DetectedAgent,
  type DetectionState,
} from "./detected-agents.ts";

interface ConnectPanelProps {
  readonly onConnected?: (() => void) | undefined;
}

export function ConnectPanel({ onConnected }: ConnectPanelProps): ReactNode {
  const { first: words } = useTexts();
  const [looks, setLooks] = useState(0);
  const detection = useDetection(looks);
  const again = (
    <div className="row">
      <Button look="small quiet" onClick={() => setLooks(looks + 1)}>
        {words.lookAgain}
      </Button>
    </div>
  );
  return (
    <div className="stack">
      <p>{words.connectText}</p>
      {detection === undefined && <p role="status">{words.looking}</p>}
      {detection?.ok === false && <p role="alert">{words.notLooked(detection.message)}</p>}
      {detection?.ok === false && again}
      {detection?.ok === true && (
        <AgentChoice agents={usableFirst(detection.value)} onConnected={onConnected}>
          {again}
        </AgentChoice>
      )}
    </div>
  );
}

interface AgentChoiceProps extends ConnectPanelProps {
  readonly agents: readonly DetectedAgent[];
  /** Below the list. */
  readonly children: ReactNode;
}

function AgentChoice({ agents, onConnected, children }: AgentChoiceProps): ReactNode {
  const { first: words } = useTexts();
  const [chosen, setChosen] = useState<string>();
  const name = useId();
  const agent = agents.find(({ id }) => id === chosen) ?? agents[0];
  if (agent === undefined) return null;
  const { there = [], missing = [] } = Object.groupBy(agents, ({ state }) =>
    state === "missing" ? "missing" : "there",
  );
  const option = (each: DetectedAgent): ReactNode => (
    <label key={each.id}>
      <input
        type="radio"
        name={name}
        checked={each === agent}
        onChange={() => setChosen(each.id)}
      />
      <AgentRow agent={each} />
    </label>
  );
  return (
    <>
      <fieldset className="choice-set is-detailed">
        <legend>{words.connectWhich}</legend>
        {there.map(option)}
        {missing.length > 0 && (
          <details className="others" open={there.length === 0}>
            <summary>{words.notFound(missing.length)}</summary>
            <div className="choice-set is-detailed">{missing.map(option)}</div>
          </details>
        )}
      </fieldset>
      {children}
      <Steps agent={agent} onConnected={onConnected} />
    </>
  );
}

const TONES: Readonly<Record<Exclude<DetectionState, "missing">, ChipTone>> = {
  ready: "good",
  "login-unknown": undefined,
  "login-needed": "asks",
  "too-old": "asks",
  broken: "bad",
};

function AgentRow({ agent }: { readonly agent: DetectedAgent }): ReactNode {
  const { first: words } = useTexts();
  const { name, state, message } = agent;
  const version = "version" in agent ? agent.version : undefined;
  return (
    <span>
      {name} {version !== undefined && <span className="hint">{version}</span>}{" "}
      {state !== "missing" && <Chip tone={TONES[state]}>{words.states[state]}</Chip>}
      <span className="hint">{message}</span>
    </span>
  );
}

interface StepsProps extends ConnectPanelProps {
  readonly agent: DetectedAgent;
}

function Steps({ agent, onConnected }: StepsProps): ReactNode {
  const { first: words } = useTexts();
  const { agents } = useTexts();
  const settings = settingsFor(agent);
  const isConnectable = CONNECTABLE.has(agent.state) || takesKey(agent);
  if (settings === undefined) return <p className="hint">{words.notConnectable(agent.name)}</p>;
  return (
    <>
      {isConnectable && <ConnectForm key={agent.id} agent={agent} onConnected={onConnected} />}
      <details key={`${agent.id} by hand`} open={!isConnectable}>
        <summary>{agents.byHand}</summary>
        <div className="stack">
          <Step title={words.stepSettings} text={settings} />
          <Step title={words.stepStart} text={`npx atrium up --agents ${agent.id}`} />
          <Step title={words.stepRepository} text="npx atrium repo add ../my-project">
            {words.stepRepositoryText}
          </Step>
        </div>
      </details>
    </>
  );
}

/** Nothing is missing, as far as can be told before a first turn. */
const CONNECTABLE: ReadonlySet<DetectionState> = new Set(["ready", "login-unknown"]);

/** Not logged in; a key does in place of the login. */
function takesKey(agent: DetectedAgent): boolean {
  return agent.state === "login-needed" && "keys" in agent && agent.keys.length > 0;
}

interface StepProps {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Step({ title, text, children }: StepProps): ReactNode {
  return (
    <div className="stack is-tight">
      <span className="label">{title}</span>
      <CopyBlock label={title} text={text} />
      {children !== undefined && <p className="hint">{children}</p>}
    </div>
  );
}

/** Undefined while it is looked for. Every look but the first asks the programs again. */
function useDetection(looks: number): JsonResponse<AgentDetection> | undefined {
  const ask = useMemo(() => createFetchJson(fetchOwn), []);
  return useRead(`agents ${looks}`, () =>
    ask<AgentDetection>("GET", `/api/agent-programs${looks > 0 ? "?refresh=true" : ""}`),
  );
}
