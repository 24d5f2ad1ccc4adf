/** Code that a server runs before its own, as an accident from outside: with it a test can make one happen in a real process. */
export function preload(code: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
