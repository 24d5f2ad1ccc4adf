/** What nodes never send, and whoever has the account at the servers could. */
const piece = { id: "i", from: "z", at: 0, of: 1, text: "{" };

export const STRANGE_MESSAGES: readonly string[] = [
  "",
  "\0",
  "null",
  "7",
  '"ask"',
  "[]",
  "{}",
  '{"__proto__":{"ask":"*"}}',
  '{"ask":7}',
  '{"piece":null}',
  JSON.stringify({ piece }),
  JSON.stringify({ piece: { ...piece, text: '{"from":"z"}' } }),
  '{"from":"z","life":"l","after":0,"seq":0}',
  '{"from":"z","life":"l","after":"0","seq":null,"changes":{}}',
  JSON.stringify({ type: "request", ...piece }),
  JSON.stringify({ type: "request", ...piece, text: "[]" }),
  JSON.stringify({ type: "request", ...piece, text: '{"name":"__proto__"}' }),
  JSON.stringify({ type: "answer", ...piece }),
  JSON.stringify({ type: "cancel", ...piece, id: "__proto__" }),
  JSON.stringify({ type: "constructor", ...piece }),
];
