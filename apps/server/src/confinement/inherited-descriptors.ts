/**
 * Files that whoever started the server left open for it, and that its own children would inherit. Node
 * opens everything so that children do not; only what was there before can leak into a command.
 */
import { openSync, readdirSync, readFileSync } from "node:fs";

const CLOSE_ON_EXEC = 0o2_000_000;
/** Beyond this the list for spawn would be absurd; the self-test tells of what is left. */
const MAX_DESCRIPTOR = 4_096;
const STANDARD = 2;

export type StdioEntry = "ignore" | "pipe" | number;

/** For spawn: the entries given, and nothing in place of what would be inherited. */
export function createStdio(): (wanted: readonly StdioEntry[]) => StdioEntry[] {
  const leaking = inheritedDescriptors();
  const nothing = leaking.length === 0 ? undefined : openSync("/dev/null", "r+");
  return (wanted) => {
    const stdio: StdioEntry[] = [...wanted];
    for (const descriptor of leaking) {
      while (stdio.length <= descriptor) stdio.push("ignore");
      // "ignore" would leave it as it is.
      if (descriptor >= wanted.length && nothing !== undefined) stdio[descriptor] = nothing;
    }
    return stdio;
  };
}

function inheritedDescriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fdinfo")
      .map(Number)
      .filter((descriptor) => descriptor > STANDARD && descriptor <= MAX_DESCRIPTOR)
      .filter(isInherited);
  } catch {
    // No /proc on this system.
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(?<octal>\d+)/m.exec(
      readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"),
    );
    const octal = flags?.groups?.["octal"];
    return octal !== undefined && (Number.parseInt(octal, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // Closed meanwhile: it was ours.
    return false;
  }
}
