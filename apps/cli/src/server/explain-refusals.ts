import { ConnectionLost, WorldRefused } from "@atrium/client";
import { CliError } from "../command-line/cli-error.ts";

const ADVICE: ReadonlyMap<string, string> = new Map([
  ["repository.missing", "To list the repositories, run: atrium repo list"],
  ["artifact.missing", "To see what waits for a review, run: atrium review"],
  ["artifact.superseded", "Look at the new version first: atrium review ID"],
]);

/** What the server says no with is for people. */
export async function explainRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof WorldRefused) {
      const advice = cause.reason === undefined ? undefined : ADVICE.get(cause.reason);
      throw new CliError(
        `The server refused: ${cause.message}`,
        advice === undefined ? {} : { advice },
        cause,
      );
    }
    if (cause instanceof ConnectionLost) {
      throw new CliError(`Lost the connection to the server: ${cause.message}.`, {}, cause);
    }
    throw cause;
  }
}
