/**
 * Which folders stand below which: a folder imports only folders that come before it in its list.
 *
 * walls.ts turns each list into walls, and check-folders.ts draws what is really imported. Walls of
 * their own say more: rooms never import `listen`, and the page's office knows nothing of the page.
 */
export interface Layers {
  /** From the root. */
  readonly folder: string;
  /** The lowest first. */
  readonly order: readonly string[];
}

export const LAYERS: readonly Layers[] = [
  {
    folder: "apps/server/src",
    order: [
      "platform",
      "cluster",
      "access",
      "sockets",
      "confinement",
      "workspaces",
      "agents",
      "repositories",
      "settings",
      "reactions",
      "upkeep",
      "human-input",
      "joined",
      "runs",
      "tools",
      "channels",
      "builds",
      "projects",
      "workshop",
      "previews",
      "pipeline",
      "http",
      "fanout",
      "listen",
      "rooms",
      "compose",
    ],
  },
  {
    folder: "apps/web/src",
    order: ["i18n", "world", "app", "ui", "pages", "shell"],
  },
  { folder: "apps/cli/src", order: ["terminal", "command-line", "server", "doctor", "commands"] },
  {
    folder: "packages/client/src",
    order: ["base", "connection", "rpc", "runs", "builds", "world", "signals", "settings"],
  },
];
