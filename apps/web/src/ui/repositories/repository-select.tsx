/** In which repository the work is done: one of its own unless another is chosen. */
import { useId, useMemo, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import { Link } from "../link.tsx";
import { useRead } from "../use-read.ts";
import { createRepositoriesHttp } from "./repositories-http.ts";

export interface RepositorySelectProps {
  /** Empty: one of its own. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Nothing where there is no git: then there is nothing to choose. */
export function RepositorySelect({ value, onChange }: RepositorySelectProps): ReactNode {
  const { workshop: words } = useTexts();
  const hint = useId();
  const http = useMemo(() => createRepositoriesHttp(createFetchJson(fetchOwn)), []);
  const git = useRead("git", () => http.readGit());
  const listed = useRead("repositories", () => http.list());
  if (git?.ok !== true || git.value.git === null || listed?.ok !== true) return null;
  const { repositories } = listed.value;
  const chosen = repositories.find(({ id }) => id === value);
  return (
    <div className="field">
      <label className="field">
        <span>{words.repository}</span>
        <select
          value={value}
          aria-describedby={hint}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{words.repositoryOwn}</option>
          {repositories.map(({ id, problem }) => (
            <option key={id} value={id} disabled={problem !== undefined}>
              {problem === undefined ? id : words.repositoryUnusable(id)}
            </option>
          ))}
        </select>
      </label>
      <small id={hint} className="hint">
        {chosen === undefined ? (
          <>
            {words.repositoryOwnHint} <Link to="/settings">{words.repositoryAttach}</Link>
          </>
        ) : (
          words.repositoryHint(chosen.path)
        )}
      </small>
    </div>
  );
}
