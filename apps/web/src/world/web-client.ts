/** What this client calls itself to the server. Browsers have no names of their own; whoever has the link may sit there. */
export const WEB_CLIENT = "atrium-web";
