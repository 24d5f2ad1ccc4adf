/** A model's API: whether it answers, takes the key, and has the model. Nothing is generated. */
import { messageOf } from "../../command-line/cli-error.ts";
import { isRecord } from "../../server/settings.ts";
import { broken, note, ok, type Finding } from "../finding.ts";
import type { CheckedRuntime } from "./runtime-findings.ts";
import { readSecret } from "./secret.ts";
import { shownUrl, withoutUrl } from "./shown-url.ts";

const TIMEOUT_MS = 5_000;
const ANTHROPIC_URL = "https://api.anthropic.com/v1";
const ANTHROPIC_VERSION = "2023-06-01";

export async function modelFinding(runtime: CheckedRuntime): Promise<Finding> {
  const { about, settings } = runtime;
  const { provider, model } = settings;
  const baseUrl = settings["baseUrl"] ?? (provider === "anthropic" ? ANTHROPIC_URL : undefined);
  if (typeof baseUrl !== "string" || !URL.canParse(baseUrl)) {
    return broken(
      about,
      "baseUrl is missing or invalid",
      "Set it, for example: http://127.0.0.1:11434/v1",
    );
  }
  const secret = readSecret(runtime, "apiKeyEnv");
  if (secret.state === "missing") return secret.finding;
  const shown = shownUrl(baseUrl);
  let response: Response;
  try {
    response = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      headers: headersFor(provider, secret.value),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    const problem = cause instanceof Error ? messageOf(cause.cause ?? cause) : messageOf(cause);
    const why = withoutUrl(problem, baseUrl);
    return broken(
      about,
      `${shown} does not answer: ${why}`,
      "Check the address, and that the model's server is running.",
    );
  }
  const { status } = response;
  if (status === 401 || status === 403) {
    const advice =
      secret.value === undefined
        ? "Put the key into an environment variable and name that in apiKeyEnv."
        : `Put the right key into ${String(settings["apiKeyEnv"])}.`;
    return broken(about, `${shown} does not accept the key (${status})`, advice);
  }
  if (status >= 500) return note(about, `${shown} reports an error (${status})`, "Retry later.");
  return aboutModel(about, shown, model, await modelsIn(response));
}

function aboutModel(
  about: string,
  baseUrl: string,
  model: unknown,
  there: readonly string[],
): Finding {
  const name = String(model);
  if (there.length === 0 || there.includes(name)) return ok(about, `${name} at ${baseUrl}`);
  return note(
    about,
    `${baseUrl} answers, but does not list ${name}`,
    `It lists: ${there.slice(0, 5).join(", ")}`,
  );
}

/** Not every server lists its models; then nothing is known of them. */
async function modelsIn(response: Response): Promise<readonly string[]> {
  if (!response.ok) return [];
  try {
    const answer: unknown = await response.json();
    const listed: unknown = isRecord(answer) ? answer["data"] : undefined;
    if (!Array.isArray(listed)) return [];
    return listed.flatMap((one: unknown) =>
      isRecord(one) && typeof one["id"] === "string" ? [one["id"]] : [],
    );
  } catch {
    return [];
  }
}

function headersFor(provider: unknown, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return provider === "anthropic"
    ? { "x-api-key": key, "anthropic-version": ANTHROPIC_VERSION }
    : { authorization: `Bearer ${key}` };
}
