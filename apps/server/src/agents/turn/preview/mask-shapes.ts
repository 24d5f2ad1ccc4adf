/**
 * Masks what looks like a secret: keys of people's own, which a program puts into the line of a tool, and of which nobody has
 * told the server. Not for what people are asked to allow, because they have to read all of that.
 *
 * It takes time in proportion to the text, whatever the text is: each pattern begins with letters of its own or where a word
 * begins, and reads that word and its value, not what comes after them.
 */
import { MASK } from "../mask.ts";

const raw = String.raw;

function anyCase(...words: readonly string[]): string {
  const ways = words.flatMap((word) => [
    word,
    word.charAt(0).toUpperCase() + word.slice(1),
    word.toUpperCase(),
  ]);
  return `(?:${ways.join("|")})`;
}

const WORD = raw`(?:\\.|[^\s"'&;|<>\\])+`;
/** In quotes, also in quotes within quotes, or a word of a command line. */
const VALUE = raw`(?:"(?:[^"\\]|\\[^])*"?|'[^']*'?|\\+"[^"]*"?|\\+'[^']*'?|${WORD})`;
const VARIABLE = raw`\$(?:\{\w+\}|[A-Z_][A-Z0-9_]*)`;
/** Where a secret comes from, or what type it is of, is none. */
const NO_SECRET = raw`(?:"${VARIABLE}"|${VARIABLE}(?=[\s"';|&)]|$)|"?\$\(|(?:string|number|boolean|null|undefined|true|false)(?![\w-]))`;
const NUMBERS = raw`[\d.:/]+(?:["'\s]|$)`;

const KEYS_OF = anyCase("api", "access", "secret", "private", "auth", "account", "master");
const SECRET_WORD = [
  anyCase("token(?!s|iz)", "secret", "passw(?:or)?d", "passphrase", "credential"),
  `${KEYS_OF}[-_]?${anyCase("key")}`,
  "_(?:KEY|PWD|PASS|PAT|AUTH)(?![A-Za-z0-9])",
].join("|");
/** The end of a name that says where the secret is, or which one. */
const ELSEWHERE = `(?:[-_]|(?=[A-Z]))${anyCase("file", "path", "dir", "stdin", "env", "name", "type", "url", "id")}(?![A-Za-z0-9])`;
const SECRET_NAME = raw`(?=[\w-]*?(?:${SECRET_WORD}))(?![\w-]*?${ELSEWHERE})[\w-]+`;
const IS = raw`\\*["']?\s*(?:=>|:=|[=!]={1,2}(?!=)|=(?![=>])|:(?![:=]))\s*`;
const SECRET_FLAG = raw`(?=--?[A-Za-z])(?:${SECRET_NAME}|-(?:store|key)?pass(?:in|out)?)`;

const HEADER = `${anyCase("proxy-")}?${anyCase("authorization", "cookie")}`;
const SCHEME = raw`(?:${anyCase("bearer", "basic", "token", "digest")}\s+)?`;

const NAMED = anyCase("token", "secret", "password", "key", "auth", "credential", "sig(?:nature)?");
const HEX = raw`(?=[a-fA-F]*\d)(?=\d*[a-fA-F])[a-fA-F0-9]{16,}(?!\w)`;
const RANDOM = raw`(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{20,}`;
const BASE64 = RANDOM.replaceAll("-]", "+/-]");
/** Without a sign before it, what has slashes may be a path. */
const IS_RANDOM = raw`(?:\s*[=:]\s*\\*["']?(?=${HEX}|${BASE64})|\s+["']?(?=${HEX}|${RANDOM}))`;

/** By their looks, wherever they are. */
const KEYS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g,
  /(?<![A-Za-z0-9])[spr]k(?:-[\w-]{16,}|_(?:live|test)_[\w-]{10,})/g,
  /(?:gh[opurs]|npm|hf|gsk|r8)_[A-Za-z0-9]{16}[\w-]*|github_pat_\w{16}[\w-]*/g,
  /(?:xox[a-z]|xapp)-[\w-]{10,}|gl(?:pat|ptt|cbt|dt|rt|ft|soat|agent)-[\w-]{16,}|(?:pypi-AgE|dop_v1_)[\w-]{16,}/g,
  /A(?:KIA|SIA)[0-9A-Z]{16}[\w-]*|AIza[\w-]{30,}|ya29\.[\w-]{10,}/g,
  /eyJ[\w-]{8,}[\w.+/=-]*/g,
];

/** By what comes before them, which stays. */
const VALUES: readonly RegExp[] = [
  raw`(:\/\/[^\s/:@"'<>]*:)(?!${VARIABLE}@)[^\s/"'<>]+(?=@)`,
  raw`(:\/\/)(?=[^\s/:@"'<>\d]{0,40}\d)[^\s/:@"'<>]{20,}(?=@)`,
  // A header in quotes goes on to their end.
  raw`(["']${HEADER} *:(?!\s*${SCHEME}${NO_SECRET})\s*${SCHEME})[^"'\n]+`,
  raw`((?<![\w-])${HEADER}${IS}(?!${SCHEME}${NO_SECRET})${SCHEME})${VALUE}`,
  raw`(\b${anyCase("bearer")}[\s\\]+["']?)(?!tokens?\b|auth)[\w.~+/=-]{6,}`,
  raw`((?<![\w-])${SECRET_NAME}${IS})(?!${NO_SECRET})${VALUE}`,
  raw`((?<![\w-])${SECRET_FLAG}\s+)(?!-|${NO_SECRET})${VALUE}`,
  raw`((?<![A-Za-z0-9])${NAMED}s?\\*["']?${IS_RANDOM})[\w+/=-]+`,
].map((pattern) => new RegExp(pattern, "g"));

/** By a short flag, of a program of which it is known. */
const FLAGS: readonly (readonly [program: RegExp, pattern: RegExp])[] = [
  [
    /\b(?:docker|podman|helm|oc|az)\s+(?:\w+\s+)?login\b|\bsshpass\b/,
    new RegExp(raw`(\s-p\s*)(?!${NO_SECRET}|${NUMBERS})${VALUE}`, "g"),
  ],
  [/\b(?:mysql|mariadb)/, new RegExp(raw`(\s-p)(?!${NO_SECRET})${VALUE}`, "g")],
  [/\bredis-cli\b/, new RegExp(raw`(\s-a\s+)(?!${NO_SECRET})${VALUE}`, "g")],
  [
    /\bcurl\s/,
    new RegExp(
      raw`(\s(?:-u|-U|--user|--proxy-user)[\s=]*["']?[^\s:"'$]+:)(?!${NO_SECRET}|${NUMBERS})${WORD}`,
      "g",
    ),
  ],
];

export function maskShapes(text: string): string {
  let masked = text;
  for (const key of KEYS) masked = masked.replaceAll(key, MASK);
  for (const value of VALUES) masked = masked.replaceAll(value, `$1${MASK}`);
  for (const [program, value] of FLAGS) {
    if (program.test(text)) masked = masked.replaceAll(value, `$1${MASK}`);
  }
  return masked;
}
