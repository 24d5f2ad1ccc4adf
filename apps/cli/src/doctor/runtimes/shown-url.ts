/** An address as it may be printed: no user, no password, no query. */
export function shownUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return "an invalid address";
  return `${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`;
}

/** What a library says about an address, without the address. */
export function withoutUrl(text: string, address: string): string {
  return text.replaceAll(address, shownUrl(address));
}
