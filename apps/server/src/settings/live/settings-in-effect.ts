/**
 * The settings file, and what of it is in effect. A change is made ready as far as it can fail before anything is
 * written: the checks of a start have passed, and what the crew needs is made.
 */
import { join } from "node:path";
import { accept, refuse, type Outcome, type SettingChange } from "@atrium/core";
import { rereadConfig, type Config, type ProcessInputs } from "../read-config.ts";
import { LIVE_PARTS, type LiveConfig, type LivePart } from "./live-config.ts";
import {
  invalid,
  messageOf,
  planChange,
  unreadable,
  type ChangePlan,
  type SettingsEdit,
} from "./plan-change.ts";
import { describeChanges } from "./setting-changes.ts";
import {
  digestOf,
  draftSettingsText,
  readSettingsText,
  sweepDrafts,
  type SettingsDraft,
  type SettingsText,
} from "./settings-file.ts";

export interface PreparedChange {
  readonly commit: () => void;
  readonly discard: () => Promise<void>;
}

export interface SettingsInEffectDeps {
  readonly live: LiveConfig;
  /** False: the server opened with other settings, because those of the file could not be used. */
  readonly isFileUsed: boolean;
  readonly inputs: ProcessInputs;
  /** Makes what the crew needs under these settings; throws a ConfigError where that is impossible. */
  readonly prepare: (next: Config) => Promise<PreparedChange>;
}

export interface ReadyChange {
  readonly changes: readonly SettingChange[];
  /** Digests of the whole file; null: there is none yet. */
  readonly before: string | null;
  readonly after: string;
  /** Puts the new text beside the file. Refused: that was not possible, and the rest is discarded. */
  readonly write: () => Promise<Outcome<WrittenChange>>;
  readonly discard: () => Promise<void>;
}

export interface WrittenChange {
  /** Replaces the file and takes effect. Returns why the file was not replaced; then nothing has changed. */
  readonly take: () => Promise<string | undefined>;
  readonly discard: () => Promise<void>;
}

const EMPTY = "{}\n";

export class SettingsInEffect {
  readonly #deps: SettingsInEffectDeps;
  readonly #path: string;
  /** The text that is in effect, if it is one; it may have been changed by hand since. */
  #applied: string | undefined;

  constructor(deps: SettingsInEffectDeps) {
    const { file, home } = deps.live.config;
    this.#deps = deps;
    this.#path = file ?? join(home, "atrium.config.json");
  }

  /** Returns the digest of the file. */
  async open(): Promise<string | null> {
    await sweepDrafts(this.#path);
    const { text, digest } = await readSettingsText(this.#path);
    if (this.#deps.isFileUsed) this.#applied = text ?? EMPTY;
    return digest;
  }

  /** What a change would change in this node's own file; nothing where it cannot be made here. */
  async differing(change: SettingsEdit): Promise<readonly SettingChange[]> {
    const file = await readSettingsText(this.#path).then(accept, unreadable);
    if (!file.ok) return [];
    const inputs = { old: file.value.text ?? EMPTY, path: this.#path, inputs: this.#deps.inputs };
    const plan = planChange(change, inputs);
    return plan.ok ? describeChanges(plan.value.edits, plan.value.next) : [];
  }

  /** Of the file as it is. */
  async digest(): Promise<string> {
    const { text } = await readSettingsText(this.#path);
    return digestOf(text ?? EMPTY);
  }

  /** Undefined: it changes nothing. `isRepeated`: it was made elsewhere already. */
  async ready(change: SettingsEdit, isRepeated = false): Promise<Outcome<ReadyChange | undefined>> {
    const { inputs, prepare } = this.#deps;
    const file = await readSettingsText(this.#path).then(accept, unreadable);
    if (!file.ok) return file;
    const old = file.value.text ?? EMPTY;
    const plan = planChange(change, { old, path: this.#path, inputs, isRepeated });
    if (!plan.ok) return plan;
    const { edits, text, next } = plan.value;
    if (edits.length === 0) return accept(undefined);
    const changes = describeChanges(edits, next);
    const prepared = await prepare(next).then(accept, invalid);
    if (!prepared.ok) return prepared;
    return accept({
      changes,
      before: file.value.digest,
      after: digestOf(text),
      write: () => this.#write(plan.value, file.value, prepared.value),
      discard: prepared.value.discard,
    });
  }

  async #write(
    plan: ChangePlan,
    { digest }: SettingsText,
    prepared: PreparedChange,
  ): Promise<Outcome<WrittenChange>> {
    let draft: SettingsDraft;
    try {
      draft = await draftSettingsText(this.#path, plan.text, digest);
    } catch (cause) {
      await prepared.discard();
      return refuse("settings.unwritable", this.#problem(cause));
    }
    const discard = async (): Promise<void> => {
      await draft.discard();
      await prepared.discard();
    };
    return accept({
      discard,
      take: async () => {
        const problem = await this.#replace(draft);
        if (problem === undefined) this.#apply(plan, prepared);
        else await discard();
        return problem;
      },
    });
  }

  async #replace(draft: SettingsDraft): Promise<string | undefined> {
    try {
      if (await draft.replace()) return undefined;
      return `${this.#path} was changed by someone else at the same time; try again`;
    } catch (cause) {
      return this.#problem(cause);
    }
  }

  #apply({ text, next }: ChangePlan, { commit }: PreparedChange): void {
    const { live, inputs } = this.#deps;
    const before =
      this.#applied === undefined ? undefined : rereadConfig(inputs, this.#path, this.#applied);
    this.#applied = text;
    live.replace(next, before === undefined ? LIVE_PARTS : partsThatDiffer(before, next));
    commit();
  }

  #problem(cause: unknown): string {
    return `${this.#path}: ${messageOf(cause)}`;
  }
}

function partsThatDiffer(one: Config, other: Config): readonly LivePart[] {
  return LIVE_PARTS.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));
}
