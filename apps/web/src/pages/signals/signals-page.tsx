/** Everything that happens, as it happens: filtered, paused, and one at a time as it is. */
import { useEffect, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { useApp, useRoute, useTexts, useWorld } from "../../app/app.ts";
import { BROWSER_STREAMS } from "../../app/server/browser-streams.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import type { Texts } from "../../i18n/texts.ts";
import { Button, Chip, IconButton, RawJson } from "../../ui/controls.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { openSignalFeed, type SignalPage, type SignalFeed } from "./signal-feed.ts";
import {
  addressOf,
  earlierPath,
  firstEarlier,
  isKnownType,
  readFilter,
  streamPath,
  type Filter,
} from "./signal-filter.ts";
import { SignalList } from "./signal-list.tsx";
import type { SignalRow } from "./signal-rows.ts";
import { WhyPanel } from "./why-panel.tsx";

export function SignalsPage(): ReactNode {
  const head = useWorld(({ snapshot }) => snapshot?.seq);
  // Where the log was when the page opened; it goes on without us.
  const [from, setFrom] = useState<number>();
  if (from === undefined && head !== undefined) setFrom(head);
  return from === undefined ? null : <Signals head={from} />;
}

function Signals({ head }: { readonly head: number }): ReactNode {
  const { navigation } = useApp();
  const { show } = useRoute();
  const [filter, setFilter] = useState<Filter>(() => readFilter(location.search));
  const feed = useFeed(filter, head);
  const change = (next: Filter): void => {
    setFilter(next);
    navigation.replace(addressOf(next));
  };
  const agentId = filter.agent ?? show;
  return (
    <div className="signals-page">
      {feed !== undefined && <SignalsMain feed={feed} filter={filter} onFilter={change} />}
      <WhyPanel
        feed={feed}
        agentId={agentId}
        onAgent={(agent) => {
          const { agent: _before, ...others } = filter;
          change(agent === undefined ? others : { ...others, agent });
        }}
      />
    </div>
  );
}

interface SignalsMainProps {
  readonly feed: SignalFeed;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function SignalsMain({ feed, filter, onFilter }: SignalsMainProps): ReactNode {
  const { signals: words, pageNames } = useTexts();
  const { rows, isPaused, waiting, isConnected, earlier } = useStore(feed.store);
  const { notices } = useApp();
  const [opened, setOpened] = useState<SignalRow>();
  // Another stream has other rows.
  useEffect(() => setOpened(undefined), [feed]);
  const readEarlier = async (): Promise<void> => {
    if (!(await feed.readEarlier())) notices.say(words.olderFailed, "refused");
  };
  return (
    <section className="signals-main">
      <header className="signals-head">
        <h1>{pageNames.signals}</h1>
        <Chip tone={isConnected && !isPaused ? "good" : undefined} role="status">
          {!isConnected ? words.lost : isPaused ? words.paused(waiting) : words.live}
        </Chip>
        <Button look="small" aria-pressed={isPaused} onClick={() => feed.setPaused(!isPaused)}>
          {isPaused ? words.resume : words.pause}
        </Button>
      </header>
      <FilterBar filter={filter} rows={rows} onChange={onFilter} />
      <SignalList
        rows={rows}
        isFollowing={!isPaused}
        openedKey={opened?.key}
        onOpen={setOpened}
        emptyNote={emptyNoteFor(filter, words)}
        onEarlier={earlier === undefined ? undefined : readEarlier}
      />
      {opened !== undefined && (
        <RawSignal
          row={rows.find(({ key }) => key === opened.key) ?? opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

function emptyNoteFor({ type }: Filter, words: Texts["signals"]): string {
  return type === undefined || isKnownType(type) ? words.none : words.noSuchType(type);
}

function RawSignal({
  row,
  onClose,
}: {
  readonly row: SignalRow;
  readonly onClose: () => void;
}): ReactNode {
  const { signals: words, close } = useTexts();
  const { signal, position } = row;
  return (
    <section className="signals-raw" aria-label={words.raw}>
      <div className="row spread">
        <h2>
          {signal.type}{" "}
          {position !== undefined && <span className="hint">{words.position(position)}</span>}
        </h2>
        <IconButton label={close} onClick={onClose}>
          ×
        </IconButton>
      </div>
      <RawJson value={signal} />
    </section>
  );
}

function useFeed(filter: Filter, head: number): SignalFeed | undefined {
  const [feed, setFeed] = useState<SignalFeed>();
  useEffect(() => {
    const pathAfter = (position?: string): string => streamPath(filter, head, position);
    const ask = createFetchJson(fetchOwn);
    const opened = openSignalFeed(pathAfter, firstEarlier(head), {
      ...BROWSER_STREAMS,
      async readEarlier(before) {
        const answer = await ask<SignalPage>("GET", earlierPath(filter, before));
        return answer.ok ? answer.value : null;
      },
    });
    setFeed(opened);
    return () => opened.close();
  }, [filter, head]);
  return feed;
}
