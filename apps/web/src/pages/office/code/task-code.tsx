/** The changed files of a task at the moment that is shown, and what changed in the one that is chosen. */
import type { WorldTask } from "@atrium/wire/world";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { createFetchJson } from "../../../app/server/fetch-json.ts";
import { fetchOwn } from "../../../app/server/own-server.ts";
import { ChangedFileLabel } from "../../../ui/workspace-files/changed-files.tsx";
import {
  createFilesHttp,
  ownerOfTask,
  type ChangedFile,
  type FilesHttp,
} from "../../../ui/workspace-files/files-http.ts";
import { PatchView } from "../../../ui/workspace-files/patch-view.tsx";
import { useNewest } from "../../../ui/workspace-files/use-newest.ts";
import { useFilesVersion } from "../task/files-version.ts";

export function TaskCode({ task }: { readonly task: WorldTask }): ReactNode {
  const { code: words, workshop, loading } = useTexts();
  const { task_id: taskId, project_id: projectId } = task;
  const http = useMemo(
    () =>
      createFilesHttp(ownerOfTask(projectId, taskId), {
        ask: createFetchJson(fetchOwn),
        fetch: fetchOwn,
      }),
    [projectId, taskId],
  );
  const at = useOffice(({ past }) => past?.look.seq);
  const version = useFilesVersion(task);
  const moment = at === undefined ? `now ${version}` : String(at);
  const changes = useNewest(moment, () => http.changes(at));
  const [chosen, setChosen] = useState<string>();
  const newest = useNewestFile(http, moment, at);
  if (changes === undefined) return <p className="hint">{loading}</p>;
  if (!changes.ok) {
    const isMissing = /missing/i.test(changes.code);
    return <p className="hint">{isMissing ? words.notYet : workshop.notRead(changes.message)}</p>;
  }
  const { files, has_more: hasMore } = changes.value;
  if (files.length === 0) return <p className="hint">{workshop.changesNone}</p>;
  const known = (path: string | undefined): string | undefined =>
    files.find((file) => file.path === path)?.path;
  const path = known(chosen) ?? known(newest) ?? files[0]?.path ?? "";
  return (
    <>
      <CodeFiles
        {...{ files, path, newest }}
        isHeld={known(chosen) !== undefined}
        onChoose={setChosen}
      />
      {hasMore && <p className="hint">{workshop.filesMore}</p>}
      <CodePatch key={path} {...{ http, path, at, moment }} />
    </>
  );
}

/** What was written since the moment that was shown before: there one looks next. */
function useNewestFile(
  http: FilesHttp,
  moment: string,
  at: number | undefined,
): string | undefined {
  const seq = useOffice(({ snapshot }) => snapshot?.seq);
  const before = useRef<number>(undefined);
  const [newest, setNewest] = useState<string>();
  useEffect(() => {
    const [from, to] = [before.current, at ?? seq];
    before.current = to;
    if (from === undefined || to === undefined || from === to) return undefined;
    let isWanted = true;
    const look = async (): Promise<void> => {
      const [first, last] = from < to ? [from, to] : [to, from];
      const between = await http.changes(at === undefined ? undefined : last, first);
      const path = between.ok ? between.value.files[0]?.path : undefined;
      if (isWanted && path !== undefined) setNewest(path);
    };
    void look();
    return () => void (isWanted = false);
  }, [http, moment]);
  return newest;
}

interface CodeFilesProps {
  readonly files: readonly ChangedFile[];
  readonly path: string;
  readonly newest: string | undefined;
  /** Chosen by the reader, whatever is written. */
  readonly isHeld: boolean;
  readonly onChoose: (path: string | undefined) => void;
}

function CodeFiles({ files, path, newest, isHeld, onChoose }: CodeFilesProps): ReactNode {
  const { code: words } = useTexts();
  return (
    <>
      <div className="row code-count">
        <span className="label">{words.changed(files.length)}</span>
        {isHeld && (
          <button
            type="button"
            className="button is-small is-quiet"
            onClick={() => onChoose(undefined)}
          >
            {words.followFiles}
          </button>
        )}
      </div>
      <ul className="file-tree code-files" tabIndex={0} aria-label={words.changed(files.length)}>
        {files.map((file) => (
          <li key={file.path} data-newest={file.path === newest}>
            <button
              type="button"
              className="file-row"
              aria-current={file.path === path || undefined}
              onClick={() => onChoose(file.path)}
            >
              <ChangedFileLabel file={file} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface CodePatchProps {
  readonly http: FilesHttp;
  readonly path: string;
  readonly at: number | undefined;
  readonly moment: string;
}

function CodePatch({ http, path, at, moment }: CodePatchProps): ReactNode {
  const { workshop: words } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  const patch = useNewest(`${path} ${moment} ${isWhole}`, () => http.patch(path, at, isWhole));
  if (patch === undefined) return null;
  if (!patch.ok) return <p className="hint files-note">{words.notRead(patch.message)}</p>;
  return (
    <section className="code-patch" aria-label={path}>
      <h4 className="file-name" dir="ltr">
        {path}
      </h4>
      <PatchView patch={patch.value} onWhole={() => setIsWhole(true)} marksNew />
    </section>
  );
}
