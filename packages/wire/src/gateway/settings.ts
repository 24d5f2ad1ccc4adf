/** Gateway wire: changing settings while the server runs. `config.*` are the peer's names for it. */
import { Type } from "@atrium/schema";
import { IdempotencyKey } from "../ids.ts";
import { method } from "../method.ts";
import { AnyObject, NonEmptyString, literals, strictObject } from "../scalars.ts";

/** A key of a model or program: where it is, never what it is. */
export const SettingsKey = strictObject({
  /** Of the environment variable that the settings name. */
  name: NonEmptyString,
  /** `environment`: in the server's, which wins. `kept`: in a file of the home. `missing`: nowhere. */
  source: literals("environment", "kept", "missing"),
});

/** A setting that does not change while the server runs. */
export const FixedSetting = strictObject({
  /** `port`, `agents`. */
  path: NonEmptyString,
  /** `restart`: the server is built on it. `given`: a flag or a variable sets it. */
  reason: literals("restart", "given"),
  /** The flag or the variable. */
  by: Type.Optional(NonEmptyString),
});

export const ServerSettings = strictObject({
  path: NonEmptyString,
  exists: Type.Boolean(),
  /** Given back as `baseHash`, it makes sure that nobody has changed them in between. */
  hash: NonEmptyString,
  /** The settings in effect, without secrets. */
  values: AnyObject,
  keys: Type.Array(SettingsKey),
  /** Everything else can be changed now. */
  fixed: Type.Array(FixedSetting),
});

export const settingsGet = method({
  name: "settings.get",
  scope: "operator.admin",
  params: strictObject({}),
  result: ServerSettings,
});

const Places = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 256 }),
);
const BaseHash = Type.Optional(Type.String({ minLength: 1, maxLength: 128 }));

/** A JSON merge patch: what it names is set, null removes. `agents` is an object by id, or a list merged by id. */
export const settingsPatch = method({
  name: "settings.patch",
  scope: "operator.admin",
  idempotency: "optional",
  params: strictObject({
    patch: AnyObject,
    baseHash: BaseHash,
    /** Places of lists that are united with what is there, which nobody may be shown: `runtimes.claude.env`. */
    unitePaths: Places,
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({
    /** Where; empty: everything was so already. */
    changed: Type.Array(NonEmptyString),
    settings: ServerSettings,
  }),
});

const KeyName = Type.String({ minLength: 1, maxLength: 100 });

export const settingsKeySet = method({
  name: "settings.key.set",
  scope: "operator.admin",
  params: strictObject({ name: KeyName, value: Type.String({ minLength: 1, maxLength: 16_384 }) }),
  result: strictObject({ keys: Type.Array(SettingsKey) }),
});

export const settingsKeyRemove = method({
  name: "settings.key.remove",
  scope: "operator.admin",
  params: strictObject({ name: KeyName }),
  result: strictObject({ keys: Type.Array(SettingsKey) }),
});

/** Where someone would be told of a restart. */
export const RestartDelivery = strictObject({
  channel: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  accountId: Type.Optional(Type.String()),
  threadId: Type.Optional(Type.Union([Type.String(), Type.Number()])),
});

/** When a restart would be, and who is told; nothing restarts, so it is ignored. */
const restartParams = {
  sessionKey: Type.Optional(Type.String()),
  deliveryContext: Type.Optional(RestartDelivery),
  note: Type.Optional(Type.String()),
  continuePrompt: Type.Optional(Type.String()),
  restartDelayMs: Type.Optional(Type.Integer({ minimum: 0 })),
};

export const ConfigWritten = strictObject({
  ok: Type.Literal(true),
  /** Nothing had to be changed. */
  noop: Type.Optional(Type.Literal(true)),
  path: NonEmptyString,
  hash: NonEmptyString,
  config: AnyObject,
});

/** As `settings.patch`, with the patch as JSON text. */
export const configPatch = method({
  name: "config.patch",
  scope: "operator.admin",
  params: strictObject({
    raw: NonEmptyString,
    baseHash: BaseHash,
    ...restartParams,
    /** Places of the patch that are replaced, not merged: `agents`, `runtimes.local`. */
    replacePaths: Places,
  }),
  result: ConfigWritten,
});

/** All settings as JSON text, as `config.get` has shown them, changed. What is left out is removed. */
export const configSet = method({
  name: "config.set",
  scope: "operator.admin",
  params: strictObject({ raw: NonEmptyString, baseHash: BaseHash }),
  result: ConfigWritten,
});

/** The same: every change is in effect at once. */
export const configApply = method({
  name: "config.apply",
  scope: "operator.admin",
  params: strictObject({ raw: NonEmptyString, baseHash: BaseHash, ...restartParams }),
  result: ConfigWritten,
});

export const configSchema = method({
  name: "config.schema",
  scope: "operator.read",
  params: strictObject({}),
  result: strictObject({
    schema: AnyObject,
    uiHints: strictObject({}),
    version: NonEmptyString,
    generatedAt: NonEmptyString,
  }),
});
