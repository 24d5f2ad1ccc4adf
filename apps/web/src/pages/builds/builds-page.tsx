/** All builds, a new one, and the one that is open. */
import type { BuildView } from "@atrium/wire/build";
import { useCallback, useEffect, useMemo, useState, type SubmitEvent, type ReactNode } from "react";
import { useApp, useRoute, useTexts } from "../../app/app.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import { useGateway, type Gateway } from "../../app/use-gateway.ts";
import { useCrewNames } from "../../ui/agent-names.ts";
import { Button, Chip, Field } from "../../ui/controls.tsx";
import { MasterDetail, ListRow } from "../../ui/master-detail.tsx";
import { RepositorySelect } from "../../ui/repositories/repository-select.tsx";
import { BuildDetail, TONES, type BuildDetailProps } from "./build-detail.tsx";
import { doneSteps } from "./build-story.ts";
import { createBuildsHttp } from "./builds-http.ts";

/** A build tells much in a moment; the list is read once for all of it. */
const GATHER_MS = 250;

export function BuildsPage(): ReactNode {
  const words = useTexts().builds;
  const { rest: openId } = useRoute();
  const http = useMemo(() => createBuildsHttp(createFetchJson(fetchOwn)), []);
  const [{ builds, next }, setList] = useState<BuildList>({ builds: undefined });
  const look = useCallback(async (): Promise<void> => {
    const answer = await http.list();
    if (answer.ok) setList((before) => merged(before, answer.value));
  }, [http]);
  const showMore = async (): Promise<void> => {
    const answer = await http.list(next);
    if (answer.ok) {
      const { builds: earlier, next: after } = answer.value;
      setList(({ builds: known = [] }) => ({
        builds: [...known, ...earlier],
        next: after,
        isLong: true,
      }));
    }
  };
  const gateway = useGateway();
  useLookWhenTold(look, gateway);
  const onChange = useCallback(() => void look(), [look]);
  return (
    <MasterDetail
      title={words.listTitle}
      home="/builds"
      newLabel={words.new}
      isOpen={openId !== ""}
      list={
        <>
          {builds?.length === 0 && <p className="hint">{words.none}</p>}
          <ul className="list-rows">
            {builds?.map((build) => (
              <BuildRow key={build.id} build={build} isOpen={build.id === openId} />
            ))}
          </ul>
          {next !== undefined && (
            <Button look="quiet" onClick={() => void showMore()}>
              {words.more}
            </Button>
          )}
        </>
      }
    >
      {openId === "" ? (
        <StartForm http={http} onChange={onChange} />
      ) : (
        <BuildDetail key={openId} id={openId} http={http} gateway={gateway} onChange={onChange} />
      )}
    </MasterDetail>
  );
}

/** Others start builds too: whatever the gateway tells of one is a reason to look, and so is coming back to it. */
function useLookWhenTold(look: () => Promise<void>, { client }: Gateway): void {
  useEffect(() => void look(), [look]);
  useEffect(() => {
    if (client === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lookSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void look();
      }, GATHER_MS);
    };
    const closers = [
      client.onEvent("build", lookSoon),
      client.onGap(lookSoon),
      client.onState(({ state }) => void (state === "ready" && lookSoon())),
    ];
    // What was told between the first look and the first hello.
    lookSoon();
    return () => {
      clearTimeout(timer);
      for (const close of closers) close();
    };
  }, [client, look]);
}

interface BuildList {
  readonly builds: readonly BuildView[] | undefined;
  readonly next?: string | undefined;
  /** Earlier pages were asked for and stay. */
  readonly isLong?: boolean;
}

function merged(
  before: BuildList,
  page: { builds: readonly BuildView[]; next?: string },
): BuildList {
  if (before.isLong !== true) return page;
  const fresh = new Set(page.builds.map(({ id }) => id));
  const others = (before.builds ?? []).filter(({ id }) => !fresh.has(id));
  return { ...before, builds: [...page.builds, ...others] };
}

function BuildRow({
  build,
  isOpen,
}: {
  readonly build: BuildView;
  readonly isOpen: boolean;
}): ReactNode {
  const words = useTexts().builds;
  const { id, prompt, stage, steps } = build;
  return (
    <ListRow to={`/builds/${encodeURIComponent(id)}`} isOpen={isOpen}>
      <strong>{prompt}</strong>
      <span className="row">
        <Chip tone={TONES[stage]}>{words.stages[stage]}</Chip>
        <span className="hint">{words.stepsDone(doneSteps(steps), steps.length)}</span>
      </span>
    </ListRow>
  );
}

function StartForm({ http, onChange }: Pick<BuildDetailProps, "http" | "onChange">): ReactNode {
  const { builds: words, pageNames } = useTexts();
  const { navigation, notices } = useApp();
  const crew = useCrewNames();
  const [prompt, setPrompt] = useState("");
  const [agent, setAgent] = useState("main");
  const [repository, setRepository] = useState("");
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    const answer = await http.start({
      prompt: prompt.trim(),
      agent,
      ...(repository !== "" && { repository }),
    });
    setIsSending(false);
    if (!answer.ok) return notices.say(words.refused(answer.message), "refused");
    onChange();
    navigation.go(`/builds/${encodeURIComponent(answer.value.id)}`);
  };
  return (
    <form className="start-form" onSubmit={(event) => void submit(event)}>
      <h1>{pageNames.builds}</h1>
      <p className="hint">{words.intro}</p>
      <Field label={words.promptLabel}>
        <textarea
          rows={4}
          value={prompt}
          placeholder={words.promptExample}
          onChange={(event) => setPrompt(event.target.value)}
        />
      </Field>
      <Field label={words.agent}>
        <select value={agent} onChange={(event) => setAgent(event.target.value)}>
          {crew.map(({ handle, name }) => (
            <option key={handle} value={handle}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <RepositorySelect value={repository} onChange={setRepository} />
      <Button type="submit" look="primary" disabled={prompt.trim() === "" || isSending}>
        {words.start}
      </Button>
    </form>
  );
}
