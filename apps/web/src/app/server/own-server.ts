/** Our own server, as this page reaches it: with the page's half of its login. */
import { createPageSecret, fetchWith, socketWith } from "./page-secret.ts";

export const pageSecret = createPageSecret(() => localStorage);
export const fetchOwn = fetchWith(pageSecret, (input, init) => globalThis.fetch(input, init));
export const OwnSocket = socketWith(pageSecret, WebSocket);
