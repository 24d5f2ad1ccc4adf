/**
 * A real agent program, offline: a model on loopback that does as the test says, a home of its own in a folder that goes
 * away with the stage, and our runtime around the program.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { own } from "@atrium/wire";
import type { PermissionsOf } from "../../../apps/server/src/agents/process/workspace-preset.ts";
import { createRuntimes } from "../../../apps/server/src/agents/runtimes.ts";
import type {
  RuntimeSettings,
  SettingsOf,
} from "../../../apps/server/src/agents/settings/runtime-settings.ts";
import { openConfinement } from "../../../apps/server/src/agents/testing/open-confinement.ts";
import type {
  AgentRuntime,
  TurnWorkspace,
} from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import type { Confinement } from "../../../apps/server/src/confinement/confinement.ts";
import { markedProcesses } from "../../../apps/server/src/confinement/process-tree.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import {
  openModelServer,
  type Body,
  type ModelServer,
} from "../../kit/model-server/model-server.ts";
import { openToolServer } from "../../kit/tool-server/tool-server.ts";

/** What the model is asked for, as far as a test cares. */
export interface Asked {
  /** The last thing a person said. */
  readonly said: string;
  /** What tools have returned since. */
  readonly returned: readonly string[];
  /** All that was said before, by anybody. */
  readonly before: string;
  /** All that the model is sent. */
  readonly whole: string;
  /** Which model that is. */
  readonly model: string;
}

export type Answer = (asked: Asked) => Behavior;

/** A model of one vendor's kind. */
export interface AgentModel extends AsyncDisposable {
  /** What the program finds it by. */
  readonly env: Readonly<Record<string, string>>;
  /** Waits until nothing is being answered. */
  idle(): Promise<void>;
}

export interface AgentProgram {
  readonly name: string;
  /** Where its home may be; left out: anywhere. */
  readonly base?: string;
  /** As a settings file has it, but for where it works and what it is given. */
  readonly settings: ProgramRuntime;
  /** Opens a model, and prepares the program's home for it. */
  openModel(answer: Answer, home: string): Promise<AgentModel>;
  /** Puts what it would be told by variables into files of its home, as far as it reads them there; returns the rest. */
  keepInFiles?(env: AgentModel["env"], home: string): AgentModel["env"];
  /** Writes an MCP server into its user's settings, as its user would. */
  addServer(home: string, name: string, server: OwnServer): void;
}

export interface OwnServer {
  readonly command: string;
  readonly args: readonly string[];
}

type ProgramRuntime = Extract<
  RuntimeSettings,
  { readonly type: "acp" | "claude-code" | "cline" | "codex" }
>;

/** What a test changes of a program's settings. */
interface MoreSettings extends Pick<
  SettingsOf<"acp">,
  "mcpServers" | "model" | "ownSettings" | "sandbox"
> {
  readonly mode?: "plan";
}

export interface StageOptions {
  readonly permissionsOf?: PermissionsOf;
  /** Left out: in a workspace nothing is confined; what is asked of people is another question. */
  readonly confinement?: Pick<Confinement, "enclose">;
  /** Its login and settings are files, not variables. */
  readonly isKeptInFiles?: boolean;
  readonly settings?: MoreSettings;
  /** Where what the program is told and says is written. */
  readonly recordTo?: string | undefined;
  /** By name. */
  readonly ownServers?: Readonly<Record<string, OwnServer>>;
}

export interface AgentStage extends AsyncDisposable {
  readonly folder: string;
  /** The home of the program's user. */
  readonly home: string;
  /** What the turns of a workspace have. */
  readonly workspace: TurnWorkspace;
  readonly env: Readonly<Record<string, string>>;
  readonly model: AgentModel;
  /** Closed with the stage. */
  readonly runtime: AgentRuntime;
  /** Of another server with the same homes: what a restart makes. */
  another(): Promise<AgentRuntime>;
  /** The processes that work for it now. */
  processes(): readonly number[];
}

export const USAGE = { inputTokens: 11, outputTokens: 7 };
const RECORDER = join(import.meta.dirname, "record-lines.ts");
const MARK = "ATRIUM_CONFORMANCE_STAGE";

