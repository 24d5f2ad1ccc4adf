/** One thing that was looked at: how it is, and what to do when it is not well. */
export interface Finding {
  readonly about: string;
  /** `note`: it works, and someone may want to know. */
  readonly state: "ok" | "note" | "broken";
  readonly says: string;
  readonly advice?: string;
}

export const ok = (about: string, says: string): Finding => ({ about, state: "ok", says });

export const note = (about: string, says: string, advice?: string): Finding =>
  advice === undefined ? { about, state: "note", says } : { about, state: "note", says, advice };

export const broken = (about: string, says: string, advice: string): Finding => ({
  about,
  state: "broken",
  says,
  advice,
});
