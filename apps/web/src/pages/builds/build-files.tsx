import type { BuildFile } from "@atrium/wire/build";
import { useEffect, useState, type ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { openFile } from "../../app/server/open-file.ts";
import { sizeText } from "../../ui/files/attached-files.ts";
import type { BuildsHttp } from "./builds-http.ts";

export interface BuildFilesProps {
  readonly id: string;
  readonly http: BuildsHttp;
  /** How far the build is; files may have come when it changes. */
  readonly version: string;
}

/** What was delivered so far, to look at and to keep. The server locks it up; nothing of it runs here. */
export function BuildFiles({ id, http, version }: BuildFilesProps): ReactNode {
  const words = useTexts().builds;
  const { language } = useAppearance();
  const [files, setFiles] = useState<readonly BuildFile[]>([]);
  useEffect(() => {
    let isWanted = true;
    const look = async (): Promise<void> => {
      const answer = await http.files(id);
      if (isWanted && answer.ok) setFiles(answer.value.files);
    };
    void look();
    return () => void (isWanted = false);
  }, [http, id, version]);
  if (files.length === 0) return null;
  return (
    <section className="build-files">
      <h2>{words.filesTitle}</h2>
      <ul className="plain-list">
        {files.map(({ file_id, name, media_type, bytes, path }) => (
          <li key={file_id} className="row spread">
            <span className="as-written">
              {name} <small className="hint">{`${media_type}, ${sizeText(bytes, language)}`}</small>
            </span>
            <span className="row">
              <a
                className="button is-small"
                href={path}
                target="_blank"
                rel="noopener noreferrer"
                onClick={openFile}
              >
                {words.open}
                <span className="visually-hidden"> {name}</span>
              </a>
              <a className="button is-small" href={path} download={name} onClick={openFile}>
                {words.download}
                <span className="visually-hidden"> {name}</span>
              </a>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
