/**
 * A real agent program, offline: a model on loopback that does as the test says, a home of its own in a folder that goes
 * away with the stage, and our runtime around the program.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AcpSettings } from "../../../apps/server/src/agents/acp/acp-settings.ts";
import { createAcpRuntime } from "../../../apps/server/src/agents/acp/acp.ts";
import type { PermissionsOf } from "../../../apps/server/src/agents/process/workspace-preset.ts";
import { openConfinement } from "../../../apps/server/src/agents/testing/open-confinement.ts";
import type {
  AgentRuntime,
  TurnWorkspace,
} from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../../../apps/server/src/agents/turn/mcp-tool-server.ts";
import type { Confinement } from "../../../apps/server/src/confinement/confinement.ts";
import { markedProcesses } from "../../../apps/server/src/confinement/process-tree.ts";
import { systemTimers, type Timers } from "../../../apps/server/src/platform/timers.ts";
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
  readonly command: readonly string[];
  createRuntime(place: ProgramPlace, deps: RuntimeDeps): AgentRuntime;
  /** Opens a model, and prepares the program's home for it. */
  openModel(answer: Answer, home: string): Promise<AgentModel>;
  /** Puts what it would be told by variables into files of its home, as far as it reads them there; returns the rest. */
  keepInFiles?(env: AgentModel["env"], home: string): AgentModel["env"];
}

export interface ProgramPlace {
  readonly command: string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox?: NonNullable<AcpSettings["sandbox"]>;
}

interface RuntimeDeps {
  readonly timers: Timers;
  readonly openMcpToolServer: OpenMcpToolServer;
  readonly newSecret: () => string;
  readonly confinement: Pick<Confinement, "enclose">;
  readonly permissionsOf?: PermissionsOf | undefined;
}

/** For a program that speaks ACP. */
export function acpRuntime(
  program: NonNullable<AcpSettings["program"]>,
): AgentProgram["createRuntime"] {
  return (place, deps) => createAcpRuntime(program, { ...place, program }, deps);
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
  another(): AgentRuntime;
  /** The processes that work for it now. */
  processes(): readonly number[];
}

export const USAGE = { inputTokens: 11, outputTokens: 7 };
const MARK = "ATRIUM_CONFORMANCE_STAGE";

export interface StageOptions {
  readonly permissionsOf?: PermissionsOf;
  /** Left out: in a workspace nothing is confined; what is asked of people is another question. */
  readonly confinement?: Pick<Confinement, "enclose">;
  /** Its login and settings are files, not variables. */
  readonly isKeptInFiles?: boolean;
  readonly sandbox?: NonNullable<AcpSettings["sandbox"]>;
}

export async function openAgentStage(
  program: AgentProgram,
  answer: Answer,
  { permissionsOf, confinement, isKeptInFiles = false, sandbox }: StageOptions = {},
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
  const another = (): AgentRuntime => {
    const runtime = program.createRuntime(
      { command: [...program.command], cwd: folder, env, ...(sandbox && { sandbox }) },
      {
        timers: systemTimers,
        openMcpToolServer: openToolServer,
        newSecret: randomUUID,
        confinement: confinement ?? openConfinement(false, env),
        permissionsOf,
      },
    );
    opened.push(runtime);
    return runtime;
  };
  return {
    folder,
    home,
    workspace: { folder, store: null, programs: join(base, "programs") },
    env,
    model,
    runtime: another(),
    another,
    processes: () => markedProcesses(`${MARK}=${base}`),
    async [Symbol.asyncDispose]() {
      for (const runtime of opened) await runtime.close?.();
      await model[Symbol.asyncDispose]();
      rmSync(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
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
  };
}

/** Without what programs tell their models on the side. */
function textOf(content: Body): string {
  const parts: Body[] = typeof content === "string" ? [{ text: content }] : (content ?? []);
  const text = parts.flatMap(({ text: one }) => one ?? []).join("\n");
  return text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "").trim();
}
