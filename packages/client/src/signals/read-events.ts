/** Server-sent events, as far as our server sends them: one line of data each. */
export interface StreamedEvent {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly data: string;
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncIterable<StreamedEvent> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const whole = (text + decoder.decode(bytes, { stream: true })).split("\n\n");
    text = whole.pop() ?? "";
    for (const each of whole) {
      const data = fieldOf(each, "data");
      if (data !== undefined) yield { id: fieldOf(each, "id"), name: fieldOf(each, "event"), data };
    }
  }
}

function fieldOf(event: string, name: string): string | undefined {
  const line = event.split("\n").find((each) => each.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
