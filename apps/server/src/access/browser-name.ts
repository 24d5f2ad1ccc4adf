/** The default name of a browser, from its User-Agent. */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;
const MAX_CHARACTERS = 200;

export function nameBrowser(userAgent: string): string {
  const has = ([mark]: readonly [string, string]): boolean => userAgent.includes(mark);
  const browser = BROWSERS.find(has)?.[1] ?? "A browser";
  const system = SYSTEMS.find(has)?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}

export function tidyUserAgent(userAgent: string): string {
  return userAgent.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, MAX_CHARACTERS);
}
