/** Trouble that a person can do something about: what it is, and what to do. */
export const EXIT = { ok: 0, failed: 1, misused: 2, interrupted: 130 } as const;

export class CliError extends Error {
  override readonly name = "Complaint";
  readonly advice: string | undefined;
  readonly exitCode: number;

  constructor(
    message: string,
    { advice, exitCode = EXIT.failed }: { advice?: string; exitCode?: number } = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.advice = advice;
    this.exitCode = exitCode;
  }
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
