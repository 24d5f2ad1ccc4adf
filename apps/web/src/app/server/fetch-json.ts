/** Plain HTTP to our own server: JSON there and back, and why not in words a person may read. */
export type JsonResponse<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: string; readonly message: string };

export type FetchJson = <Value>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => Promise<JsonResponse<Value>>;

const UNREACHABLE = "unreachable";

export function createFetchJson(fetch: typeof globalThis.fetch): FetchJson {
  return async (method, path, body) => {
    try {
      const response = await fetch(path, {
        method,
        ...(body !== undefined && {
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      });
      const answer: unknown = await response.json();
      // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unsafe-type-assertion, typescript/no-unsafe-assignment -- from our own server, whose tests hold it to its schemas
      if (response.ok) return { ok: true, value: answer as any };
      return { ok: false, ...readProblem(answer) };
    } catch (cause) {
      return { ok: false, code: UNREACHABLE, message: String(cause) };
    }
  };
}

function readProblem(answer: unknown): { readonly code: string; readonly message: string } {
  const error = fieldOf(answer, "error");
  return { code: textIn(error, "code") ?? "internal", message: textIn(error, "message") ?? "" };
}

function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : undefined;
}

export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
