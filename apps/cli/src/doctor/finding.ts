/** One thing that was looked at: how it is, and what to do when it is not well. */
export interface Finding {
  readonly about: string;
  /** `note`: it works, and someone may want to know. */
  readonly state: "ok" | "note" | "broken";
  readonly message: string;
  readonly advice?: string;
}

export const ok = (about: string, message: string): Finding => ({ about, state: "ok", message });

export const note = (about: string, message: string, advice?: string): Finding => ({
  ...ok(about, message),
  state: "note",
  ...(advice !== undefined && { advice }),
});

export const broken = (about: string, message: string, advice: string): Finding => ({
  ...ok(about, message),
  state: "broken",
  advice,
});
