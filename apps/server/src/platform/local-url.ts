/** As a process on this machine reaches the server, whatever address it listens on. */
export function localUrl(path: string, server: string): URL {
  const url = new URL(path, server);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return url;
}
