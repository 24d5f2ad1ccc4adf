/**
 * Cuts a stream of bytes into lines, and never holds more than one line of the longest allowed: a longer one is
 * passed over and reported, and reading goes on with the next.
 */
export interface LineReader {
  take(bytes: Buffer): void;
}

const NEWLINE = 0x0a;

export function createLineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): LineReader {
  let parts: Buffer[] = [];
  let size = 0;
  let isTooLong = false;

  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) {
      isTooLong = true;
      parts = [];
    }
    if (!isTooLong && part.length > 0) parts.push(part);
  };
  const end = (): void => {
    const line = isTooLong ? undefined : Buffer.concat(parts).toString("utf8");
    parts = [];
    size = 0;
    isTooLong = false;
    if (line === undefined) onTooLong();
    else if (line !== "") onLine(line);
  };

  return {
    take(bytes) {
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
        add(bytes.subarray(from, at));
        end();
        from = at + 1;
      }
      // Copied, because a small rest would keep a large buffer alive.
      if (from < bytes.length) add(Buffer.from(bytes.subarray(from)));
    },
  };
}
