import { once } from "node:events";
/**
 * Tries the escapes in a real sandbox of this machine. A sandbox that lets one through is none: commands
 * are then asked of people.
 */
import { mkdir, mkdtempDisposable, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  CommandResult,
  Confinement,
  ConfinementReport,
  EscapeAttempt,
} from "./confinement.ts";
import { limitsWith } from "./limits.ts";

export interface SelfTestDeps {
  readonly run: Confinement["run"];
  readonly secret: readonly string[];
  readonly node: string;
  readonly marks: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 30_000;
const ATTEMPTS = join(import.meta.dirname, "escape-attempts.ts");
/** What is open besides the standard ones is written into the first argument's `descriptors`. */
const SCRIPT = `
seen=""
for entry in /proc/self/fd/*; do
  case "\${entry##*/}" in 0|1|2) continue;; esac
  target=$(readlink "$entry") || continue
  case "$target" in /dev/null|/proc/*) continue;; esac
  seen="$seen \${entry##*/}"
done
exec "$1" "$2" "$(printf '%s' "$3" | sed "s/\\"descriptors\\":\\"\\"/\\"descriptors\\":\\"$seen\\"/")"
`;

export async function tryEscapes(deps: SelfTestDeps): Promise<ConfinementReport> {
  await using folder = await mkdtempDisposable(join(await realpath(tmpdir()), "atrium-sandbox-"));
  const place = join(folder.path, "place");
  const store = join(folder.path, "store");
  const outside = join(folder.path, "outside");
  for (const path of [place, store, outside]) await mkdir(path);
  await writeFile(join(place, ".git"), "gitdir: nowhere\n");
  await writeFile(join(outside, "secret"), "x");
  const listener = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  try {
    await once(listener, "listening");
    const address = listener.address();
    const input = {
      folder: place,
      store,
      outside,
      home: deps.secret[0] ?? null,
      port: typeof address === "object" ? address?.port : null,
      pid: process.pid,
      descriptors: "",
      known: Object.keys(deps.marks),
    };
    const argv = ["/bin/sh", "-c", SCRIPT, "sh", deps.node, ATTEMPTS, JSON.stringify(input)];
    const result = await deps.run(
      { argv, permit: () => Promise.resolve({ isAllowed: false, reason: "nobody is asked" }) },
      { folder: place, store, readable: [{ from: ATTEMPTS }] },
      limitsWith({ timeoutMs: PATIENCE_MS }),
      new AbortController().signal,
    );
    return reportOf(result);
  } finally {
    listener.close();
  }
}

function reportOf({ end, output }: CommandResult): ConfinementReport {
  const mode = "bubblewrap";
  if (end.how !== "exited" || end.code !== 0) {
    const why = end.how === "refused" ? end.reason : `${output.text.trim()} (${end.how})`;
    return { mode, problem: `The sandbox does not work here. ${explain(why)}`, attempts: [] };
  }
  const attempts = readAttempts(output.text);
  const escaped = attempts.filter(({ outcome }) => outcome === "escaped");
  const problem =
    attempts.length === 0
      ? "The self-test of the sandbox printed nothing."
      : escaped.length === 0
        ? null
        : `The sandbox lets commands out: ${escaped.map(({ name, detail }) => `${name} (${detail})`).join("; ")}.`;
  return { mode, problem, attempts };
}

function readAttempts(text: string): readonly EscapeAttempt[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed by escape-attempts.ts
  const seen = JSON.parse(text.trim().split("\n").at(-1) ?? "{}") as Readonly<
    Record<string, string | null>
  >;
  return Object.entries(seen).map(([name, detail]) => ({
    name,
    outcome: detail === null ? "untried" : detail.trim() === "" ? "refused" : "escaped",
    detail: detail?.trim() ?? "",
  }));
}

/** What bubblewrap says, in words that help. */
function explain(why: string): string {
  if (/Unknown option/.test(why)) return `bubblewrap 0.8 or newer is needed: ${why}`;
  if (/namespace|Operation not permitted|Permission denied/.test(why)) {
    return `The system does not allow user namespaces: ${why}`;
  }
  return why;
}
