/** A change under review: its files line by line, with comments that are gathered and sent together. Loaded when one is opened. */
import type { WorldArtifact } from "@atrium/wire/world";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useMedia, useOffice, useTexts } from "../../../app/app.ts";
import { useSee, versionSeen } from "../attention/seen.ts";
import { ChangeFiles } from "./change-files.tsx";
import { changeKeys } from "./change-keys.ts";
import { ChangeLines } from "./change-lines.tsx";
import { createReviewHttp, type Comparison, type ReviewFile } from "./change/review-http.ts";
import type { ReviewNotesStore } from "./change/review-notes.ts";
import { useChange } from "./change/use-change.ts";
import type { DiffControl } from "./diff/diff-cursor.ts";
import { useFileViews } from "./diff/file-views.ts";
import type { Layout } from "./diff/paired-lines.ts";
import { filesIn, folderTree } from "./files/folder-tree.ts";
import { KeysHelp } from "./keys-help.tsx";
import { ReviewActions, useApprove, type Writing } from "./review-actions.tsx";
import { ReviewFrame } from "./review-frame.tsx";
import { useReviewKeys } from "./review-keys.ts";
import { ReviewSide } from "./review-side.tsx";
import { useApplySuggestion } from "./use-apply-suggestion.ts";
import { useFileMarks } from "./use-file-marks.ts";
import { VersionSelects } from "./version-selects.tsx";

export interface ChangeReviewProps {
  readonly artifact: WorldArtifact;
  readonly notes: ReviewNotesStore;
}

const NO_FILES: readonly ReviewFile[] = [];

export function ChangeReview({ artifact, notes }: ChangeReviewProps): ReactNode {
  const { artifact_id: artifactId, version: newest, task_id: taskId } = artifact;
  const http = useMemo(() => createReviewHttp(artifactId), [artifactId]);
  const task = useOffice(({ snapshot }) =>
    snapshot?.tasks.find(({ task_id }) => task_id === taskId),
  );
  const versions = useVersions(notes, newest);
  const { version, of } = versions;
  const { changes, comments, checks } = useChange(http, of, artifact);
  const isShown = changes?.ok === true;
  const all = isShown ? changes.value.files : NO_FILES;
  const tree = useMemo(() => folderTree(all), [all]);
  const files = useMemo(() => filesIn(tree), [tree]);
  const views = useFileViews(http, of);
  const marks = useFileMarks(notes, of, views);
  const [layout, setLayout] = useLayout();
  const toggleLayout = (): void => setLayout(layout === "split" ? "unified" : "split");
  const [file, setFile] = useState<string>();
  const [writing, setWriting] = useState<Writing>();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const ref = useRef<DiffControl>(null);
  const control = (): DiffControl | null => ref.current;
  useShownVersion(artifactId, version, isShown);
  const onApply = useApplySuggestion({ artifact, version, notes, onMade: versions.onShown });
  const approve = useApprove({ artifact, seen: version, isShown, notes });
  useReviewKeys(
    changeKeys({
      control,
      toggleLayout,
      comment: () => marks.comment(control()?.current()?.range),
      toggleViewed: () => marks.toggleViewed(control()?.current()?.file),
      toggleHelp: () => setIsHelpOpen(!isHelpOpen),
      approve: () => approve?.(),
      requestChanges: () => setWriting("changes"),
    }),
  );
  const shared = { artifactId, version, notes, http, comments };
  return (
    <ReviewFrame
      artifact={artifact}
      title={task?.title ?? artifact.name}
      toolbar={
        <ChangeToolbar
          {...{ versions, newest, layout, toggleLayout, isHelpOpen }}
          resolvesConflict={isShown && changes.value.resolves_conflict === true}
          toggleHelp={() => setIsHelpOpen(!isHelpOpen)}
        />
      }
      files={
        <ChangeFiles
          {...{ tree, files, marks, file, setFile, control }}
          hasMore={isShown && changes.value.has_more}
        />
      }
      side={
        <ReviewSide
          {...{ ...shared, task, checks, control }}
          changes={isShown ? changes.value : undefined}
          made={version === newest ? artifact.change : undefined}
        />
      }
      footer={
        <ReviewActions
          {...{ artifact, isShown, notes, writing }}
          seen={version}
          onWriting={setWriting}
          onSee={versions.onShown}
        />
      }
      help={isHelpOpen && <KeysHelp onClose={() => setIsHelpOpen(false)} />}
    >
      <ChangeLines
        {...{ ...shared, of, changes, files, views, marks, layout, setFile, onApply }}
        control={ref}
      />
    </ReviewFrame>
  );
}

interface ChangeToolbarProps {
  readonly versions: Versions;
  readonly newest: number;
  readonly resolvesConflict: boolean;
  readonly layout: Layout;
  readonly toggleLayout: () => void;
  readonly isHelpOpen: boolean;
  readonly toggleHelp: () => void;
}

function ChangeToolbar(props: ChangeToolbarProps): ReactNode {
  const { versions, newest, layout, toggleLayout, isHelpOpen, toggleHelp } = props;
  const { review: words } = useTexts();
  const { version, against, onShown, onAgainst, onConflict } = versions;
  const isChosen = against === "conflict";
  const conflict = { name: words.conflict, isChosen, onChoose: onConflict };
  return (
    <>
      <VersionSelects
        {...{ newest, onShown, onAgainst }}
        shown={version}
        against={against === "conflict" ? undefined : against}
        none={words.base}
        label={words.against}
        other={props.resolvesConflict || isChosen ? conflict : undefined}
      />
      <button
        type="button"
        className="button is-small review-layout"
        aria-pressed={layout === "split"}
        onClick={toggleLayout}
      >
        {words.split}
      </button>
      <button
        type="button"
        className="button is-small review-help"
        aria-expanded={isHelpOpen}
        onClick={toggleHelp}
      >
        {words.keys}
      </button>
    </>
  );
}

interface Versions {
  readonly version: number;
  readonly against: number | "conflict" | undefined;
  readonly of: Comparison;
  readonly onShown: (version: number) => void;
  readonly onAgainst: (version: number | undefined) => void;
  readonly onConflict: () => void;
}

/** A new version does not take the place of the one that is being read; it is held against the one judged last. */
function useVersions(notes: ReviewNotesStore, newest: number): Versions {
  const [version, setVersion] = useState(newest);
  const [against, setAgainst] = useState<number | "conflict" | undefined>(() => {
    const { judged } = notes.getState();
    return judged > 0 && judged < newest ? judged : undefined;
  });
  const onShown = (next: number): void => {
    setVersion(next);
    // The conflict is that of one version.
    if (against === "conflict") setAgainst(undefined);
  };
  const of = useMemo<Comparison>(
    () => ({ version, against: against === undefined || against === version ? "base" : against }),
    [version, against],
  );
  return {
    version,
    against,
    of,
    onShown,
    onAgainst: setAgainst,
    onConflict: () => setAgainst("conflict"),
  };
}

/** It was in front of the person, who may say something about it. */
function useShownVersion(artifactId: string, version: number, isShown: boolean): void {
  const see = useSee();
  useEffect(() => {
    if (isShown) see(versionSeen(artifactId, version));
  }, [see, isShown, artifactId, version]);
}

/** Beside each other where there is room for two, unless the person chose otherwise. */
function useLayout(): readonly [Layout, (layout: Layout) => void] {
  const isRoomy = useMedia("(width >= 1500px)");
  const isNarrow = useMedia("(width < 760px)");
  const [chosen, setChosen] = useState<Layout>();
  return [isNarrow ? "unified" : (chosen ?? (isRoomy ? "split" : "unified")), setChosen];
}
