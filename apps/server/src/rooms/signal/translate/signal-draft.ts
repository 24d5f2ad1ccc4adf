/** A signal about something of ours, without what every signal of one entry has in common. */
import type { SignalPayloadMap, WellKnownSignalType } from "@atrium/wire/signal";

export type SignalDraft =
  | {
      readonly [Name in WellKnownSignalType]: {
        readonly type: Name;
        readonly payload: SignalPayloadMap[Name];
        readonly isKept?: boolean;
      };
    }[WellKnownSignalType]
  | {
      readonly type: "artifact" | "build.step" | "build.question";
      readonly payload: Readonly<Record<string, unknown>>;
      readonly isKept?: boolean;
    };

export function completion(taskId: string, success: boolean, result?: string): SignalDraft {
  const why = result === undefined ? {} : { result: truncate(result, MAX_SUMMARY_CHARS) };
  return { type: "completion", payload: { taskId, success, ...why } };
}

/** For a person to read at a glance; the whole is in the log. */
export const MAX_SUMMARY_CHARS = 2_000;

export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
