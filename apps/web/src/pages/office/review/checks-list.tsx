/** How the checks of a version went, with what each printed. */
import { useState, type ReactNode } from "react";
import { useAppearance, useTexts, useWorld } from "../../../app/app.ts";
import { Chip, type ChipTone } from "../../../ui/controls.tsx";
import { TerminalView } from "../../../ui/terminal/terminal-view.tsx";
import { useNewest } from "../../../ui/workspace-files/use-newest.ts";
import { callKey } from "../../../world/terminals.ts";
import type { ReviewCheck, ReviewHttp } from "./change/review-http.ts";

const TONES: Readonly<Record<ReviewCheck["state"], ChipTone>> = {
  running: undefined,
  passed: "good",
  failed: "bad",
  error: "bad",
  skipped: undefined,
};

export interface ChecksListProps {
  readonly http: ReviewHttp;
  readonly checks: readonly ReviewCheck[];
}

export function ChecksList({ http, checks }: ChecksListProps): ReactNode {
  return (
    <ul className="plain-list">
      {checks.map((check) => (
        <Check key={check.check_id} {...{ http, check }} />
      ))}
    </ul>
  );
}

function Check({
  http,
  check,
}: {
  readonly http: ReviewHttp;
  readonly check: ReviewCheck;
}): ReactNode {
  const { review: words } = useTexts();
  const { language } = useAppearance();
  const { name, state, required, ms } = check;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="check">
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          <span dir="auto">{name}</span> <Chip tone={TONES[state]}>{words.checkStates[state]}</Chip>{" "}
          <span className="hint">
            {ms !== null &&
              `${(ms / 1000).toLocaleString(language, { maximumFractionDigits: 1 })} s`}
            {!required && ` · ${words.optionalCheck}`}
          </span>
        </summary>
        {isOpen && <Output {...{ http, check }} />}
      </details>
    </li>
  );
}

function Output({
  http,
  check,
}: {
  readonly http: ReviewHttp;
  readonly check: ReviewCheck;
}): ReactNode {
  const { workshop, loading } = useTexts();
  const { check_id: checkId, command, state, output_bytes: bytes } = check;
  const isRunning = state === "running";
  const live = useWorld(({ terminals }) => terminals.get(callKey(undefined, checkId)));
  const whole = useNewest(`${checkId} ${state} ${bytes}`, () => http.checkOutput(checkId));
  const text = isRunning ? (live?.text ?? whole) : whole;
  if (text === undefined) return <p className="hint">{loading}</p>;
  if (text === null && !isRunning) return <p className="hint">{workshop.terminalGone}</p>;
  const shown = isRunning ? "going" : state === "passed" ? "done" : "failed";
  const isCut = isRunning && live?.isCut === true;
  return <TerminalView command={command} text={text ?? ""} state={shown} isCut={isCut} />;
}
