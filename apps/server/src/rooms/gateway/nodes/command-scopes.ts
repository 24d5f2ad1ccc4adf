/**
 * Which commands reach so deep into a machine that only an admin may ask for them, or agree to them.
 * The lists are the peer's.
 */
import type { GatewayScope } from "@atrium/wire/gateway";

const ADMIN_TO_INVOKE: ReadonlySet<string> = new Set([
  "browser.proxy",
  "browser.proxy.upload.v1",
  "fs.listDir",
  "terminal.upload",
]);

const ADMIN_TO_APPROVE: ReadonlySet<string> = new Set([
  ...ADMIN_TO_INVOKE,
  "system.run",
  "system.run.prepare",
  "system.which",
  "system.execApprovals.get",
  "system.execApprovals.set",
]);

export function scopeToInvoke(command: string): GatewayScope {
  return ADMIN_TO_INVOKE.has(command) ? "operator.admin" : "operator.write";
}

export function scopesToApprove(commands: readonly string[]): readonly GatewayScope[] {
  if (commands.some((command) => ADMIN_TO_APPROVE.has(command))) {
    return ["operator.pairing", "operator.admin"];
  }
  return commands.length > 0 ? ["operator.pairing", "operator.write"] : ["operator.pairing"];
}
