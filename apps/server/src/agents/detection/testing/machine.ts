/** A machine with programs of our own making: small scripts in a folder that is all of PATH. */
import { chmod, mkdir, mkdtempDisposable, readFile, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemTimers } from "../../../platform/timers.ts";
import { openDetector, type Detection, type Detector, type DetectorDeps } from "../detector.ts";
import type { ModelServerFinding, ProgramFinding } from "../probes/finding.ts";

export interface TestMachine extends AsyncDisposable {
  readonly bin: string;
  readonly home: string;
  /** In shell, with the system's programs in its PATH. */
  install(name: string, script: string, mode?: number): Promise<string>;
  /** In the home of whoever uses the machine. */
  keep(path: string, contents: string): Promise<void>;
  /** A file of the home, as lines. */
  lines(path: string): Promise<readonly string[]>;
  open(deps?: Partial<DetectorDeps>): Detector;
}

export async function openMachine(
  variables: Readonly<Record<string, string>> = {},
): Promise<TestMachine> {
  const folder = await mkdtempDisposable(join(tmpdir(), "atrium-machine-"));
  const [bin, home] = [join(folder.path, "bin"), join(folder.path, "home")];
  await Promise.all([mkdir(bin), mkdir(home)]);
  const env: Readonly<Record<string, string>> = { PATH: bin, HOME: home, ...variables };
  return {
    bin,
    home,
    async install(name, script, mode = 0o755) {
      const path = join(bin, name);
      await writeFile(path, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
      await chmod(path, mode);
      return path;
    },
    async keep(path, contents) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), contents);
    },
    async lines(path) {
      const text = await readFile(join(home, path), "utf8").catch(() => "");
      return text.split("\n").filter((line) => line !== "");
    },
    open: (deps = {}) =>
      openDetector({
        readEnv: (name) => env[name],
        timers: systemTimers,
        now: () => 0,
        modelServers: [],
        ...deps,
      }),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

/** As after a renewal: the same file, written at another time. */
export async function touch(path: string): Promise<void> {
  await utimes(path, 1, 1);
}

export function programIn({ agentPrograms }: Detection, id: string): ProgramFinding {
  const found = agentPrograms.find((each) => each.id === id);
  if (found === undefined) throw new Error(`detection does not know ${id}`);
  return found;
}

export function serverIn({ modelServers }: Detection, id: string): ModelServerFinding {
  const found = modelServers.find((each) => each.id === id);
  if (found === undefined) throw new Error(`detection does not know ${id}`);
  return found;
}
