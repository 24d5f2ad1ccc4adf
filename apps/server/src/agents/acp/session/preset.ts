/**
 * Whether an agent's preset allows what it asks for. What counts is what the protocol says of the call, its kind and the
 * files that it is about, not the words of the program.
 */
import { isAbsolute } from "node:path";
import type { RequestPermissionRequest, ToolKind } from "@agentclientprotocol/sdk";
import { allows, staysIn, type PresetPlace } from "../../process/workspace-preset.ts";

export interface AcpPresetPlace extends PresetPlace {
  /** Whether a sandbox is around the agent and everything it does. */
  readonly isConfined: boolean;
  /** Whether some of its MCP servers are elsewhere. */
  readonly hasRemoteServers: boolean;
}

const CHANGES: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "move"]);
/** What its sandbox does not keep in the workspace, and what people have said it may not do there. */
const NEVER: ReadonlySet<ToolKind> = new Set<ToolKind>(["fetch", "switch_mode"]);

export async function isUnasked(
  { toolCall }: Pick<RequestPermissionRequest, "toolCall">,
  { folder, preset, isConfined, hasRemoteServers }: AcpPresetPlace,
): Promise<boolean> {
  const { content, locations } = toolCall;
  const kind = toolCall.kind ?? "other";
  const changed = (content ?? []).flatMap((part) => (part.type === "diff" ? [part.path] : []));
  const paths = [...changed, ...(locations ?? []).map(({ path }) => path)];
  const isAbout = paths.length > 0;
  const isInside = paths.every(isAbsolute) && (await staysIn(folder, paths));
  if (isAbout && !isInside) return false;
  if (CHANGES.has(kind) && isAbout && allows(preset, "change")) return true;
  if (NEVER.has(kind) || (kind === "other" && hasRemoteServers)) return false;
  return isConfined && allows(preset, "confined");
}
