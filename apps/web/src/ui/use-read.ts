/** What a page reads from the server: undefined until it is there, and again once something else is wanted. */
import { useEffect, useState } from "react";

/** `wanted` names what `read` reads; undefined: nothing. */
export function useRead<Value>(
  wanted: string | undefined,
  read: () => Promise<Value>,
): Value | undefined {
  const [got, setGot] = useState<{ readonly name: string; readonly value: Value }>();
  useEffect(() => {
    if (wanted === undefined) return undefined;
    let isWanted = true;
    const load = async (): Promise<void> => {
      const value = await read();
      if (isWanted) setGot({ name: wanted, value });
    };
    void load();
    return () => void (isWanted = false);
  }, [wanted]);
  return got?.name === wanted ? got?.value : undefined;
}
