/** What in a command deserves a second look, and where it stands. Pure. */
export const RISKS = ["shell", "delete", "root", "outside", "network", "hidden"] as const;
export type Risk = (typeof RISKS)[number];

export interface RiskyRange {
  readonly start: number;
  readonly end: number;
  readonly risk: Risk;
}

/* In the order of how much they matter: of two that overlap, the first is marked. */
const SIGNS: readonly (readonly [risk: Risk, sign: RegExp])[] = [
  [
    "shell",
    /\|\s*(?:sudo\s+)?(?:env\s+)?(?:[\w./-]*\/)?(?:(?:ba|z|da|k|fi|c|tc)?sh|python[\d.]*|node|perl|ruby|pwsh|powershell|iex)\b/gi,
  ],
  ["shell", /\beval\b|\b(?:ba|z|da|k)?sh\s+-\w*c\b/g],
  ["delete", /\brm\s+(?:-\S+\s+)*-{1,2}(?:[a-z]*[rf][a-z]*|recursive|force)\b/gi],
  [
    "delete",
    /\bmkfs(?:\.\w+)?\b|\bdd\s[^\n;|&]*\bof=\S+|\bshred\b|\bgit\s+clean\s+-\S*f|\bfind\s[^\n;|&]*-delete\b/g,
  ],
  ["root", /\b(?:sudo|doas|pkexec)\b|\bchmod\s+(?:-\S+\s+)*(?:0?777|[ua]?\+s)\b|\bchown\b/g],
  ["outside", />{1,2}\s*(?!\/dev\/null\b)(?:\/|~|\$HOME\b|\$\{HOME\}|\.\.\/)[^\s;|&]*/g],
  ["outside", /\btee\s+(?:-\S+\s+)*(?:\/|~|\$HOME\b|\.\.\/)[^\s;|&]*/g],
  ["hidden", /\bbase64\s+(?:-d|-D|--decode)\b|\bxxd\s+-r\b/g],
  [
    "network",
    /\b(?:curl|wget|nc|ncat|netcat|ssh|scp|sftp|ftp|telnet|rsync)\b|\bgit\s+push\b|\bnpm\s+publish\b/g,
  ],
  ["network", /\b(?:https?|ftp|wss?):\/\/[^\s"'`<>|;)]+/gi],
];

/** In the order of the text; none overlaps another. */
export function riskyRanges(text: string): readonly RiskyRange[] {
  const taken: RiskyRange[] = [];
  for (const [risk, sign] of SIGNS) {
    for (const { 0: found, index: start } of text.matchAll(sign)) {
      const end = start + found.length;
      if (!taken.some((other) => start < other.end && other.start < end)) {
        taken.push({ start, end, risk });
      }
    }
  }
  return taken.toSorted((a, b) => a.start - b.start);
}
