/**
 * What an ACP session can be set to: the mode that says what it asks for, the model, how much it thinks. Agents offer it
 * as options of the session, or in the older ways, as modes and as models; the options are preferred. The answer is read
 * as it came: nobody has checked it.
 */
import { fieldsOf, listOf, textIn, type Fields } from "../../turn/json-fields.ts";

export type OptionName = "mode" | "model" | "thinking";

interface OfferedValue {
  readonly id: string;
  readonly name: string;
}

export interface SessionOption {
  readonly current: string | undefined;
  readonly offered: readonly OfferedValue[];
  /** The request that sets it, without the session. */
  readonly request: (value: string) => { readonly method: string; readonly params: object };
}

export type SessionOptions = ReadonlyMap<OptionName, SessionOption>;

const CATEGORIES: ReadonlyMap<string, OptionName> = new Map([
  ["mode", "mode"],
  ["model", "model"],
  ["thought_level", "thinking"],
]);

/** Of an answer that begins or takes up a session. */
export function optionsIn(answer: unknown): SessionOptions {
  const given = fieldsOf(answer);
  const options = new Map<OptionName, SessionOption>();
  const modes = fieldsOf(given["modes"]);
  add(options, "mode", {
    current: textIn(modes, "currentModeId"),
    offered: offeredIn(modes["availableModes"], "id"),
    request: (modeId) => ({ method: "session/set_mode", params: { modeId } }),
  });
  // No part of the protocol any more, but what Gemini has.
  const models = fieldsOf(given["models"]);
  add(options, "model", {
    current: textIn(models, "currentModelId"),
    offered: offeredIn(models["availableModels"], "modelId"),
    request: (modelId) => ({ method: "session/set_model", params: { modelId } }),
  });
  for (const option of listOf(given["configOptions"])) {
    const name = CATEGORIES.get(textIn(option, "category") ?? "");
    if (name !== undefined) add(options, name, selectIn(option));
  }
  return options;
}

/** By its id, or by its name where that is easier to write. */
export function findValue({ offered }: SessionOption, wanted: string): string | undefined {
  const isNamed = ({ name }: OfferedValue): boolean => name.toLowerCase() === wanted.toLowerCase();
  return (offered.find(({ id }) => id === wanted) ?? offered.find(isNamed))?.id;
}

function add(options: Map<OptionName, SessionOption>, name: OptionName, one: SessionOption): void {
  if (one.offered.length > 0) options.set(name, one);
}

function selectIn(option: Fields): SessionOption {
  const configId = textIn(option, "id") ?? "";
  // They may come in groups.
  const values = listOf(option["options"]).flatMap((each) =>
    Array.isArray(each["options"]) ? listOf(each["options"]) : [each],
  );
  return {
    current: textIn(option, "currentValue"),
    offered: offeredIn(values, "value"),
    request: (value) => ({ method: "session/set_config_option", params: { configId, value } }),
  };
}

function offeredIn(list: unknown, idName: string): readonly OfferedValue[] {
  return listOf(list).flatMap((each) => {
    const id = textIn(each, idName);
    return id === undefined ? [] : [{ id, name: textIn(each, "name") ?? id }];
  });
}
