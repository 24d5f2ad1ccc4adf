/**
 * Proves that the walls stand.
 *
 * A lint rule that has quietly stopped applying looks exactly like clean code. So this writes files
 * that break each wall and each rule of ours into a copy of the lint set-up, and fails when one of
 * them is let through, or when one of the crossings that must stay open is refused.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { WALLS } from "./lint/walls.ts";
import { report } from "./report.ts";

interface Probe {
  readonly file: string;
  readonly text: string;
  /** The start of what lint says about the file, or must not say. */
  readonly says: string;
  readonly isRefused: boolean;
}

const root = join(import.meta.dirname, "..");

/** Imports that no wall may refuse. */
const OPEN: readonly (readonly [file: string, specifier: string])[] = [
  ["packages/core/src/a.ts", "@atrium/log"],
  ["packages/core/src/testing/a.ts", "node:assert/strict"],
  ["packages/log/src/a.ts", "node:sqlite"],
  ["packages/wire/src/a.test.ts", "node:test"],
  ["packages/wire/src/gateway/a.ts", "../ids.ts"],
  ["packages/client/src/a.ts", "@atrium/wire/gateway"],
  ["apps/plugin/src/a.ts", "@atrium/wire/bridge"],
  ["apps/server/src/serve.ts", "./compose.ts"],
  ["apps/server/src/compose/compose.ts", "./rooms/gateway/room.ts"],
  ["apps/server/src/listen/a.ts", "ws"],
  ["apps/server/src/rooms/gateway/a.ts", "../room.ts"],
  ["apps/server/src/rooms/gateway/a.ts", "./methods/chat.ts"],
  ["apps/server/src/rooms/gateway/methods/a.test.ts", "@atrium/log"],
  ["bench/src/a.ts", "@atrium/server/compose"],
  ["test/kit/a.ts", "@atrium/server/compose"],
  ["test/e2e/web/a.test.ts", "../../kit/a.ts"],
];

