/** Files that are dropped on something or pasted into it. */
import { useState, type ClipboardEvent, type DragEvent } from "react";

export interface FileDrops {
  /** Files are held over it. */
  readonly isOver: boolean;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly dropProps: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: () => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

export function useFileDrops(onFiles: (files: readonly File[]) => void): FileDrops {
  const [isOver, setIsOver] = useState(false);
  const take = (event: ClipboardEvent | DragEvent, from: DataTransfer): void => {
    if (from.files.length === 0) return;
    event.preventDefault();
    onFiles([...from.files]);
  };
  return {
    isOver,
    onPaste: (event) => take(event, event.clipboardData),
    dropProps: {
      onDragOver(event) {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave: () => setIsOver(false),
      onDrop(event) {
        setIsOver(false);
        take(event, event.dataTransfer);
      },
    },
  };
}
