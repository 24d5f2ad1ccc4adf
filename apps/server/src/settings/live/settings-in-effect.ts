/**
 * The settings file, and what of it is in effect. A change is made ready as far as it can fail before anything is
 * written: the checks of a start have passed, and what the crew needs is made.
 */
import { join } from "node:path";
import { accept, type Outcome, type SettingChange } from "@atrium/core";
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
  readSettingsText,
  replaceSettingsText,
  sweepDrafts,
  type SettingsText,
} from "./settings-file.ts";

export interface PreparedChange {
  readonly commit: () => void;
  readonly discard: () => Promise<void>;
}

export interface SettingsInEffectDeps {
  readonly live: LiveConfig;
  readonly inputs: ProcessInputs;
  /** Makes what the crew needs under these settings; throws a ConfigError where that is impossible. */
  readonly prepare: (next: Config) => Promise<PreparedChange>;
}

export interface ReadyChange {
  readonly changes: readonly SettingChange[];
  /** Digests of the whole file; null: there is none yet. */
  readonly before: string | null;
  readonly after: string;
  /** Writes the file and takes effect. Returns why the file was not written; then nothing has changed. */
  readonly take: () => Promise<string | undefined>;
  readonly discard: () => Promise<void>;
}

const EMPTY = "{}\n";

export class SettingsInEffect {
  readonly #deps: SettingsInEffectDeps;
  readonly #path: string;
  /** The text that is in effect; it may have been changed by hand since. */
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
    this.#applied = text ?? EMPTY;
    return digest;
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
      take: () => this.#take(plan.value, file.value, prepared.value),
      discard: prepared.value.discard,
    });
  }

  async #take(
    { text, next }: ChangePlan,
    { text: old, digest }: SettingsText,
    { commit, discard }: PreparedChange,
  ): Promise<string | undefined> {
    const { live, inputs } = this.#deps;
    const before = rereadConfig(inputs, this.#path, this.#applied ?? old ?? EMPTY);
    const problem = await this.#write(text, digest);
    if (problem !== undefined) {
      await discard();
      return problem;
    }
    this.#applied = text;
    live.replace(next, partsThatDiffer(before, next));
    commit();
    return undefined;
  }

  async #write(text: string, before: string | null): Promise<string | undefined> {
    try {
      if (await replaceSettingsText(this.#path, text, before)) return undefined;
      return `${this.#path} was changed by someone else at the same time; try again`;
    } catch (cause) {
      return `${this.#path}: ${messageOf(cause)}`;
    }
  }
}

function partsThatDiffer(one: Config, other: Config): readonly LivePart[] {
  return LIVE_PARTS.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));
}
