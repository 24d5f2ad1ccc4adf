import type { ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { IconButton } from "../controls.tsx";
import { sizeText, type AttachedFile } from "./attached-files.ts";

export interface FileChipsProps {
  readonly files: readonly AttachedFile[];
  readonly onRemove: (file: AttachedFile) => void;
}

/** What is attached, each with a way to take it back. */
export function FileChips({ files, onRemove }: FileChipsProps): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  if (files.length === 0) return null;
  return (
    <ul className="chips">
      {files.map((file, at) => (
        <li key={`${file.name} ${at}`} className="chip">
          <span className="chip-name" title={file.name}>
            {file.name}
          </span>
          <small className="hint">{sizeText(file.bytes, language)}</small>
          <IconButton label={words.askRemove(file.name)} onClick={() => onRemove(file)}>
            ×
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
