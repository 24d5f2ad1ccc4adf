/**
 * Server-sent events over fetch, which unlike an EventSource can send a header along. It does not come back by
 * itself: when it ends, for whatever reason, it is closed and says so.
 */
export interface StreamSource {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

const [OPEN, CLOSED] = [1, 2];

export function openEventStream(path: string, fetch: typeof globalThis.fetch): StreamSource {
  const target = new EventTarget();
  const ending = new AbortController();
  let readyState = 0;
  const read = async (): Promise<void> => {
    const headers = { accept: "text/event-stream" };
    const response = await fetch(path, { headers, signal: ending.signal, cache: "no-store" });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!response.ok || !isStream || response.body === null) return;
    readyState = OPEN;
    target.dispatchEvent(new Event("open"));
    const parse = createEventParser((type, data, lastEventId) =>
      target.dispatchEvent(new MessageEvent(type, { data, lastEventId })),
    );
    const text = response.body.pipeThrough(new TextDecoderStream());
    for await (const chunk of chunksOf(text)) parse(chunk);
  };
  const end = (): void => {
    if (readyState === CLOSED) return;
    readyState = CLOSED;
    target.dispatchEvent(new Event("error"));
  };
  // Listeners are added right after it was opened, and must not miss its end.
  queueMicrotask(() => void read().then(end, end));
  return {
    get readyState() {
      return readyState;
    },
    addEventListener(type, listener) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only "message" and named events carry data
      target.addEventListener(type, listener as (event: Event) => void);
    },
    close() {
      readyState = CLOSED;
      ending.abort();
    },
  };
}

async function* chunksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

type OnEvent = (type: string, data: string, lastEventId: string) => void;

/** The format of https://html.spec.whatwg.org/multipage/server-sent-events.html, fed in pieces. */
export function createEventParser(onEvent: OnEvent): (chunk: string) => void {
  let rest = "";
  let type = "";
  let id = "";
  let data: string[] = [];
  const take = (line: string): void => {
    if (line === "") {
      if (data.length > 0) onEvent(type === "" ? "message" : type, data.join("\n"), id);
      type = "";
      data = [];
      return;
    }
    const [, field = "", value = ""] = /^([^:]*):? ?([^]*)$/.exec(line) ?? [];
    if (field === "data") data.push(value);
    else if (field === "event") type = value;
    else if (field === "id") id = value;
  };
  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  };
}
