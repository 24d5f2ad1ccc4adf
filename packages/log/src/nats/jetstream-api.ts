/** Requests to JetStream, and its ways to say no. */
import { errors, type NatsConnection } from "@nats-io/transport-node";

/** Its numbers for what went wrong, as far as the difference matters here. */
export const API_ERROR = {
  noMessage: 10_037,
  noStream: 10_059,
  wrongLastSequence: 10_071,
  wrongLastSequenceUnnamed: 10_164,
  notEnabled: 10_076,
  notEnabledForAccount: 10_039,
  messageTooBig: 10_054,
} as const;

/** The servers answered, and the answer is no. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ApiAnswer {
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

export async function askApi<Answer>(
  connection: NatsConnection,
  { method, body, timeoutMs }: { method: string; body?: object; timeoutMs: number },
): Promise<Answer> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const reply = await connection.request(`$JS.API.${method}`, text, { timeout: timeoutMs });
  const answer = reply.json<Answer & ApiAnswer>();
  const error = apiErrorOf(answer);
  if (error !== undefined) throw error;
  return answer;
}

export function apiErrorOf({ error }: ApiAnswer): ApiError | undefined {
  if (error === undefined) return undefined;
  return new ApiError(error.err_code ?? 0, error.description ?? "unknown error");
}

/** What the account is not allowed to do; undefined when the error is another. */
export function forbidden(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof errors.PermissionViolationError) {
    return `${error.operation} ${error.subject}`;
  }
  return forbidden(error.cause);
}
