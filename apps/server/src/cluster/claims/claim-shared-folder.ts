/** Makes sure that the nodes of one log share one folder. */
import {
  describeRefusal,
  retryWhileBusy,
  SHARED_FOLDER,
  sharedFolder,
  type Dispatch,
} from "@atrium/core";
import { ConfigError } from "../../platform/config-error.ts";
import type { Home } from "../../platform/home.ts";
import { sleep } from "../../platform/timers.ts";

/** Throws a ConfigError when the others share another one. */
export async function claimSharedFolder(
  home: Pick<Home, "shared" | "secret">,
  node: string,
  dispatch: Dispatch,
): Promise<void> {
  const folderId = home.secret("folder-id");
  const claim = { type: "claim", folderId, path: home.shared, node } as const;
  const done = await retryWhileBusy(() => dispatch(sharedFolder, SHARED_FOLDER, claim), { sleep });
  if (!done.ok) throw new ConfigError(describeRefusal(done));
}
