/** An event source in a test's hands. */
export class TestSource extends EventTarget {
  isClosed = false;
  readyState = 1;

  /** As much of one as is used. */
  get asEventSource(): EventSource {
    return this as unknown as EventSource;
  }

  tell(data: string, lastEventId = ""): void {
    this.dispatchEvent(new MessageEvent("message", { data, lastEventId }));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }

  close(): void {
    this.isClosed = true;
  }
}
