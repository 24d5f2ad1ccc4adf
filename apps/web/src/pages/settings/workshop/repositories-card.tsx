/** The repositories that work can be done in, whether each can be used, and where new ones are named. */
import { useMemo, type ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import { createFetchJson } from "../../../app/server/fetch-json.ts";
import { fetchOwn } from "../../../app/server/own-server.ts";
import { Chip } from "../../../ui/controls.tsx";
import {
  createRepositoriesHttp,
  type RepositoryReport,
  type WorkspacesReport,
} from "../../../ui/repositories/repositories-http.ts";
import { useRead } from "../../../ui/use-read.ts";

export function RepositoriesCard(): ReactNode {
  const { workshop: words } = useTexts();
  const http = useMemo(() => createRepositoriesHttp(createFetchJson(fetchOwn)), []);
  const report = useRead("repositories", () => http.read());
  return (
    <section className="settings-card">
      <h2>{words.repositories}</h2>
      <p className="hint">{words.repositoriesText}</p>
      {report?.ok === false && <p className="hint">{words.notRead(report.message)}</p>}
      {report?.ok === true && <Repositories report={report.value} />}
    </section>
  );
}

function Repositories({ report: { git, problem, repositories } }: { report: WorkspacesReport }) {
  const { workshop: words } = useTexts();
  if (git === null) {
    return (
      <>
        <div className="row">
          <Chip tone="asks">{words.gitMissing}</Chip>
        </div>
        <p>{words.gitMissingText}</p>
        <p className="as-written" dir="auto">
          {problem}
        </p>
      </>
    );
  }
  if (repositories.length === 0) return <p>{words.repositoriesNone}</p>;
  return (
    <ul className="plain-list repository-list">
      {repositories.map((each) => (
        <RepositoryRow key={each.id} repository={each} />
      ))}
    </ul>
  );
}

const SHORT_COMMIT = 9;

function RepositoryRow({ repository }: { readonly repository: RepositoryReport }): ReactNode {
  const { workshop: words } = useTexts();
  const { id, path, kind, base, problem } = repository;
  return (
    <li className="repository">
      <div className="row">
        <strong dir="auto">{id}</strong>
        <Chip tone={problem === null ? "good" : "bad"}>
          {problem === null ? words.repositoryReady : words.repositoryBroken}
        </Chip>
      </div>
      {path !== null && (
        <code className="as-written" dir="ltr">
          {path}
        </code>
      )}
      {problem === null ? (
        <small className="hint">
          {kind !== null && words.kinds[kind]}
          {base !== null && ` · ${words.startsFrom(base.slice(0, SHORT_COMMIT))}`}
        </small>
      ) : (
        <p className="repository-problem" dir="auto">
          {problem}
        </p>
      )}
    </li>
  );
}
