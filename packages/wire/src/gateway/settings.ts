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

export const ServerSettings = strictObject({
  path: NonEmptyString,
  exists: Type.Boolean(),
  /** Given back as `baseHash`, it makes sure that nobody has changed them in between. */
  hash: NonEmptyString,
  /** The settings in effect, without secrets. */
  values: AnyObject,
  keys: Type.Array(SettingsKey),
});

export const settingsGet = method({
  name: "settings.get",
  scope: "operator.admin",
  params: strictObject({}),
  result: ServerSettings,
});

const BaseHash = Type.Optional(Type.String({ minLength: 1, maxLength: 128 }));

/** A JSON merge patch: what it names is set, null removes. `agents` is an object by id, or a list merged by id. */
export const settingsPatch = method({
  name: "settings.patch",
  scope: "operator.admin",
  idempotency: "optional",
  params: strictObject({
    patch: AnyObject,
    baseHash: BaseHash,
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

/** As `settings.patch`, with the patch as JSON text; nothing restarts, so what says when and why is ignored. */
export const configPatch = method({
  name: "config.patch",
  scope: "operator.admin",
  params: strictObject({
    raw: NonEmptyString,
    baseHash: BaseHash,
    sessionKey: Type.Optional(Type.String()),
    note: Type.Optional(Type.String()),
    continuePrompt: Type.Optional(Type.String()),
    restartDelayMs: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  result: strictObject({
    ok: Type.Literal(true),
    /** Nothing had to be changed. */
    noop: Type.Optional(Type.Literal(true)),
    path: NonEmptyString,
    hash: NonEmptyString,
    config: AnyObject,
  }),
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
