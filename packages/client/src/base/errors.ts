/**
 * Everything a call to the client can be rejected with, told apart by `kind`.
 *
 * `refused` is the server's answer. `lost`, `timeout` and `aborted` leave open whether the server has
 * acted, unless `sent` is false; repeating is the caller's choice, and safe for methods that carry
 * an idempotency key. `params` and `result` are disagreements about a schema, `connect` and `device`
 * things that have to be put right before another try, `run` something that is not there.
 */
import type { ErrorShape } from "@atrium/wire/gateway";
import { describeFailure, type Failure } from "./failure.ts";

export type ClientError =
  | GatewayError
  | ConnectionLost
  | RequestTimeout
  | RequestAborted
  | InvalidParams
  | InvalidResult
  | ConnectFailed
  | RunUnknown
  | DeviceKeyUnusable;

/** The server answered with an error. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly kind = "refused";
  readonly method: string;
  readonly code: string;
  readonly details: unknown;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** The error as it was on the wire, where "not retryable" and "did not say" differ. */
  readonly shape: ErrorShape;
  /** What came along with the error: how a run ended that ended badly. */
  readonly payload: unknown;

  constructor(method: string, error: ErrorShape, payload?: unknown) {
    super(error.message);
    this.method = method;
    this.code = error.code;
    this.details = error.details;
    this.retryable = error.retryable ?? false;
    this.retryAfterMs = error.retryAfterMs;
    this.shape = error;
    this.payload = payload;
  }
}

/** There is no connection, or it was lost. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
  readonly kind = "lost";
  /** False when the request certainly never left. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean) {
    super(message);
    this.sent = sent;
  }
}

export class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
  readonly kind = "timeout";
  readonly method: string;
  readonly timeoutMs: number;

  constructor(method: string, timeoutMs: number) {
    super(`${method} was not answered within ${timeoutMs} ms`);
    this.method = method;
    this.timeoutMs = timeoutMs;
  }
}

/** The caller's signal ended the wait; its reason is the `cause`. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
  readonly kind = "aborted";
  readonly method: string;

  constructor(method: string, cause: unknown) {
    super(`${method} was aborted`, { cause });
    this.method = method;
  }
}

/** The request breaks its own schema or the server's limits; it was not sent. */
export class InvalidParams extends Error {
  override readonly name = "InvalidParams";
  readonly kind = "params";
  readonly method: string;

  constructor(method: string, issue: string) {
    super(`invalid ${method} params: ${issue}`);
    this.method = method;
  }
}

/** The server's answer breaks the method's schema. */
export class InvalidResult extends Error {
  override readonly name = "InvalidResult";
  readonly kind = "result";
  readonly method: string;

  constructor(method: string, issue: string) {
    super(`invalid ${method} result: ${issue}`);
    this.method = method;
  }
}

/** A connection cannot be made as things are; what stood in the way is the `cause`. */
export class ConnectFailed extends Error {
  override readonly name = "ConnectFailed";
  readonly kind = "connect";

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/** The server does not know the run, or has forgotten it. */
export class RunUnknown extends Error {
  override readonly name = "RunUnknown";
  readonly kind = "run";
  readonly runId: string;

  constructor(runId: string) {
    super(`there is no run ${runId}`);
    this.runId = runId;
  }
}

/** A device key could not be made, read or used. */
export class DeviceKeyUnusable extends Error {
  override readonly name = "DeviceKeyUnusable";
  readonly kind = "device";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** What `connect` is rejected with. */
export function connectError(failure: Failure): ClientError {
  switch (failure.why) {
    case "refused":
      return new GatewayError("connect", failure.error);
    case "closed":
    case "slow":
    case "silent":
      return new ConnectionLost(describeFailure(failure), false);
    case "broken":
      return new ConnectFailed(describeFailure(failure), failure.cause);
  }
}
