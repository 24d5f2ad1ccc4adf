/** What nobody tells a page of when it changes: read again and again for as long as it is wanted. */
import { useEffect, useState } from "react";

/** `wanted` names what `read` reads; undefined: nothing. The next time is counted from the last answer. */
export function usePolled<Value>(
  wanted: string | undefined,
  everyMs: number,
  read: () => Promise<Value>,
): Value | undefined {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    if (wanted === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const load = async (): Promise<void> => {
      const next = await read();
      if (!isWanted) return;
      setValue(next);
      timer = setTimeout(() => void load(), everyMs);
    };
    void load();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  return value;
}
