/**
 * Answers a git that fetches, by git's own server: over a repository that has one branch and nothing else.
 *
 * Version 0 of the protocol, because from version 2 on a client may ask for any object by its id; here it gets
 * what can be reached from the branch.
 */
import type { GitKit } from "../git/git-settings.ts";
import type { FetchRequest } from "../port/serving.ts";
import type { Store } from "../store/store.ts";
import { openOffer } from "./offer.ts";

const BRANCH = "main";
const SERVICE = "# service=git-upload-pack\n";
const TIMEOUT_MS = 30 * 60_000;

export async function* serveFetch(
  { git, places, timers }: GitKit,
  store: Store,
  commit: string,
  { input }: FetchRequest,
): AsyncGenerator<Buffer, void> {
  await using offer = await openOffer(places, store, commit, BRANCH);
  const how = input === null ? ["--stateless-rpc", "--advertise-refs"] : ["--stateless-rpc"];
  const { child, end } = git.start(["upload-pack", "--strict", ...how, offer.gitDir]);
  const cancel = timers.after(TIMEOUT_MS, end);
  try {
    if (input === null) yield Buffer.from(`${packetOf(SERVICE)}0000`);
    child.stdin.end(input ?? "");
    for await (const chunk of child.stdout) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding was set
      yield chunk as Buffer;
    }
  } finally {
    cancel();
    end();
  }
}

/** A line of the protocol: its length in four digits, then itself. */
function packetOf(line: string): string {
  return `${(line.length + 4).toString(16).padStart(4, "0")}${line}`;
}
