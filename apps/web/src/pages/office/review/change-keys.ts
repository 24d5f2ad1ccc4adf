/** What each key does while a change is looked through. */
import type { DiffControl } from "./diff/diff-cursor.ts";
import type { ReviewKeys } from "./review-keys.ts";

export interface ChangeActs {
  readonly control: () => DiffControl | null;
  comment(): void;
  toggleViewed(): void;
  toggleLayout(): void;
  toggleHelp(): void;
  approve(): void;
  requestChanges(): void;
}

export function changeKeys(acts: ChangeActs): ReviewKeys {
  const { control } = acts;
  const line = (step: 1 | -1) => () => control()?.go("line", step);
  const extend = (step: 1 | -1) => () => control()?.extend(step);
  return new Map<string, () => void>([
    ["j", line(1)],
    ["k", line(-1)],
    ["ArrowDown", line(1)],
    ["ArrowUp", line(-1)],
    ["Shift+j", extend(1)],
    ["Shift+k", extend(-1)],
    ["Shift+ArrowDown", extend(1)],
    ["Shift+ArrowUp", extend(-1)],
    ["n", () => control()?.go("change", 1)],
    ["p", () => control()?.go("change", -1)],
    ["]", () => control()?.go("file", 1)],
    ["[", () => control()?.go("file", -1)],
    ["e", () => control()?.expand()],
    ["c", () => acts.comment()],
    ["v", () => acts.toggleViewed()],
    ["s", () => acts.toggleLayout()],
    ["?", () => acts.toggleHelp()],
    ["a", () => acts.approve()],
    ["Ctrl+Enter", () => acts.approve()],
    ["r", () => acts.requestChanges()],
  ]);
}
