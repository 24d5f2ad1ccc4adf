/**
 * Problems that no caller's promise can carry: passed to `onProblem`, and the client goes on.
 */
export type Problem =
  /** The server sent something that is no frame. */
  | { readonly kind: "frame"; readonly issue: string }
  /** An event broke its schema and was not delivered. */
  | { readonly kind: "event"; readonly event: string; readonly issue: string }
  /** A reply to something that was never asked. */
  | { readonly kind: "reply"; readonly id: string; readonly issue: string }
  /** A subscription could not be taken up again after coming back. */
  | { readonly kind: "subscription"; readonly method: string; readonly cause: unknown }
  /** A handler of ours threw. */
  | { readonly kind: "handler"; readonly cause: unknown };

export type Report = (problem: Problem) => void;

/** When the handler of problems throws, only the platform is left to report it. */
export function rethrowLater(cause: unknown): void {
  queueMicrotask(() => {
    throw new ProblemUnheard(cause);
  });
}

class ProblemUnheard extends Error {
  override readonly name = "ProblemUnheard";

  constructor(cause: unknown) {
    super("an onProblem handler threw", { cause });
  }
}
