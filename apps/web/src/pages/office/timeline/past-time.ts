import { useOffice } from "../../../app/app.ts";
import { useNow } from "../view/now.ts";

/** While nothing plays, the clock of the past stands. */
const SELDOM_MS = 60_000;

/** What the clock of the past shows, going on while it plays; undefined in the present. */
export function usePastTime(): number | undefined {
  const time = useNow(SELDOM_MS);
  return useOffice(({ past }) => past !== null) ? time : undefined;
}
