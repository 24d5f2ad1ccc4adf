/** Whether commands of agents are sandboxed, what the server tried in order to know, and what follows for people. */
import { useMemo, type ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import { createFetchJson } from "../../../app/server/fetch-json.ts";
import { fetchOwn } from "../../../app/server/own-server.ts";
import { Chip } from "../../../ui/controls.tsx";
import {
  createRepositoriesHttp,
  type SandboxReport,
} from "../../../ui/repositories/repositories-http.ts";
import { useRead } from "../../../ui/use-read.ts";

export function SandboxCard(): ReactNode {
  const { workshop: words } = useTexts();
  const http = useMemo(() => createRepositoriesHttp(createFetchJson(fetchOwn)), []);
  const report = useRead("sandbox", () => http.readSandbox());
  return (
    <section className="settings-card">
      <h2>{words.sandboxTitle}</h2>
      {report === undefined && (
        <p className="hint" role="status">
          {words.sandboxTesting}
        </p>
      )}
      {report?.ok === false && <p className="hint">{words.notRead(report.message)}</p>}
      {report?.ok === true && <Sandbox report={report.value} />}
    </section>
  );
}

function Sandbox({ report: { mode, problem, attempts } }: { readonly report: SandboxReport }) {
  const { workshop: words } = useTexts();
  const isOn = problem === null && mode !== "asking";
  return (
    <>
      <div className="row">
        <Chip tone={isOn ? "good" : "asks"}>{isOn ? words.sandboxOn(mode) : words.sandboxOff}</Chip>
      </div>
      <p>{isOn ? words.sandboxOnText : words.sandboxOffText}</p>
      {problem !== null && (
        <div className="stack is-tight">
          <span className="label">{words.sandboxWhy}</span>
          <p className="as-written" dir="auto">
            {problem}
          </p>
          <p className="hint">{words.sandboxMend}</p>
        </div>
      )}
      {attempts.length > 0 && <SelfTest attempts={attempts} />}
    </>
  );
}

function SelfTest({ attempts }: Pick<SandboxReport, "attempts">): ReactNode {
  const { workshop: words } = useTexts();
  const refused = attempts.filter(({ outcome }) => outcome === "refused").length;
  return (
    <details className="self-test">
      <summary>{words.selfTest(refused, attempts.length)}</summary>
      <p className="hint">{words.selfTestText}</p>
      <ul className="plain-list">
        {attempts.map(({ name, outcome, detail }) => (
          <li key={name} data-outcome={outcome}>
            <span className="self-test-mark" aria-hidden="true" />
            <span dir="auto">{name}</span>
            <span className="hint">{words.outcomes[outcome]}</span>
            {detail !== "" && <code className="as-written">{detail}</code>}
          </li>
        ))}
      </ul>
    </details>
  );
}
