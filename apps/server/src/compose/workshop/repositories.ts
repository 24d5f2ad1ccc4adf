import type { Fault } from "@atrium/core";
import type { HttpAccess } from "../../access/http-access.ts";
import type { Relay } from "../../cluster/relay.ts";
import type { HttpApp } from "../../http/api.ts";
/** Repositories that people add and remove, put together. Part of compose.ts, and imported by it alone. */
import { bodyLimitsOf, type BodySettings } from "../../http/body-limits.ts";
import type { Home } from "../../platform/home.ts";
import {
  createRepositoryCommands,
  type RepositoryCommandDeps,
} from "../../repositories/repository-commands.ts";
import type { GatewayExtension } from "../../rooms/gateway/extension.ts";
import { answererOf } from "../../rooms/gateway/frames/answerers.ts";
import type { GatewayCaller } from "../../rooms/gateway/frames/peer.ts";
import {
  repositoryMethods,
  type RepositoryMethodDeps,
} from "../../rooms/repositories/inbound/methods.ts";
import { createRepositoryRoom } from "../../rooms/repositories/room.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";

export interface RepositoriesSurface {
  readonly config: {
    readonly limits: BodySettings;
  };
  readonly home: Pick<Home, "folder" | "shared">;
  readonly report: (fault: Fault) => void;
}

interface RepositoryStores extends Pick<RepositoryCommandDeps, "dispatch" | "catalog"> {
  /** A store has one writer. */
  readonly relay: Pick<Relay, "atDirector" | "changeAtDirector">;
  readonly use: () => Promise<Workspaces>;
}

interface RepositoriesPart {
  readonly apps: readonly HttpApp[];
  readonly extension: GatewayExtension;
}

export function composeRepositories(
  { config, home, report }: RepositoriesSurface,
  { dispatch, catalog, use, relay }: RepositoryStores,
  access: HttpAccess,
): RepositoriesPart {
  const openHere: RepositoryMethodDeps["openRepository"] = async (source) =>
    (await use()).openRepository(source);
  const openRepository = relay.atDirector("repository.open", openHere);
  const here = createRepositoryCommands({
    dispatch,
    catalog,
    openRepository: openHere,
    ownFolders: [home.folder, home.shared],
  });
  const commands = {
    add: relay.changeAtDirector("repository.add", (...args: Parameters<typeof here.add>) =>
      here.add(...args),
    ),
    remove: relay.atDirector("repository.remove", (...args: Parameters<typeof here.remove>) =>
      here.remove(...args),
    ),
  };
  const deps = { catalog, commands, openRepository };
  const body = bodyLimitsOf(config.limits);
  const methods = repositoryMethods<GatewayCaller>(deps, ({ member }) => answererOf(member));
  return {
    apps: [createRepositoryRoom({ ...deps, access, report, body })],
    extension: { methods: Object.values(methods), connect: () => undefined },
  };
}