/** What else must be refused. */
const REFUSED: readonly (readonly [rule: string, file: string, text: string])[] = [
  ["atrium(no-bare-error)", "apps/server/src/a.ts", `throw new Error("no");`],
  ["atrium(no-bare-error)", "packages/client/src/a.ts", `export const no = TypeError("no");`],
  ...gits("apps/server/src/tools/a.ts", [
    `import { spawn } from "node:child_process";\nspawn("git", ["status"]);`,
    `import { execFile as run } from "node:child_process";\nrun("/usr/bin/git", []);`,
    `import { execSync } from "node:child_process";\nexecSync("git status");`,
    `import { exec } from "node:child_process";\nexport const f = (x: string) => exec(\`git log \${x}\`);`,
    `const { spawn } = await import("node:child_process");\nspawn("env", ["git"]);`,
    `export const argv = ["git", "status"];`,
    `export const child = { command: "git" };`,
  ]),
  ...gits("apps/cli/src/a.test.ts", [`export const argv = ["git", "log"];`]),
  ...gits("packages/client/src/a.ts", [`export const argv = ["git", "log"];`]),
  ["atrium(no-module-let)", "packages/core/src/a.ts", "export let count = 0;"],
  ["atrium(no-vague-file-name)", "packages/log/src/log-utils.ts", "export {};"],
  ["atrium(disable-reason)", "scripts/a.ts", "// oxlint-disable-next-line no-var\nvar a = 1;"],
  ["node(no-process-env)", "apps/server/src/listen/a.ts", "export const home = process.env.HOME;"],
  ["eslint(no-restricted-imports)", "packages/log/src/a.ts", `import { env } from "node:process";`],
  ["eslint(no-console)", "packages/core/src/a.ts", `console.log("hi");`],
  ["import(no-default-export)", "packages/core/src/a.ts", "export default 1;"],
  ["unicorn(filename-case)", "packages/core/src/taskList.ts", "export {};"],
  ["eslint(max-lines)", "packages/core/src/a.ts", "export {};\n".repeat(501)],
  ["import(no-cycle)", "packages/core/src/cycle.ts", `export * from "./cycle-back.ts";`],
  ["import(no-cycle)", "packages/core/src/cycle-back.ts", `export * from "./cycle.ts";`],
  ["typescript(no-floating-promises)", "apps/server/src/a.ts", "Promise.resolve();"],
  [
    "typescript(switch-exhaustiveness-check)",
    "packages/core/src/a.ts",
    `declare const a: "b" | "c";\nswitch (a) {\n  case "b":\n}`,
  ],
  ["eslint(max-params)", "packages/core/src/a.ts", "export const f = (a, b, c, d, e, f) => 0;"],
  ...lookups("packages/core/src/a.ts", [
    "export const f = (table: Record<string, number>, name: string) => table[name];",
    "export const f = (table: Record<string, number>, name: string) => void (table[name] = 1);",
    "export const f = (table: Record<string, number>, name: string) => delete table[name];",
    "export const f = (table: Record<string, number>, name: string) => name in table;",
    "export const f = (t: { a: 1 }, n: string) => { const { [n]: a } = t as never; return a; };",
    "export const f = (table: { a: number }, name: string) => table[name as keyof typeof table];",
    "export const f = (table: { a: number }, name: string) => table[(name as 'a')];",
    "export const f = <N extends string>(table: Record<string, number>, name: N) => table[name];",
    "export const f = (table: Record<string, number>, name: any) => table[name];",
    "export const f = (table: Record<string, number>, n: number) => table[`a${String(n)}`];",
    "export const f = (table: Record<string, number>, name: 'a' | string) => table[name];",
    "export const f = (table: Record<string, number>, name: string) => table?.[name]?.toFixed();",
    "export const f = (sent: object) => Object.assign({}, sent);",
    "export const f = (sent: object) => Object.assign({}, { ...sent });",
    "export const f = (sent: object, name: string) => Reflect.get(sent, name);",
    "export const f = (sent: object) => { for (const name in sent) name.trim(); };",
  ]),
  // Without types nothing can be said, and that is said.
  ...lookups("packages/core/src/a.mjs", ["export const f = (table, name) => table[name];"]),
  ...lookups("apps/web/src/a.ts", [
    "export const f = (table: Record<string, number>) => table[document.title];",
  ]),
];

function gits(
  file: string,
  texts: readonly string[],
): readonly (readonly [rule: string, file: string, text: string])[] {
  return texts.map((text) => ["atrium(no-git)", file, text]);
}

function lookups(
  file: string,
  texts: readonly string[],
): readonly (readonly [rule: string, file: string, text: string])[] {
  return texts.map((text) => ["atrium(no-name-lookup)", file, text]);
}

/** Where the same rules must keep quiet. */
const ALLOWED: readonly (readonly [rule: string, file: string, text: string])[] = [
  ["atrium(no-bare-error)", "packages/core/src/a.test.ts", `throw new Error("no");`],
  ["atrium(no-bare-error)", "packages/core/src/a.ts", "export class Late extends Error {}"],
  ["eslint(no-console)", "scripts/a.ts", `console.log("hi");`],
  ...gits("apps/server/src/workspaces/a.ts", [
    `import { spawn } from "node:child_process";\nspawn("git", ["status"]);`,
  ]),
  ...gits("packages/core/src/a.ts", [`export const kinds = new Set(["folder", "git"]);`]),
  ["node(no-process-env)", "apps/server/src/main.ts", "export const home = process.env.HOME;"],
  ...lookups("packages/core/src/a.ts", [
    "export const f = (list: readonly string[], at: number) => list[at];",
    "export const f = (table: { a: number; b: number }, name: 'a' | 'b') => table[name];",
    "export const f = <N extends 'a' | 'b'>(table: Record<N, number>, name: N) => table[name];",
    "export const f = (table: { a: number }, name: keyof typeof table) => table[name];",
    "export const f = (table: { a?: number }) => (['a'] as const).find((name) => table[name]);",
    "export const f = (table: ReadonlyMap<string, number>, name: string) => table.get(name);",
    "export const f = (table: Record<string, number>, name: string) => Object.hasOwn(table, name);",
    "export const f = (table: object, name: string) => ({ ...table, [name]: 1 });",
    "export const f = (table: object) => 'a' in table;",
    "export const f = (list: readonly string[]) => list[Symbol.iterator]();",
    "export const f = () => Object.assign(globalThis, { a: 1 });",
    "export const f = () => Reflect.get(globalThis, 'a');",
  ]),
  [
    "atrium(no-name-lookup)",
    "packages/core/src/a.test.ts",
    "export const f = (table: Record<string, number>, name: string) => table[name];",
  ],
  [
    "typescript(no-floating-promises)",
    "packages/core/src/a.test.ts",
    `import { describe, test } from "node:test";\ndescribe("a", () => {\n  test("b", async () => {});\n});`,
  ],
];

