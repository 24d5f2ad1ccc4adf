/** Whether a daemon of Codex runs, in which its terminals have their sessions. */
import { connect } from "node:net";
import { join } from "node:path";

export function hasDaemon(env: Readonly<Record<string, string>>): Promise<boolean> {
  const home = env["CODEX_HOME"] ?? join(env["HOME"] ?? "/", ".codex");
  const path = join(home, "app-server-control", "app-server-control.sock");
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
