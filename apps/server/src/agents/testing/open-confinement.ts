/** Confines nothing and asks nobody, for tests of what is asked of people; with `options` it looks like a sandbox. */
import type { Confinement } from "../../confinement/confinement.ts";

export function openConfinement(
  looksConfined: boolean,
  around: Readonly<Record<string, string>> = { PATH: process.env["PATH"] ?? "" },
): Pick<Confinement, "enclose"> {
  return {
    enclose: async ({ argv, env = {} }, { place }) => ({
      ok: true,
      launch: {
        argv,
        cwd: place.folder,
        env: { ...around, ...env },
        stdio: (wanted) => [...wanted],
        ...(looksConfined && { options: "" }),
      },
    }),
  };
}
