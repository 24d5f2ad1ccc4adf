/**
 * What is on the terminal of an interactive Claude Code, as far as it must be known: which of its dialogs is open.
 * It draws with the cursor, so spaces are not to be relied on; texts are compared without them.
 */
import { stripVTControlCharacters } from "node:util";

export type Screen =
  | "starting"
  | "ready"
  | "theme"
  | "security notes"
  | "trust, no chosen"
  | "trust, yes chosen"
  | "login"
  | "api key"
  | "channel warning";

const KEPT = 16_384;

const SCREENS: readonly (readonly [Screen, RegExp])[] = [
  [
    "ready",
    /(?:manualmode|planmode|acceptedits|automode|dontask|bypasspermissions)on|\?forshortcuts/i,
  ],
  ["trust, yes chosen", /❯(?:\d\.)?Yes,Itrustthisfolder/i],
  ["trust, no chosen", /Itrustthisfolder/i],
  ["security notes", /Securitynotes[\s\S]*PressEntertocontinue/i],
  ["theme", /Choosethetextstyle/i],
  ["api key", /DetectedacustomAPIkey/i],
  ["login", /Selectloginmethod/i],
  ["channel warning", /Iamusingthisforlocaldevelopment/i],
];

export interface ScreenReader {
  take(drawn: string): void;
  /** What was drawn so far does not count any more. */
  forget(): void;
  read(): Screen;
  /** What was drawn, without spaces; for patterns of one's own, and for people when something went wrong. */
  text(): string;
}

export function createScreenReader(): ScreenReader {
  let raw = "";
  const text = (): string => stripVTControlCharacters(raw).replaceAll(/\s/g, "");
  return {
    take(drawn) {
      raw = `${raw}${drawn}`.slice(-KEPT);
    },
    forget() {
      raw = "";
    },
    read() {
      const drawn = text();
      return SCREENS.find(([, pattern]) => pattern.test(drawn))?.[0] ?? "starting";
    },
    text,
  };
}
