import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { maskShapes } from "./mask-shapes.ts";

const some = (chars: string, minLength: number, maxLength = minLength + 30): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...chars.split("")), minLength, maxLength });

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LETTERS = `${UPPER}${UPPER.toLowerCase()}`;
const ALNUM = `${LETTERS}0123456789`;
const URL_SAFE = `${ALNUM}-_`;

/** Of each kind, what must not be seen: without its beginning, which tells only what kind it is. */
const keys = fc.oneof(
  ...[
    ["sk-", 20],
    ["sk-ant-api03-", 20],
    ["sk-proj-", 20],
    ["rk_live_", 20],
    ["ghp_", 36, ALNUM],
    ["gho_", 36, ALNUM],
    ["github_pat_", 40, ALNUM],
    ["xoxb-", 24],
    ["xoxp-", 24],
    ["AKIA", 16, `${UPPER}0123456789`],
    ["ASIA", 16, `${UPPER}0123456789`],
    ["AIza", 35],
    ["glpat-", 20],
    ["npm_", 36, ALNUM],
    ["eyJ", 40],
    ["-----BEGIN RSA PRIVATE KEY-----\n", 64],
  ].map(([start, length, chars = URL_SAFE]) =>
    some(String(chars), Number(length)).map((body) => ({
      text: `${start}${body}`,
      hidden: body,
    })),
  ),
);

/** What stands before and after a key, wherever one may be. */
const around = fc.constantFrom(
  ["", ""],
  ["echo ", " > file"],
  ['-H "x: ', '" https://x'],
  ["'", "'"],
  ['{"k":"', '"}'],
  ["https://x.test/?a=1&k=", "&b=2"],
  ["https://", "@x.test/y.git"],
  ["cd shop && git remote add o https://x:", "@x.test"],
  ["A=", " run"],
  ["run --k=", ""],
  ["[", "]"],
);

/** What a value is known by, and what stands after it. */
const PLACES: readonly (readonly [string, string])[] = [
  ["curl -H 'Authorization: ", "' https://x"],
  ['curl -H "Authorization: Bearer ', '" https://x'],
  ['curl -H "Authorization: Custom ', '" https://x'],
  ["curl -H authorization:", " https://x"],
  ["curl -H Authorization:\\ Bearer\\ ", " https://x"],
  ['{"Authorization": "Bearer ', '"}'],
  ['{\\"client_secret\\": \\"', '\\"}'],
  ['curl -H "X-Api-Key: ', '" https://x'],
  ["bearer ", ""],
  ["deploy --token ", " now"],
  ["deploy --token=", " now"],
  ["deploy --auth-token '", "' now"],
  ['deploy --password "', '"'],
  ["deploy --api-key ", ""],
  ["openssl rsa -passin ", ""],
  ["sshpass -p ", " ssh x"],
  ["docker login -u me -p ", " x"],
  ["mysqldump -p", " shop"],
  ["redis-cli -a ", " ping"],
  ["curl -u ann:", " https://x"],
  ["curl --user=ann:", " https://x"],
  ["cd shop && git clone https://ann:", "@x.test/y.git"],
  ["psql postgres://shop:", "@x.test:5432/shop"],
  ["STRIPE_KEY=", " npm start"],
  ["export GITHUB_TOKEN='", "'"],
  ['AWS_SECRET_ACCESS_KEY="', '" aws s3 ls'],
  ["PASSWORD=", ";"],
  ["PGPASSWORD=", " psql"],
  ["MYSQL_PWD=", " mysql"],
  ["setx CLIENT_SECRET := ", ""],
  ["curl https://x/?access_token=", "&page=2"],
  ["const apiKey = '", "';"],
  ["if token == '", "':"],
];

