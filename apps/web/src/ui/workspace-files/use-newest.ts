/** What a page reads again and again: the last answer stays until the next one is there. */
import { useEffect, useState } from "react";

/** `wanted` names what `read` reads; another name is read anew. */
export function useNewest<Value>(wanted: string, read: () => Promise<Value>): Value | undefined {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    let isWanted = true;
    const load = async (): Promise<void> => {
      const next = await read();
      if (isWanted) setValue(next);
    };
    void load();
    return () => void (isWanted = false);
  }, [wanted]);
  return value;
}