const probes = [...crossings(), ...code()].map((probe, index) => ({
  ...probe,
  // Each probe gets a name of its own, unless the name is what is being probed.
  file: probe.file.replace(/\b(?:a|probe)(?=\.(?:test\.|contract\.)?m?[jt]s$)/, `probe-${index}`),
}));
const said = await lint(probes);
const problems = probes.flatMap(({ file, text, says, isRefused }) => {
  const isSaid = (said.get(file) ?? []).some((line) => line.startsWith(says));
  if (isSaid === isRefused) return [];
  return [`${isRefused ? "let through" : "refused"}: ${file}: ${text} (${says})`];
});
report(`${probes.length} probes`, problems);

function crossings(): Probe[] {
  const refused = WALLS.flatMap((wall) =>
    wall.refused.flatMap(([file, specifier]) => {
      const says = `atrium(walls) ${wall.because}`;
      return waysToImport(specifier).map((text) => ({ file, text, says, isRefused: true }));
    }),
  );
  const open = OPEN.map(([file, specifier]) => {
    const text = waysToImport(specifier).join("\n");
    return { file, text, says: "atrium(walls)", isRefused: false };
  });
  return [...refused, ...open];
}

function waysToImport(specifier: string): string[] {
  return [
    `import { a } from "${specifier}";`,
    `import type { A } from "${specifier}";`,
    `export * from "${specifier}";`,
    `await import("${specifier}");`,
    `export type A = import("${specifier}").A;`,
  ];
}

function code(): Probe[] {
  return [
    ...REFUSED.map(([says, file, text]) => ({ says, file, text, isRefused: true })),
    ...ALLOWED.map(([says, file, text]) => ({ says, file, text, isRefused: false })),
  ];
}

/** What lint says about each file. */
async function lint(files: readonly Probe[]): Promise<Map<string, string[]>> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "atrium-walls-"));
  for (const part of [
    "oxlint.config.ts",
    "scripts/lint",
    "tsconfig.json",
    "apps/web/tsconfig.json",
    ".gitignore",
  ]) {
    await cp(join(root, part), join(dir.path, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(dir.path, "node_modules"));
  for (const { file, text } of files) {
    await mkdir(dirname(join(dir.path, file)), { recursive: true });
    await writeFile(join(dir.path, file), `${text}\n`);
  }
  const oxlint = join(root, "node_modules/.bin/oxlint");
  const output = await stdoutOf(oxlint, ["-f", "json"], dir.path);
  const lines = new Map<string, string[]>();
  for (const { filename, code: rule, message } of diagnosticsIn(output)) {
    lines.set(filename, [...(lines.get(filename) ?? []), `${rule} ${message}`]);
  }
  return lines;
}

/** oxlint exits with 1 when it finds something, which is what it is asked to do here. */
function stdoutOf(file: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new Error(`oxlint did not run: ${stderr}${stdout}`, { cause: error }));
    });
  });
}

interface Diagnostic {
  readonly filename: string;
  readonly code: string;
  readonly message: string;
}

function diagnosticsIn(output: string): readonly Diagnostic[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the format of the pinned oxlint
  return (JSON.parse(output) as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
}
