/** Many sessions that report at once, some of them with names that nobody would choose. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface CrowdServer {
  readonly url: string;
  readonly home: string;
}

export interface CrowdMember {
  readonly folder: string;
  readonly model: string;
  readonly owner: string;
}

export const HOSTILE: readonly CrowdMember[] = [
  { folder: "/home/ann/__proto__", model: "__proto__", owner: "constructor" },
  {
    folder: "/home/ann/\u001B[31mred\u0007\u202Eevil",
    model: "\u001B]0;m\u0007",
    owner: "a\u202Eb",
  },
  { folder: "/home/ann/מחסן-הגאות", model: "מודל", owner: "דנה" },
  {
    folder: `/home/ann/${"x".repeat(1_000_000)}`,
    model: "m".repeat(1_000_000),
    owner: "o".repeat(150),
  },
  { folder: "/home/ann/<img src=x onerror=alert(1)>", model: "<b>bold</b>", owner: "</script>" },
  { folder: `/home/ann/${"🧨".repeat(60)}`, model: "👩‍👩‍👧‍👦", owner: "ann" },
];

export const CALM: CrowdMember = { folder: "/home/ann/shop", model: "fake-model", owner: "ann" };

/** As the script of the hooks would report it. */
export async function report(
  { url, home }: CrowdServer,
  sessionId: string,
  event: string,
  { folder, model, owner }: CrowdMember = CALM,
): Promise<void> {
  const [, secret = ""] =
    /Bearer (\w+)/.exec(readFileSync(join(home, "joined.curl"), "utf8")) ?? [];
  await fetch(new URL("/api/joined/hooks", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      // Sent as bytes.
      "x-atrium-owner": Buffer.from(owner)
        .toString("latin1")
        .replaceAll(/[\r\n]/g, " "),
    },
    body: JSON.stringify({
      session_id: sessionId,
      hook_event_name: event,
      cwd: folder,
      model,
      transcript_path: "/home/ann/.claude/projects/-shop/a.jsonl",
      ...(event === "PreToolUse" && { tool_name: "Bash", tool_input: { command: "npm test" } }),
    }),
  });
}

/** Twenty, the hostile ones first. */
export async function openCrowd(server: CrowdServer, most = 20): Promise<void> {
  for (let at = 0; at < most; at++) {
    const member = HOSTILE[at] ?? CALM;
    await report(server, `crowd-${at}`, "SessionStart", member);
    if (at % 3 === 0) await report(server, `crowd-${at}`, "PreToolUse", member);
  }
}
