/** The checks of a build's repository, each with what it prints: live while it runs, all of it afterwards. */
import { useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { readCheckOutput } from "../../app/server/check-output.ts";
import { TerminalView } from "../../ui/terminal/terminal-view.tsx";
import { usePolled } from "../../ui/use-polled.ts";
import { useRead } from "../../ui/use-read.ts";
import type { BuildLine } from "./build-story.ts";
import type { BuildsHttp, ListedCheck } from "./builds-http.ts";

export type ChecksLine = Extract<BuildLine, { readonly who: "checks" }>;

export interface BuildChecksProps {
  readonly id: string;
  readonly http: Pick<BuildsHttp, "checks">;
  readonly line: ChecksLine;
}

const LISTED_EVERY_MS = 700;
const PRINTED_EVERY_MS = 500;

export function BuildChecks({ id, http, line }: BuildChecksProps): ReactNode {
  const words = useTexts().builds;
  const isRunning = line.verdict === null;
  // Which of them runs, and under which id its output is found, only the list says.
  const listed = usePolled(isRunning ? `${id} ${line.seq}` : undefined, LISTED_EVERY_MS, () =>
    http.checks(id),
  );
  const known = isRunning && listed?.ok === true ? listed.value.checks : [];
  return (
    <>
      <p>{words.checksOutcomes[line.verdict ?? "running"]}</p>
      <ul className="plain-list">
        {line.checks.map((check) => (
          <BuildCheck
            key={check.name}
            check={check}
            listed={known.find(({ name }) => name === check.name)}
          />
        ))}
      </ul>
    </>
  );
}

interface BuildCheckProps {
  readonly check: ChecksLine["checks"][number];
  /** As it is while they run. */
  readonly listed: ListedCheck | undefined;
}

function BuildCheck({ check, listed }: BuildCheckProps): ReactNode {
  const words = useTexts().builds;
  const [isOpen, setIsOpen] = useState(false);
  const { name, required, exit_code: code } = check;
  const state = check.verdict ?? listed?.state ?? "running";
  const checkId = check.check_id ?? listed?.check_id;
  const notes = [
    words.checkVerdicts[state],
    ...(code === undefined || code === 0 ? [] : [words.exitCode(code)]),
    ...(required ? [] : [words.checkOptional]),
  ];
  const head = (
    <>
      <span className="as-written">{name}</span> <small className="hint">{notes.join(", ")}</small>
    </>
  );
  return (
    <li data-verdict={check.verdict}>
      {checkId === undefined ? (
        head
      ) : (
        <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>{head}</summary>
          {isOpen && <Output {...{ checkId, state }} command={listed?.command} />}
        </details>
      )}
    </li>
  );
}

interface OutputProps {
  readonly checkId: string;
  readonly state: ListedCheck["state"];
  readonly command: string | undefined;
}

function Output({ checkId, state, command }: OutputProps): ReactNode {
  const { workshop, loading } = useTexts();
  const isRunning = state === "running";
  const read = (): Promise<string | null> => readCheckOutput(checkId);
  const printed = usePolled(isRunning ? checkId : undefined, PRINTED_EVERY_MS, read);
  const whole = useRead(isRunning ? undefined : checkId, read);
  const text = whole ?? printed;
  if (text === undefined) return <p className="hint">{loading}</p>;
  if (text === null) return <p className="hint">{workshop.terminalGone}</p>;
  const shown = isRunning ? "going" : state === "passed" ? "done" : "failed";
  return <TerminalView command={command} text={text} state={shown} isCut={false} />;
}
