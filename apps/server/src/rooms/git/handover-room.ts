/** What a build or project has handed over, and how to get it: a clone, or a zip of a build's files. */
import type { Outcome } from "@atrium/core";
import { createHttpApi, type Endpoint, type HttpApiDeps, type HttpApp } from "../../http/api.ts";
import { downloadOf } from "../../http/exported-file.ts";
import { refusal } from "../../http/problem.ts";
import type { FindHandover, Handover } from "../../workshop/find-handover.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";

export interface HandoverRoomDeps extends HttpApiDeps {
  readonly findHandover: FindHandover;
  readonly use: () => Promise<Pick<Workspaces, "exportFiles" | "compareTrees">>;
}

const SHORT_ID = 8;

export function openHandoverRoom(deps: HandoverRoomDeps): HttpApp {
  const { findHandover, use } = deps;

  const facts =
    (
      find: (id: string) => Promise<Outcome<Handover>>,
      more: (id: string) => Readonly<Record<string, string>>,
    ): Endpoint =>
    async ({ path: { id = "" } }) => {
      const found = await find(id);
      if (!found.ok) return refusal(found);
      const { repositoryId, commit, base } = found.value;
      const compared = await (await use()).compareTrees(repositoryId, base, commit);
      if (!compared.ok) return refusal(compared);
      const { files, isCut } = compared.value;
      const sum = (of: "added" | "removed"): number =>
        files.reduce((total, file) => total + (file[of] ?? 0), 0);
      const counts = { files: files.length, added: sum("added"), removed: sum("removed") };
      const ways = { clone: `/git/${encodeURIComponent(id)}`, ...more(id) };
      return Response.json({ commit, base, ...counts, has_more: isCut, ...ways });
    };

  return createHttpApi(
    {
      "/api/projects/:id/handover": { GET: facts(findHandover.ofProject, () => ({})) },
      "/api/builds/:id/handover": {
        GET: facts(findHandover.ofBuild, (id) => {
          return { archive: `/api/builds/${encodeURIComponent(id)}/archive.zip` };
        }),
      },
      "/api/builds/:id/archive.zip": {
        async GET({ path: { id = "" }, incoming }) {
          const found = await findHandover.ofBuild(id);
          if (!found.ok) return refusal(found);
          if (incoming.method === "HEAD") return new Response(null);
          const { repositoryId, commit } = found.value;
          const name = `build-${id.slice(0, SHORT_ID)}`;
          const file = await (await use()).exportFiles(repositoryId, commit, name);
          return file.ok ? downloadOf(file.value, `${name}.zip`) : refusal(file);
        },
      },
    },
    deps,
  );
}
