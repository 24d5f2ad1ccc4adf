/** Asking for something and saying how it went. */
import type { WorldAck } from "@atrium/client";
import { useCallback } from "react";
import type { SentCommand } from "../../world/world.ts";
import { useApp, useTexts } from "../app.ts";
import { confirmationText } from "./confirmation-text.ts";
import { errorText } from "./error-text.ts";
import { findTooLong } from "./input-limits.ts";

/** Resolves with whether it was taken; what was done, or why not, is said to the person. */
export type SendCommand = (
  command: SentCommand,
  onTaken?: (ack: WorldAck) => void,
) => Promise<boolean>;

export function useSendCommand(): SendCommand {
  const { world, notices } = useApp();
  const words = useTexts();
  return useCallback(
    async (command, onTaken) => {
      const tooMuch = findTooLong(command, words);
      if (tooMuch !== undefined) {
        notices.say(tooMuch, "refused");
        return false;
      }
      const done = confirmationText(command, world.store.getState().snapshot, words);
      const refused = await world.act(command, onTaken);
      if (refused === undefined) {
        if (done !== undefined) notices.say(done);
        return true;
      }
      notices.say(errorText(refused, words), "refused");
      return false;
    },
    [world, notices, words],
  );
}
