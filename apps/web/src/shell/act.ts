/** Asking for something and saying how it went. */
import { useCallback } from "react";
import type { Asked } from "../world/world.ts";
import { useHouse, useWords } from "./house.ts";

/** Resolves with whether it was taken; why not is shown to the person. `done` is said when it was. */
export type Act = (asked: Asked, done?: string) => Promise<boolean>;

export function useAct(): Act {
  const { world, notices } = useHouse();
  const words = useWords();
  return useCallback(
    async (asked, done) => {
      const refused = await world.act(asked);
      if (refused === undefined) {
        if (done !== undefined) notices.say(done);
        return true;
      }
      notices.say(`${words.refusals[refused.code]} (${refused.message})`, "refused");
      return false;
    },
    [world, notices, words],
  );
}