const values = some(ALNUM, 8);
const words = fc.constantFrom(
  ..."token|secret|key|password|Authorization|Cookie|Bearer|KEY|_|-|--|=|:| |\n|\"|'|\\|$|{|(|&|;|://|@".split(
    "|",
  ),
  ..."docker login|curl|sshpass|mysql|-p|-u|-a|a:b|eyJ|sk-|ghp_|[key]|file|0123456789abcdef|A1b".split(
    "|",
  ),
  "-----BEGIN PRIVATE KEY-----",
);
const texts = fc.oneof(
  fc
    .array(
      fc.oneof(
        words,
        keys.map(({ text }) => text),
        values,
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
);

test("[SECRET-8] a key of a known kind is not seen, wherever it is", () => {
  fc.assert(
    fc.property(keys, around, ({ text, hidden }, [before, after]) => {
      const masked = maskShapes(`${before}${text}${after}`);
      assert.ok(!masked.includes(hidden), masked);
      assert.ok(masked.startsWith(before) && masked.includes("[key]"), masked);
    }),
    { numRuns: 2_000 },
  );
});

test("[SECRET-8] what is named a secret is not seen, whatever it is", () => {
  fc.assert(
    fc.property(values, fc.constantFrom(...PLACES), (value, [before, after]) => {
      const masked = maskShapes(`${before}${value}${after}`);
      assert.ok(!masked.includes(value), masked);
      assert.ok(masked.includes("[key]"), masked);
    }),
    { numRuns: 2_000 },
  );
});

test("[SECRET-8] what looks random is not seen after a word that says what it is", () => {
  const hex = some("0123456789abcdef", 16).map((digits) => `a1${digits}`);
  const base64 = some(`${ALNUM}+/`, 20).map((digits) => `aA1${digits}=`);
  fc.assert(
    fc.property(
      fc.constantFrom("token", "secret", "password", "key", "Key", "signature"),
      fc.oneof(
        fc.tuple(fc.constantFrom(" ", ": ", "="), hex),
        fc.tuple(fc.constantFrom(": ", "=", ' = "'), base64),
      ),
      (word, [sign, value]) => {
        assert.ok(!maskShapes(`use ${word}${sign}${value}`).includes(value.slice(0, 16)));
      },
    ),
    { numRuns: 1_000 },
  );
});

test("[SECRET-8] what is masked stays so, and texts of any kind are taken", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const masked = maskShapes(text);
      assert.equal(maskShapes(masked), masked);
      assert.ok(masked.length <= 2 * text.length + 5, masked);
    }),
    { numRuns: 5_000 },
  );
});

test("[SECRET-8] a text that goes on and on takes no longer than its length", () => {
  const pieces = ["eyJ", "-sk-", "://a:", "token=", "token-", "--token ", "key=", "key A1a"];
  const others = [
    '"',
    "\\",
    "'Authorization: ",
    "Bearer ",
    "-----BEGIN PRIVATE KEY-----",
    "docker login -p ",
  ];
  // With a pattern that looks at the rest again and again, this does not come to an end.
  for (const piece of [...pieces, ...others]) {
    const text = piece.repeat(2 ** 20 / piece.length);
    assert.ok(maskShapes(text).length <= 2 * text.length);
  }
});

test("[SECRET-8] ordinary lines stay as they are", () => {
  for (const line of [
    'cd shop && git commit -m "key"',
    'cd shop && git commit -m "fix: rename token to secret, and password rules"',
    "npm run build",
    "npm test src/token-bucket.test.ts -- --grep=token",
    "grep -rn password src/auth/tokens.ts | sort --key=2 -k 3",
    "cat ~/.ssh/key.pub docs/secrets.md",
    "docker run -p 8080:80 -u 1000:1000 --env-file .env --secret-id shop web",
    "docker login --password-stdin registry.test",
    "mkdir -p src/keys && curl -u ann https://x.test:8080/@scope/key",
    'curl -H "Authorization: Bearer $TOKEN" -u "ann:$PASSWORD" https://x.test',
    'export TOKEN="${OTHER_TOKEN}" API_KEY=$(pass show key)',
    "POSTGRES_PASSWORD_FILE=/run/secrets/db --token-file ./token MAX_TOKENS=4096 --max-tokens 100",
    'rg "token: string" packages/core/src/Session2Token/codec.ts',
    "cd shop && git show 0123456789abcdef0123456789abcdef01234567",
    "cargo test grpc::Token::new",
    "Read: /home/ann/shop/src/api-key/index.ts",
    "task-runner disk-usage-of-the-whole-machine-2026 glob-expression-parser-library",
    "ssh deploy@x.test; git clone git@github.com:ann/shop.git",
    "npm_config_registry=https://x.test npm ci",
  ]) {
    assert.equal(maskShapes(line), line);
  }
});
