/** The repositories that agents may work on: whether each can be used, adding one, removing one. */
import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { useApp, useAppearance, useTexts } from "../../../app/app.ts";
import { createFetchJson, type JsonResponse } from "../../../app/server/fetch-json.ts";
import { fetchOwn } from "../../../app/server/own-server.ts";
import { useSettings, type SettingsState } from "../../../ui/agents/use-settings.ts";
import { Button, Chip } from "../../../ui/controls.tsx";
import {
  createRepositoriesHttp,
  type Repository,
  type RepositoriesHttp,
} from "../../../ui/repositories/repositories-http.ts";
import { useRead } from "../../../ui/use-read.ts";
import { RepositoryBrought } from "./repository-brought.tsx";
import { refusalOf, RepositoryForm } from "./repository-form.tsx";

export function RepositoriesCard(): ReactNode {
  const { workshop: words } = useTexts();
  const http = useMemo(() => createRepositoriesHttp(createFetchJson(fetchOwn)), []);
  const git = useRead("git", () => http.readGit());
  return (
    <section className="settings-card">
      <h2>{words.repositories}</h2>
      <p className="hint">{words.repositoriesText}</p>
      {git?.ok === false && <p className="hint">{words.notRead(git.message)}</p>}
      {git?.ok === true && git.value.git === null && <NoGit problem={git.value.problem ?? ""} />}
      {git?.ok === true && git.value.git !== null && <Repositories http={http} />}
    </section>
  );
}

function NoGit({ problem }: { readonly problem: string }): ReactNode {
  const { workshop: words } = useTexts();
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

type Listed = JsonResponse<{ readonly repositories: readonly Repository[] }>;

function Repositories({ http }: { readonly http: RepositoriesHttp }): ReactNode {
  const { workshop: words } = useTexts();
  const [listed, setListed] = useState<Listed>();
  const state = useSettings();
  const look = useCallback(async () => setListed(await http.list()), [http]);
  useEffect(() => void look(), [look]);
  if (listed === undefined) return null;
  if (!listed.ok) return <p className="hint">{words.notRead(listed.message)}</p>;
  const { repositories } = listed.value;
  return (
    <>
      {repositories.length === 0 && <p>{words.repositoriesNone}</p>}
      {repositories.length > 0 && (
        <ul className="plain-list">
          {repositories.map((each) => (
            <RepositoryRow
              key={each.id}
              repository={each}
              http={http}
              settings={state}
              onChange={look}
            />
          ))}
        </ul>
      )}
      <RepositoryForm http={http} onAdded={look} />
    </>
  );
}

interface RepositoryRowProps {
  readonly repository: Repository;
  readonly http: RepositoriesHttp;
  readonly settings: SettingsState;
  readonly onChange: () => Promise<void>;
}

function RepositoryRow({ repository, http, settings, onChange }: RepositoryRowProps): ReactNode {
  const { workshop: words } = useTexts();
  const { notices } = useApp();
  const { id, path, problem, origin } = repository;
  const [isSure, setIsSure] = useState(false);
  const remove = async (): Promise<void> => {
    const answer = await http.remove(id);
    if (answer.ok) notices.say(words.repositoryRemoved(id));
    else notices.say(refusalOf(answer, words), "refused");
    await onChange();
  };
  return (
    <li className="repository">
      <div className="row">
        <strong dir="auto">{id}</strong>
        <Chip tone={problem === undefined ? "good" : "bad"}>
          {problem === undefined ? words.repositoryReady : words.repositoryBroken}
        </Chip>
        {origin === "added" && !isSure && (
          <Button look="small" onClick={() => setIsSure(true)}>
            {words.repositoryRemove}
            <span className="visually-hidden"> {id}</span>
          </Button>
        )}
      </div>
      <code className="as-written" dir="ltr">
        {path}
      </code>
      <small className="hint">
        <About repository={repository} />
      </small>
      {problem !== undefined && (
        <p className="repository-problem" dir="auto">
          {problem}
        </p>
      )}
      {settings.settings?.ok === true && (
        <RepositoryBrought
          {...{ repository, onChange }}
          settings={settings.settings.value}
          change={settings.change}
        />
      )}
      {isSure && (
        <div className="repository-sure" role="group" aria-label={words.repositoryRemove}>
          <p>{words.repositorySure(id)}</p>
          <div className="row">
            <Button look="small danger" onClick={() => void remove()}>
              {words.repositoryRemove}
              <span className="visually-hidden"> {id}</span>
            </Button>
            <Button look="small" onClick={() => setIsSure(false)}>
              {words.cancel}
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}

const SHORT_COMMIT = 9;

function About({ repository }: { readonly repository: Repository }): ReactNode {
  const { workshop: words } = useTexts();
  const { language } = useAppearance();
  const { kind, base, commit, origin, addedBy, addedAtMs } = repository;
  const start = [base, commit?.slice(0, SHORT_COMMIT)].filter((each) => each !== undefined);
  const parts = [
    kind && words.kinds[kind],
    start.length > 0 && words.startsFrom(start.join(" ")),
    origin === "settings" && words.repositoryConfigured,
    addedAtMs !== undefined &&
      words.repositoryAdded(addedBy ?? "", new Date(addedAtMs).toLocaleDateString(language)),
  ];
  return parts.filter((part) => typeof part === "string").join(" · ");
}
