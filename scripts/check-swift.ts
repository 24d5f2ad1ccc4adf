/**
 * Compiles the Swift package with a real compiler, and has it read and write frames.
 *
 * Beside `npm run check`, because it needs a compiler of half a gigabyte and takes a minute: run it when
 * the Swift generator changes. `ATRIUM_SWIFT` names the compiler where it is not on the path. Without one
 * it says so and how to get one; with `CI=true` that is a failure.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const swift = process.env["ATRIUM_SWIFT"] ?? "swift";
const PACKAGE = fileURLToPath(new URL("../swift", import.meta.url));
const HOW_TO_GET_IT =
  "On Debian 13 and later: apt-get install swiftlang libc6-dev libstdc++-14-dev; elsewhere: https://www.swift.org/install";

/** Frames as they cross the socket, one of each kind, and one of a kind that nobody knows yet. */
const FRAMES: readonly object[] = [
  { type: "req", id: "1", method: "agent", params: { message: "hi", idempotencyKey: "r1" } },
  { type: "res", id: "1", ok: true, payload: { runId: "r1", status: "accepted" } },
  { type: "res", id: "2", ok: false, error: { code: "SOMETHING_NEW", message: "no" } },
  { type: "event", event: "tick", payload: { ts: 1 }, seq: 12 },
  { type: "stream", id: "s1", chunk: { text: "hi", parts: [1, 2.5, null, true] } },
];
const ACCEPTED = {
  runId: "r1",
  sessionKey: "agent:main:main",
  agentId: "main",
  status: "accepted",
  acceptedAt: 1,
};

const MANIFEST = `// swift-tools-version: 5.9
import PackageDescription
let package = Package(
    name: "Trial",
    dependencies: [.package(name: "AtriumProtocol", path: ${JSON.stringify(PACKAGE)})],
    targets: [.executableTarget(name: "Trial", dependencies: ["AtriumProtocol"])]
)
`;
/** The example of docs/swift.md. */
const PROGRAM = fileURLToPath(new URL("../examples/frames.swift", import.meta.url));

function main(): number {
  const found = spawnSync(swift, ["--version"], { encoding: "utf8" });
  if (found.status !== 0) {
    process.stderr.write(`skipped: there is no Swift compiler here. ${HOW_TO_GET_IT}\n`);
    return process.env["CI"] === "true" ? 1 : 0;
  }
  process.stdout.write(`${found.stdout.split("\n", 1)[0] ?? ""}\n`);
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-swift-"));
  const sources = join(folder.path, "Sources", "Trial");
  mkdirSync(sources, { recursive: true });
  writeFileSync(join(folder.path, "Package.swift"), MANIFEST);
  copyFileSync(PROGRAM, join(sources, "main.swift"));
  const at = ["--package-path", folder.path];
  const built = spawnSync(swift, ["build", ...at], { encoding: "utf8" });
  process.stdout.write(`${built.stdout}${built.stderr}`);
  if (built.status !== 0) return 1;
  const sent = [...FRAMES, ACCEPTED];
  const input = sent.map((frame) => `${JSON.stringify(frame)}\n`).join("");
  const ran = spawnSync(swift, ["run", "--skip-build", ...at, "Trial"], {
    encoding: "utf8",
    input,
  });
  const wrong = compare(sent, ran.stdout);
  process.stdout.write(`${sent.length} frames read and written, ${wrong.length} changed\n`);
  for (const line of wrong) process.stderr.write(`  ${line}\n`);
  if (ran.status !== 0) process.stderr.write(ran.stderr);
  return ran.status === 0 && wrong.length === 0 ? 0 : 1;
}

function compare(sent: readonly object[], written: string): readonly string[] {
  const lines = written.trim().split("\n");
  return sent.flatMap((frame, at) => {
    const [before, after] = [sorted(frame), sorted(parsed(lines[at] ?? "null"))];
    return before === after ? [] : [`${before} became ${after}`];
  });
}

function parsed(line: string): unknown {
  return JSON.parse(line);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

process.exitCode = main();
