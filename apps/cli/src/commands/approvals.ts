/** `atrium approvals`: what agents ask to be allowed, shown whole and answered; and what was always allowed. */
import type { GatewayClient } from "@atrium/client";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { usageError, SERVER_OPTIONS } from "../command-line/read-args.ts";
import {
  pickSubcommand,
  type Subcommands,
  type CommandResult,
} from "../command-line/subcommands.ts";
import { connectServer } from "../server/connect-server.ts";
import { findServer } from "../server/find-server.ts";
import { ago } from "../terminal/measures.ts";
import { readLine } from "../terminal/read-line.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describePermission, type PendingPermission } from "./approvals/describe-permission.ts";
import { describeRules } from "./approvals/show-rules.ts";

const SCOPES = ["conversation", "project", "everywhere"] as const;
type Scope = (typeof SCOPES)[number];
const REACH: Readonly<Record<Scope, string>> = {
  conversation: "in its conversation",
  project: "for its project",
  everywhere: "everywhere",
};

export const approvals = command({
  name: "approvals",
  calls: [
    ["approvals [list]", "list open approval requests and standing permissions"],
    ["approvals show CODE", "show one request, by its code or the start of its id"],
    ["approvals allow CODE", "show the whole request, then allow it once"],
    ["approvals deny CODE", "deny it"],
    ["approvals revoke ID", "revoke a standing permission"],
  ],
  options: {
    always: {
      type: "string",
      help: "with allow: always allow exactly this request: conversation, project or everywhere",
    },
    json: { type: "boolean", help: "print JSON" },
    ...SERVER_OPTIONS,
  },
  examples: ["atrium approvals allow abxyz --always conversation"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { terminal, now } = environment;
    const scope = SCOPES.find((each) => each === values.always);
    if (values.always !== undefined && scope === undefined) {
      throw usageError("approvals", `--always takes one of: ${SCOPES.join(", ")}`);
    }
    const { subcommand, given } = pickSubcommand("approvals", SUBCOMMANDS, positionals);
    await using client = await connectServer(await findServer(values, environment));
    const isAllow = subcommand === SUBCOMMANDS["allow"];
    if (isAllow) return await allow(client, given[0] ?? "", scope, terminal);
    const view = await subcommand.run(client, given, Infinity);
    terminal.out(
      values.json === true ? `${JSON.stringify(view.json)}\n` : view.text(terminal.paint, now()),
    );
    return EXIT.ok;
  },
});

/** All of it is on the screen before it is allowed, and a person is asked once more. */
async function allow(
  client: GatewayClient,
  code: string,
  scope: Scope | undefined,
  terminal: Terminal,
): Promise<number> {
  const request = await find(client, code);
  const { id } = request;
  terminal.out(describePermission(request, terminal.paint));
  const reach = scope === undefined ? "once" : `always, exactly this request, ${REACH[scope]}`;
  if (terminal.hasPerson) {
    const prompt = `Allow it ${reach}? Type yes: `;
    const answer = await readLine(terminal, { prompt, signal: new AbortController().signal });
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) {
      terminal.out("Not allowed. The request stays open.\n");
      return EXIT.failed;
    }
  }
  const decision = scope === undefined ? "allow-once" : "allow-always";
  await client.call("exec.approval.resolve", { id, decision, ...(scope && { scope }) });
  terminal.out(`Allowed ${reach}.\n`);
  return EXIT.ok;
}

const SUBCOMMANDS: Subcommands = {
  list: { takes: [], run: list },
  show: {
    takes: ["CODE"],
    async run(client, [code = ""]) {
      const request = await find(client, code);
      return {
        json: request,
        text: (paint, now) => heading(request, now) + describePermission(request, paint),
      };
    },
  },
  // Shown first, and so not like the others.
  allow: { takes: ["CODE"], run: list },
  deny: {
    takes: ["CODE"],
    async run(client, [code = ""]) {
      const { id } = await find(client, code);
      const json = await client.call("exec.approval.resolve", { id, decision: "deny" });
      return { json, text: () => "Denied.\n" };
    },
  },
  revoke: {
    takes: ["ID"],
    async run(client, [given = ""]) {
      const { rules } = await client.call("exec.approval.rules.list", {});
      const [rule, another] = rules.filter(({ id }) => id.startsWith(given));
      if (rule === undefined || another !== undefined) throw noneOrSeveral(given, another);
      const json = await client.call("exec.approval.rules.revoke", { id: rule.id });
      return { json, text: () => "Revoked. The agent asks again from now on.\n" };
    },
  },
};

async function list(client: GatewayClient): Promise<CommandResult> {
  const [pending, { rules }] = await Promise.all([
    client.call("exec.approval.list", {}),
    client.call("exec.approval.rules.list", {}),
  ]);
  return {
    json: { pending, rules },
    text(paint, now) {
      if (pending.length + rules.length === 0) {
        return "No open requests and no standing permissions.\n";
      }
      const described = pending.map((each) => heading(each, now) + describePermission(each, paint));
      return [...described, describeRules(rules, paint, now)]
        .filter((part) => part !== "")
        .join("\n");
    },
  };
}

async function find(client: GatewayClient, given: string): Promise<PendingPermission> {
  const pending = await client.call("exec.approval.list", {});
  const wanted = given.toLowerCase();
  const [found, another] = pending.filter(
    ({ id, code }) => code === wanted || (given !== "" && id.startsWith(given)),
  );
  if (found === undefined || another !== undefined) throw noneOrSeveral(given, another);
  return found;
}

function noneOrSeveral(given: string, another: unknown): CliError {
  const why = another === undefined ? `Nothing matches ${given}.` : `${given} matches several.`;
  return new CliError(why, { advice: "To list them, run: atrium approvals" });
}

function heading({ code, createdAtMs }: PendingPermission, now: number): string {
  return `${code}  ${ago(now - createdAtMs)}  → atrium approvals allow ${code}\n`;
}
