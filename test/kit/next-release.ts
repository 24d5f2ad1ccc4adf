/**
 * Atrium as the next release may be: the present sources in a folder of their own, changed in a few places. It is
 * loaded beside the present one, so that nodes of both work on one log.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const LEFT_OUT = new Set(["node_modules", "dist", ".cache", "web"]);

export interface Edit {
  readonly file: string;
  /** What stands there once, and what stands there in the next release. */
  readonly from: string;
  readonly to: string;
}

/** Every message to the chain and the pen has a member more, every event one, and there is an event nobody knew. */
export const NEXT_RELEASE: readonly Edit[] = [
  {
    file: "packages/log/src/chain/state/frame.ts",
    from: "JSON.stringify(header)",
    to: 'JSON.stringify({ zone: "eu", ...header, later: { deep: [1] } })',
  },
  {
    file: "packages/log/src/chain/state/message.ts",
    from: "return [node, life];",
    to: 'return [node, life, "eu"] as never;',
  },
  {
    file: "packages/core/src/engine/codec.ts",
    from: "return version === 1 ? members :",
    to: 'return version === 1 ? { ...members, zone: "eu" } :',
  },
  {
    file: "apps/server/src/compose/cluster/join-cluster.ts",
    from: 'const { openCluster } = await import("../../cluster/open-cluster.ts");',
    to: `const { openCluster } = await import("../../cluster/open-cluster.ts");
  const badge = { type: "badge.given", at: Date.now(), data: { to: "everyone" } };
  await (deps.log as unknown as ClusterLog).append("badge/1", "any", [badge]);`,
  },
];

export interface NextRelease extends Disposable {
  /** Where a file of the present release is in that one. */
  pathOf(file: string): string;
}

export function makeNextRelease(edits: readonly Edit[]): NextRelease {
  const folder = mkdtempSync(join(tmpdir(), "atrium-next-"));
  for (const part of ["packages", "apps", "test/kit", "scripts"]) {
    const isWanted = (path: string): boolean =>
      !path
        .slice(ROOT.length)
        .split("/")
        .some((name) => LEFT_OUT.has(name));
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: isWanted });
  }
  linkModules(folder);
  for (const name of ["package.json", "dist", "skills"]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  for (const { file, from, to } of edits) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (text.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }
  return {
    pathOf: (file) => join(folder, file),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }),
  };
}

/** The dependencies are the present ones; our own packages are those of the folder. */
function linkModules(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@atrium"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name === "@atrium" || name === ".cache") continue;
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  for (const parent of ["packages", "apps"]) {
    for (const name of readdirSync(join(folder, parent))) {
      symlinkSync(join(folder, parent, name), join(modules, "@atrium", name));
      const own = join(ROOT, parent, name, "node_modules");
      try {
        symlinkSync(
          readdirSync(own).length > 0 ? own : "",
          join(folder, parent, name, "node_modules"),
        );
      } catch {
        // It has none of its own.
      }
    }
  }
}
