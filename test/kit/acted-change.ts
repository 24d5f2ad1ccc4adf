/**
 * A change of any size in the page, without an agent that made it: a result of the office is told to be a change, and
 * the page's questions about its files are answered here.
 */
import type { Page, Route } from "playwright-core";

export interface ActedFile {
  readonly path: string;
  readonly patch?: string;
  readonly how?: string;
  readonly added?: number | null;
  readonly removed?: number | null;
  readonly is_binary?: boolean;
  readonly is_large?: boolean;
  readonly flag?: string;
  readonly from?: string;
  /** What the file holds, before and after. */
  readonly old?: string | Buffer;
  readonly new?: string | Buffer;
}

export interface ActedChange {
  readonly files: readonly ActedFile[];
  readonly comments?: readonly object[];
  readonly checks?: readonly object[];
  readonly omitted?: readonly object[];
}

/** What the page asked the office to do, as it was sent. */
export interface SentCommand {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever it carries
  readonly data: any;
}

/** Before the page is opened. The office itself is told of a document, and knows no lines of it. */
export async function actChange(
  page: Page,
  change: () => ActedChange,
): Promise<readonly SentCommand[]> {
  const sent: SentCommand[] = [];
  await page.routeWebSocket(/\/world/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) =>
      socket.send(typeof message === "string" ? withChange(message) : message),
    );
    socket.onMessage((message) => {
      const told = JSON.parse(String(message)) as { type: string; payload: SentCommand };
      if (told.type !== "command") {
        server.send(message);
        return;
      }
      sent.push(told.payload);
      const { comments, ...data } = told.payload.data;
      const instructions = comments === undefined ? {} : { instructions: `${data.instructions}-` };
      const payload = { ...told.payload, data: { ...data, ...instructions } };
      server.send(JSON.stringify({ ...told, payload }));
    });
  });
  const answers: Record<string, (query: URLSearchParams) => object | Buffer | undefined> = {
    changes: () => ({
      commit: "c".repeat(40),
      base: "b".repeat(40),
      has_more: false,
      flagged: [],
      omitted: change().omitted ?? [],
      files: change().files.map(listed),
    }),
    diff: (query) => {
      const file = change().files.find(({ path }) => path === query.get("path"));
      const isLarge = file?.is_large === true && query.get("whole") === null;
      return isLarge ? { is_large: true, bytes: file.patch?.length } : { patch: file?.patch ?? "" };
    },
    file: (query) => {
      const file = change().files.find(
        ({ path, from }) => path === query.get("path") || from === query.get("path"),
      );
      const content = query.get("side") === "old" ? file?.old : file?.new;
      return content === undefined ? undefined : Buffer.from(content);
    },
    comments: () => ({ comments: change().comments ?? [] }),
    checks: () => ({ checks: change().checks ?? [] }),
  };
  await page.route(/\/api\/artifacts\/[^/]+\/(?:changes|diff|file|comments|checks)\?/, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    return fulfill(route, answers[pathname.split("/").at(-1) ?? ""]?.(searchParams));
  });
  await page.route(/\/api\/checks\/[^/]+\/output/, (route) =>
    fulfill(route, Buffer.from("FAIL price.test.ts\n1 test failed\n")),
  );
  return sent;
}

function listed({
  path,
  from,
  how = "changed",
  added = 1,
  removed = 0,
  ...file
}: ActedFile): object {
  const { is_binary = false, is_large = false, flag } = file;
  const flags = flag === undefined ? {} : { flag };
  return { path, from: from ?? null, how, added, removed, is_binary, is_large, ...flags };
}

function fulfill(route: Route, answer: object | Buffer | undefined): Promise<void> {
  if (answer === undefined) return route.fulfill({ status: 404, json: { error: { code: "x" } } });
  if (Buffer.isBuffer(answer)) return route.fulfill({ body: answer });
  return route.fulfill({ json: answer });
}

const CHANGE = {
  commit: "c".repeat(40),
  base: "b".repeat(40),
  files: 3,
  added: 9,
  removed: 2,
  omitted: [],
  is_cut: false,
  flagged: [],
};

function withChange(message: string): string {
  const told = JSON.parse(message) as { payload?: { artifacts?: object[] } };
  const { artifacts } = told.payload ?? {};
  if (artifacts === undefined) return message;
  const acted = artifacts.map((artifact) => ({ ...artifact, type: "change", change: CHANGE }));
  return JSON.stringify({ ...told, payload: { ...told.payload, artifacts: acted } });
}