export async function openAgentStage(
  program: AgentProgram,
  answer: Answer,
  {
    permissionsOf,
    confinement,
    isKeptInFiles = false,
    settings = {},
    ownServers = {},
    recordTo,
  }: StageOptions = {},
): Promise<AgentStage> {
  const above = program.base ?? tmpdir();
  mkdirSync(above, { recursive: true });
  const base = realpathSync(mkdtempSync(join(above, `atrium-${program.name}-`)));
  const home = join(base, "home");
  const folder = join(base, "work");
  const tmp = join(base, "tmp");
  for (const path of [home, folder, tmp]) mkdirSync(path);
  const model = await program.openModel(answer, home);
  const told = isKeptInFiles ? (program.keepInFiles?.(model.env, home) ?? model.env) : model.env;
  for (const [name, server] of Object.entries(ownServers)) program.addServer(home, name, server);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: tmp,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    [MARK]: base,
    ...told,
  };
  const opened: AgentRuntime[] = [];
  const readEnv = (name: string): string | undefined => own(env, name);
  const another = async (): Promise<AgentRuntime> => {
    const { settings: usual } = program;
    const recorded = recordTo === undefined ? usual : recording(usual, recordTo, { base, folder });
    const written = { ...recorded, ...settings, cwd: folder, env: Object.keys(env) };
    const made = await createRuntimes({ [program.name]: written }, readEnv, {
      openMcpToolServer: openToolServer,
      confinement: confinement ?? openConfinement(false, env),
      ...(permissionsOf !== undefined && { permissionsOf }),
    });
    const runtime = made.get(program.name);
    if (runtime === undefined) throw new Error(`no runtime "${program.name}"`);
    opened.push(runtime);
    return runtime;
  };
  return {
    folder,
    home,
    workspace: { folder, store: null, programs: join(base, "programs") },
    env,
    model,
    runtime: await another(),
    another,
    processes: () => markedProcesses(`${MARK}=${base}`),
    async [Symbol.asyncDispose]() {
      for (const runtime of opened) await runtime.close?.();
      await model[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The same program, written down. */
function recording(
  settings: ProgramRuntime,
  file: string,
  { base, folder }: { readonly base: string; readonly folder: string },
): ProgramRuntime {
  const places = {
    [folder]: "/home/dev/project",
    [folder.slice(1)]: "home/dev/project",
    [base]: "/home/dev",
    [basename(base)]: "dev",
  };
  const machine = { [process.execPath]: "node", [homedir()]: "/home/dev" };
  const recorder = [process.execPath, RECORDER, file, JSON.stringify({ ...places, ...machine })];
  if (settings.type === "acp" || settings.type === "cline") {
    return { ...settings, command: [...recorder, ...settings.command] };
  }
  const program = join(base, "recorded");
  const quoted = [...recorder, settings.command ?? ""].map((word) => `'${word}'`).join(" ");
  writeFileSync(program, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o700 });
  return { ...settings, command: program };
}

/** Into a file of settings in JSON, which keeps the rest of what it has. */
export function addServerTo(file: string, key: string, name: string, server: object): void {
  mkdirSync(dirname(file), { recursive: true });
  const settings: Body = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const servers = { ...settings[key], [name]: server };
  writeFileSync(file, JSON.stringify({ ...settings, [key]: servers }));
}

/** A model behind chat completions. Errands of the program, such as a title for the conversation, come without tools. */
export function openChatModel(answer: Answer): Promise<ModelServer> {
  return openModelServer(({ body }) =>
    body.tools?.length > 0
      ? answer(askedInChat(body))
      : { type: "answer", chunks: ["A talk about tides"], usage: USAGE },
  );
}

/** Of a request for chat completions. */
function askedInChat(body: Body): Asked {
  const { messages } = body;
  const isSaid = ({ role, content }: Body): boolean => role === "user" && textOf(content) !== "";
  const at = messages.findLastIndex(isSaid);
  const tools = messages.slice(at + 1).filter(({ role }: Body) => role === "tool");
  return {
    said: textOf(messages[at]?.content),
    returned: tools.map(({ content }: Body) => textOf(content)),
    before: JSON.stringify(messages.slice(0, at)),
    whole: JSON.stringify(body),
    model: body.model,
  };
}

/** Of a request for generateContent. */
export function askedInContents(body: Body): Asked {
  const { contents } = body;
  const isSaid = ({ role, parts }: Body): boolean => role === "user" && textOf(parts) !== "";
  const at = contents.findLastIndex(isSaid);
  const returned = contents
    .slice(at + 1)
    .flatMap(({ parts }: Body) => parts)
    .flatMap(({ functionResponse }: Body) => functionResponse ?? [])
    .map(({ response }: Body) => JSON.stringify(response));
  return {
    said: textOf(contents[at]?.parts),
    returned,
    before: JSON.stringify(contents.slice(0, at)),
    whole: JSON.stringify(body),
    model: body.model,
  };
}

/** Without what programs tell their models on the side. */
function textOf(content: Body): string {
  const parts: Body[] = typeof content === "string" ? [{ text: content }] : (content ?? []);
  const text = parts.flatMap(({ text: one }) => one ?? []).join("\n");
  return text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "").trim();
}
