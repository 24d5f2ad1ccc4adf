/** What is attached to something that is being written; what does not fit is said, and why. */
import { useState } from "react";
import { useApp, useTexts } from "../../app/app.ts";
import { readAttachedFile, sortFiles, type AttachedFile } from "./attached-files.ts";

export interface AttachedFiles {
  readonly files: readonly AttachedFile[];
  add(chosen: Iterable<File>): Promise<void>;
  readonly remove: (file: AttachedFile) => void;
  readonly setFiles: (files: readonly AttachedFile[]) => void;
}

export function useAttachedFiles(): AttachedFiles {
  const words = useTexts();
  const { notices } = useApp();
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  return {
    files,
    async add(chosen) {
      const { taken, tooLarge, tooMany } = sortFiles([...chosen], files);
      for (const name of tooLarge) notices.say(words.fileTooLarge(name), "refused");
      for (const name of tooMany) notices.say(words.fileTooMany(name), "refused");
      try {
        const read = await Promise.all(taken.map(readAttachedFile));
        setFiles((before) => [...before, ...read]);
      } catch (error) {
        // A folder, or a file that is gone.
        notices.say(words.fileUnread(String(error)), "refused");
      }
    },
    remove: (file) => setFiles((before) => before.filter((each) => each !== file)),
    setFiles,
  };
}
