/** OpenAI's own client, pointed at a test Atrium, and what its errors say. */
import assert from "node:assert/strict";
import OpenAI, { APIError } from "openai";

export function openaiClient(
  server: { readonly url: string; readonly token: string },
  options: { readonly apiKey?: string; readonly headers?: Record<string, string> } = {},
): OpenAI {
  return new OpenAI({
    baseURL: `${server.url}v1`,
    apiKey: options.apiKey ?? server.token,
    defaultHeaders: options.headers ?? {},
    // A test that fails and is tried again is a test that does not fail.
    maxRetries: 0,
  });
}

/** The error a call must end with. */
export async function apiError(call: PromiseLike<unknown>): Promise<APIError> {
  const outcome = await Promise.resolve(call).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(outcome instanceof APIError, `expected an APIError, got ${String(outcome)}`);
  return outcome;
}

/** Says one thing as the user. */
export function saying(content: string): {
  model: string;
  messages: { role: "user"; content: string }[];
} {
  return { model: "openclaw", messages: [{ role: "user", content }] };
}
