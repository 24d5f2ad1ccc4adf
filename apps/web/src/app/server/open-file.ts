/**
 * Opens or keeps a file of the server's. A link cannot send the page's half of its login, so it gets a ticket that is
 * good for this one path, once. The server locks files up; they are never shown in the page's own origin.
 */
import type { MouseEvent } from "react";
import { createFetchJson } from "./fetch-json.ts";
import { fetchOwn, pageSecret } from "./own-server.ts";

const ask = createFetchJson(fetchOwn);

/** For the click on a link to it; without a login to bring along the link is good as it is. */
export function openFile(event: MouseEvent<HTMLAnchorElement>): void {
  if (pageSecret.read() === undefined) return;
  event.preventDefault();
  void follow(event.currentTarget);
}

async function follow(clicked: HTMLAnchorElement): Promise<void> {
  const { pathname, search, target, rel, download } = clicked;
  const answer = await ask<{ readonly ticket: string | null }>("POST", "/api/ticket", {
    path: pathname,
  });
  if (!answer.ok) return;
  const { ticket } = answer.value;
  const link = document.createElement("a");
  const query = new URLSearchParams(search);
  if (ticket !== null) query.set("ticket", ticket);
  link.href = query.size === 0 ? pathname : `${pathname}?${query.toString()}`;
  link.target = target;
  link.rel = rel;
  if (download !== "") link.download = download;
  link.click();
}
