/** Confines nothing and asks nobody, for tests of what is asked of people; with `options` it looks like a sandbox. */
import type { Confinement } from "../../confinement/confinement.ts";

export function openConfinement(looksConfined: boolean): Pick<Confinement, "enclose"> {
  return {
    enclose: async ({ argv, env = {} }, { place }) => ({
      ok: true,
      launch: {
        argv,
        cwd: place.folder,
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: (wanted) => [...wanted],
        ...(looksConfined && { options: "" }),
      },
    }),
  };
}
