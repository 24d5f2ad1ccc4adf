/** One file as it was: its text, or what it is instead. */
import { visibleText } from "@atrium/wire";
import { useMemo, useState, type ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { openFile } from "../../app/server/open-file.ts";
import { Button } from "../controls.tsx";
import { sizeText } from "../files/attached-files.ts";
import { PlainText } from "../safe-text/plain-text.tsx";
import type { At, FileEntry, FilesHttp } from "./files-http.ts";
import { useNewest } from "./use-newest.ts";

export interface FileContentViewProps {
  readonly http: FilesHttp;
  readonly path: string;
  readonly entry: FileEntry;
  readonly at: At;
  readonly version: string;
}

/** More is shown when it is asked for. */
const MAX_SHOWN_BYTES = 512_000;

export function FileContentView(props: FileContentViewProps): ReactNode {
  const { http, path, entry, at } = props;
  const { workshop: words } = useTexts();
  const { language } = useAppearance();
  const { name, bytes = 0 } = entry;
  const [isWanted, setIsWanted] = useState(bytes <= MAX_SHOWN_BYTES);
  return (
    <div className="stack is-tight file-content">
      <div className="row">
        <span className="hint">{sizeText(bytes, language)}</span>
        <a
          className="button is-small"
          href={http.address(path, at)}
          download={name}
          onClick={openFile}
        >
          {words.download}
          <span className="visually-hidden"> {name}</span>
        </a>
        {!isWanted && (
          <Button look="small" onClick={() => setIsWanted(true)}>
            {words.fileAnyway}
          </Button>
        )}
      </div>
      {isWanted && <Text {...props} />}
    </div>
  );
}

function Text({ http, path, at, version }: FileContentViewProps): ReactNode {
  const { workshop: words } = useTexts();
  const content = useNewest(`${path} ${version}`, () => http.content(path, at));
  const text = content?.type === "text" ? content.text : "";
  const shown = useMemo(() => visibleText(text.replaceAll("\r\n", "\n")), [text]);
  if (content === undefined) return null;
  if (content === null) return <p className="hint">{words.fileGone}</p>;
  if (content.type === "binary") return <p className="hint">{words.fileBinary}</p>;
  if (text === "") return <p className="hint">{words.fileEmpty}</p>;
  return (
    <div className="file-text" tabIndex={0} role="region" aria-label={path} dir="ltr">
      <PlainText text={shown} />
    </div>
  );
}
