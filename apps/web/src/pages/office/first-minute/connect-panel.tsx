/** How an agent takes the place of the rehearsal: what to write, what to run, and the repository it works in. */
import { useId, useMemo, useState, type ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import { createFetchJson } from "../../../app/server/fetch-json.ts";
import { fetchOwn } from "../../../app/server/own-server.ts";
import { Chip } from "../../../ui/controls.tsx";
import { CopyBlock } from "../../../ui/copy-block.tsx";
import { useRead } from "../../../ui/use-read.ts";
import { installedFirst, settingsFor } from "./agent-programs.ts";

export function ConnectPanel(): ReactNode {
  const { first: words } = useTexts();
  const installed = useInstalled();
  const programs = installedFirst(installed ?? new Set());
  const [chosen, setChosen] = useState<string>();
  const name = useId();
  const [first] = programs;
  const program = programs.find(({ id }) => id === chosen) ?? first;
  if (program === undefined) return null;
  return (
    <div className="stack">
      <p>{words.connectText}</p>
      <fieldset className="choice-set">
        <legend>{words.connectWhich}</legend>
        {programs.map((each) => (
          <label key={each.id}>
            <input
              type="radio"
              name={name}
              checked={each === program}
              onChange={() => setChosen(each.id)}
            />
            <span>
              {each.name}{" "}
              {installed !== undefined && <Found isFound={installed.has(each.program)} />}
            </span>
          </label>
        ))}
      </fieldset>
      <Step title={words.stepSettings} text={settingsFor(program)} />
      <Step title={words.stepStart} text={`npx atrium up --agents ${program.id}`} />
      <Step title={words.stepRepository} text="npx atrium repo add ../my-project">
        {words.stepRepositoryText}
      </Step>
    </div>
  );
}

function Found({ isFound }: { readonly isFound: boolean }): ReactNode {
  const { first: words } = useTexts();
  return isFound ? (
    <Chip tone="good">{words.installed}</Chip>
  ) : (
    <span className="hint">{words.notInstalled}</span>
  );
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

/** Undefined until it is known, and with a server that cannot tell. */
function useInstalled(): ReadonlySet<string> | undefined {
  const ask = useMemo(() => createFetchJson(fetchOwn), []);
  const found = useRead("programs", () =>
    ask<{ readonly programs: readonly string[] }>("GET", "/api/agent-programs"),
  );
  return found?.ok === true ? new Set(found.value.programs) : undefined;
}
