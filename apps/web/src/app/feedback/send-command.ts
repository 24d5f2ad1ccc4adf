/** Asking for something and saying how it went. */
import { useCallback } from "react";
import type { Asked } from "../../world/world.ts";
import { useHouse, useWords } from "../app.ts";
import { doneWords } from "./confirmation-text.ts";
import { whyNot } from "./error-text.ts";
import { tooMuchIn } from "./input-limits.ts";

/** Resolves with whether it was taken; what was done, or why not, is said to the person. */
export type Act = (asked: Asked) => Promise<boolean>;

export function useAct(): Act {
  const { world, notices } = useHouse();
  const words = useWords();
  return useCallback(
    async (asked) => {
      const tooMuch = tooMuchIn(asked, words);
      if (tooMuch !== undefined) {
        notices.say(tooMuch, "refused");
        return false;
      }
      const done = doneWords(asked, world.store.getState().snapshot, words);
      const refused = await world.act(asked);
      if (refused === undefined) {
        if (done !== undefined) notices.say(done);
        return true;
      }
      notices.say(whyNot(refused, words), "refused");
      return false;
    },
    [world, notices, words],
  );
}
