/** Settles as the promise does, or rejects with the signal's reason as soon as it is aborted. */
export async function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(reasonOf(signal));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    // An abort that has happened wins over a result that is there already.
    return await Promise.race([stopped, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Never settles but by abort. */
export function aborted(signal: AbortSignal): Promise<never> {
  return untilAborted(signal, new Promise<never>(() => undefined));
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new DOMException(String(signal.reason), "AbortError");
}
