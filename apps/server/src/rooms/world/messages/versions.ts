/** Which version to speak: the highest that both know. A client that lists none speaks the one it wrote in. */
import { WORLD_VERSIONS, type WorldClientMessage } from "@atrium/wire/world";

type Hello = Extract<WorldClientMessage, { readonly type: "hello" }>;

export function agreeOnVersion({ v, payload }: Hello): number | undefined {
  const theirs = payload.supported_versions ?? [v];
  const shared = WORLD_VERSIONS.filter((version) => theirs.includes(version));
  return shared.length === 0 ? undefined : Math.max(...shared);
}
