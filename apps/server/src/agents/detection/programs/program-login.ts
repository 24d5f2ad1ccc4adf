/**
 * Whether an agent program is logged in, read from what it prints or keeps. Such texts hold addresses of people and parts
 * of keys, so only these words leave here.
 */
import { stripVTControlCharacters } from "node:util";
import { own } from "@atrium/wire";
import { fieldsOf, parseFields, textIn } from "../../turn/json-fields.ts";

export type ProgramLogin =
  | { readonly state: "in"; readonly by?: string }
  | { readonly state: "out" }
  | { readonly state: "unknown" };

/** What was found where the row says; undefined where nothing could be read. */
export interface LoginEvidence {
  /** Of the row's login command, which has ended by itself. */
  readonly output?: { readonly code: number; readonly text: string } | undefined;
  /** Contents of the row's file; null: there is no such file. */
  readonly file?: string | null | undefined;
}

export type ReadLogin = (evidence: LoginEvidence) => ProgramLogin;

const IN: ProgramLogin = { state: "in" };
const OUT: ProgramLogin = { state: "out" };
const UNKNOWN: ProgramLogin = { state: "unknown" };

/** Claude Code's words for the ways to log in; another one is not repeated. */
const CLAUDE_METHODS = {
  "claude.ai": "a subscription",
  oauth_token: "a token",
  api_key: "an API key",
  api_key_helper: "an API key",
} as const;

export const readClaudeLogin: ReadLogin = ({ output }) => {
  const status = parseFields(output?.text ?? "") ?? {};
  switch (own(status, "loggedIn")) {
    case true: {
      const by = own(CLAUDE_METHODS, textIn(status, "authMethod") ?? "");
      return by === undefined ? IN : { ...IN, by };
    }
    case false:
      return OUT;
    default:
      return UNKNOWN;
  }
};

/** A provider other than OpenAI needs no login of Codex. */
const OTHER_PROVIDER = /^\s*model_provider\s*=\s*["'](?!openai["'])/m;

export const readCodexLogin: ReadLogin = ({ output, file }) => {
  const { code, text = "" } = output ?? {};
  if (code === 0 && /\bChatGPT\b/.test(text)) return { ...IN, by: "a subscription" };
  if (code === 0 && /\bAPI key\b/i.test(text)) return { ...IN, by: "an API key" };
  if (code === 0 && /\blogged in\b/i.test(text)) return IN;
  const isOut = code === 1 && /\bnot logged in\b/i.test(text);
  return isOut && !OTHER_PROVIDER.test(file ?? "") ? OUT : UNKNOWN;
};

/** A provider that is configured with its key works without a credential, so none says nothing. */
export const readOpencodeLogin: ReadLogin = ({ output }) => {
  const text = stripVTControlCharacters(output?.text ?? "");
  const count = Number(/\b(?<count>\d{1,4}) credentials?\b/.exec(text)?.groups?.["count"] ?? 0);
  return output?.code === 0 && count > 0 ? IN : UNKNOWN;
};

/** Its choice is kept in a file; whether a chosen login is still good, only Google knows. */
export const readGeminiLogin: ReadLogin = ({ file }) => {
  if (file === null) return OUT;
  const settings = parseFields(file ?? "");
  if (settings === undefined) return UNKNOWN;
  const { auth } = fieldsOf(settings["security"]);
  return textIn(fieldsOf(auth), "selectedType") === undefined ? OUT : UNKNOWN;
};

export const readClineLogin: ReadLogin = ({ file }) => {
  if (file === null) return OUT;
  const kept = parseFields(file ?? "");
  if (kept === undefined) return UNKNOWN;
  return (textIn(kept, "lastUsedProvider") ?? "") === "" ? OUT : IN;
};

/** It has no way to tell. */
export const readNoLogin: ReadLogin = () => UNKNOWN;
