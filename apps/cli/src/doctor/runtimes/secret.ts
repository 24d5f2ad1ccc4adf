/** Secrets are in environment variables, which the settings name. */
import { own } from "@atrium/wire";
import { nonEmpty } from "../../server/settings.ts";
import { broken, note, type Finding } from "../finding.ts";
import type { CheckedRuntime } from "./runtime-findings.ts";

export type Secret =
  | { readonly state: "had"; readonly value: string | undefined }
  | { readonly state: "missing"; readonly finding: Finding };

/** `key` is the setting that names the variable; without one, no secret is wanted. */
export function readSecret(
  { about, settings, env, isServerRunning }: CheckedRuntime,
  key: "apiKeyEnv" | "tokenEnv",
): Secret {
  const name = settings[key];
  if (typeof name !== "string") return { state: "had", value: undefined };
  const value = nonEmpty(own(env, name));
  if (value !== undefined) return { state: "had", value };
  const message = `the variable ${name} is not set`;
  const finding = isServerRunning
    ? note(
        about,
        `${message} here; the running server may have it`,
        `To check it, run: ${name}=… atrium doctor`,
      )
    : broken(about, message, `Set it before you start the server: ${name}=… atrium up`);
  return { state: "missing", finding };
}
