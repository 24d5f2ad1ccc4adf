/**
 * Commands that reach so deep into a machine that only an admin may call or approve them, and which of them
 * agents may use. The lists are OpenClaw's.
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

/** Those of them that an agent may use nevertheless. */
const FOR_AGENTS: ReadonlySet<string> = new Set(["system.run", "system.which"]);

/** Commands that change something for a person, or show something private: an agent needs permission for them. */
const ASKED_FOR: ReadonlySet<string> = new Set([
  "system.run",
  "camera.snap",
  "camera.clip",
  "camera.ptz.control",
  "screen.record",
  "screen.snapshot",
  "computer.act",
  "mobile.ui.act",
  "contacts.add",
  "calendar.add",
  "reminders.add",
  "health.summary",
  "sms.send",
  "sms.search",
]);

export function isForAgents(command: string): boolean {
  return !ADMIN_TO_APPROVE.has(command) || FOR_AGENTS.has(command);
}

export function mustBeAskedFor(command: string): boolean {
  return ASKED_FOR.has(command);
}

export function scopeToInvoke(command: string): GatewayScope {
  return ADMIN_TO_INVOKE.has(command) ? "operator.admin" : "operator.write";
}

export function scopesToApprove(commands: readonly string[]): readonly GatewayScope[] {
  if (commands.some((command) => ADMIN_TO_APPROVE.has(command))) {
    return ["operator.pairing", "operator.admin"];
  }
  return commands.length > 0 ? ["operator.pairing", "operator.write"] : ["operator.pairing"];
}
