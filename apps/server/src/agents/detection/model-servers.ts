/**
 * Model servers on this machine, found where they usually listen. Each is asked for its list of models, as every server
 * with OpenAI's API has one; nothing is generated.
 */
import { listOf, parseFields, textIn } from "../turn/json-fields.ts";
import type { FindingState, ModelServerFinding } from "./probes/finding.ts";

export interface ModelServerRow {
  readonly id: string;
  readonly name: string;
  readonly port: number;
  /** What a person runs to start it. */
  readonly start: string;
  /** What a person runs so that it has a model. */
  readonly load: string;
}

export const MODEL_SERVER_TABLE: readonly ModelServerRow[] = [
  {
    id: "ollama",
    name: "Ollama",
    port: 11434,
    start: "ollama serve",
    load: "ollama pull qwen3:8b",
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    port: 1234,
    start: "lms server start",
    load: "lms load",
  },
  {
    id: "vllm",
    name: "vLLM",
    port: 8000,
    start: "vllm serve MODEL",
    load: "vllm serve MODEL",
  },
  {
    id: "llama-cpp",
    name: "llama.cpp",
    port: 8080,
    start: "llama-server -m MODEL.gguf",
    load: "llama-server -m MODEL.gguf",
  },
];

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_MODELS = 100;
const MAX_NAME_CHARACTERS = 200;

export interface ModelServerDeps {
  readonly timeoutMs: number;
  /** Aborted when nobody wants to know any more. */
  readonly signal: AbortSignal;
}

export async function examineModelServer(
  row: ModelServerRow,
  deps: ModelServerDeps,
): Promise<ModelServerFinding> {
  const { id, name, port } = row;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const list = await listModels(`${baseUrl}/models`, deps);
  const models = list.how === "listed" ? list.models : [];
  const model = models.find(canAnswer);
  return {
    id,
    name,
    baseUrl,
    ...describeList(row, list, deps.timeoutMs),
    models,
    ...(model !== undefined && {
      runtime: { type: "model", provider: "openai-compatible", baseUrl, model },
    }),
  };
}

/** By their names, of which there is no more to go by: models that turn texts into numbers, and such that sort them. */
const NO_ANSWERS =
  /embed|rerank|(?:^|[/_-])(?:bge|gte|e5|all-minilm|paraphrase|colbert)(?:$|[-_:.])/i;

function canAnswer(model: string): boolean {
  return !NO_ANSWERS.test(model);
}

type ModelList =
  | { readonly how: "absent" | "foreign" | "late" | "locked" }
  | { readonly how: "listed"; readonly models: readonly string[] };

function describeList(
  { name, port, start, load }: ModelServerRow,
  list: ModelList,
  timeoutMs: number,
): { readonly state: FindingState; readonly message: string } {
  switch (list.how) {
    case "absent":
      return { state: "missing", message: `Not running: start it with ${start}.` };
    case "foreign":
      return {
        state: "missing",
        message: `Another program answers on port ${port}: end that and start ${name} with ${start}, or use another port.`,
      };
    case "late":
      return {
        state: "broken",
        message: `Port ${port} gave no answer within ${timeoutMs / 1_000} s: restart ${name}.`,
      };
    case "locked":
      return {
        state: "login-needed",
        message: `Port ${port} wants a key: start the server with it in a variable, and name that in apiKeyEnv.`,
      };
    case "listed": {
      const { length } = list.models;
      if (length === 0) return { state: "broken", message: `It has no model: run ${load}.` };
      if (!list.models.some(canAnswer)) {
        const message = `It has no model that answers, only for embedding or reranking: run ${load}.`;
        return { state: "broken", message };
      }
      const count = length === 1 ? "1 model" : `${length} models`;
      return { state: "ready", message: `Ready, with ${count}.` };
    }
  }
}

async function listModels(url: string, deps: ModelServerDeps): Promise<ModelList> {
  const deadline = AbortSignal.timeout(deps.timeoutMs);
  const signal = AbortSignal.any([deadline, deps.signal]);
  try {
    const response = await fetch(url, { redirect: "manual", signal });
    const answer = parseFields(await readBounded(response));
    if (response.status === 401 || response.status === 403) {
      return { how: answer === undefined ? "foreign" : "locked" };
    }
    const { object, data } = answer ?? {};
    const isList = Array.isArray(data) || (object === "list" && data === null);
    return response.ok && isList ? { how: "listed", models: namesIn(data) } : { how: "foreign" };
  } catch {
    return { how: deadline.aborted ? "late" : "absent" };
  }
}

/** Empty when it is longer than a list of models can be. */
async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a body is of bytes
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function namesIn(data: unknown): readonly string[] {
  return listOf(data)
    .flatMap((model) => textIn(model, "id") ?? [])
    .filter((name) => name !== "" && name.length <= MAX_NAME_CHARACTERS)
    .slice(0, MAX_MODELS);
}
