/** A small repository about tides, and what the agents make of it. */
export const TIDE_FILES = {
  "package.json": `${JSON.stringify({ name: "tides", type: "module", scripts: { test: "node --test" } }, null, 2)}\n`,
  "README.md": "# Tides\n\nWhen the water is high, from Borkum to Sylt.\n",
  "src/stations.js": `/** From west to east; high water comes later by as many minutes. */
export const STATIONS = [
  { name: "Borkum", delay: 0, range: 2.3 },
  { name: "Norderney", delay: 25, range: 2.4 },
  { name: "Cuxhaven", delay: 110, range: 3.0 },
];
`,
  "src/tides.js": `import { STATIONS } from "./stations.js";

/** The height of the tide at a station, in metres, so many minutes after high water at Borkum. */
export function heightAt(name, minutes) {
  const { range } = STATIONS.find((station) => station.name === name);
  return (range / 2) * Math.cos((2 * Math.PI * minutes) / 745);
}
`,
  "test/stations.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { STATIONS } from "../src/stations.js";

test("high water comes later from station to station", () => {
  const delays = STATIONS.map(({ delay }) => delay);
  assert.deepEqual(delays, delays.toSorted((a, b) => a - b));
});
`,
};

export const FIRST_TIDES = `import { STATIONS } from "./stations.js";

/** From one high water to the next, in minutes. */
const PERIOD = 745;

/** The height of the tide at a station, in metres, so many minutes after high water at Borkum. */
export function heightAt(name, minutes) {
  const { range, delay } = STATIONS.find((station) => station.name === name);
  return (range / 2) * Math.cos((2 * Math.PI * (minutes + delay)) / PERIOD);
}

/** High and low water of a day, in order. */
export function tidesOfDay(name, first) {
  const { delay } = STATIONS.find((station) => station.name === name);
  const tides = [];
  for (let at = first + delay; at < 24 * 60; at += PERIOD / 2) {
    tides.push({ at: Math.round(at), isHigh: tides.length % 2 === 0 });
  }
  return tides;
}
`;

export const TIDES_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { heightAt, tidesOfDay } from "../src/tides.js";

test("high water at Cuxhaven is later than at Borkum", () => {
  assert.ok(heightAt("Cuxhaven", 110) > heightAt("Cuxhaven", 0));
});

test("a day has high and low water by turns", () => {
  const tides = tidesOfDay("Norderney", 60);
  assert.deepEqual(tides.map(({ isHigh }) => isHigh), [true, false, true, false]);
});
`;

export const FIND_STATION = `function stationOf(name) {
  const station = STATIONS.find((each) => each.name === name);
  if (station === undefined) throw new RangeError(\`There is no station \${name}.\`);
  return station;
}
`;

export const PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Tonight's tides</title>
  <link rel="stylesheet" href="page.css">
  <h1>Tonight's tides</h1>
  <p>Cuxhaven, 16 November</p>
  <svg viewBox="0 0 600 160" role="img" aria-label="The water rises until 21:40">
    <path d="M0 120 C 100 120, 130 30, 230 30 S 360 140, 460 140 S 560 60, 600 50 V 160 H 0 Z" />
    <circle cx="230" cy="30" r="7" />
  </svg>
  <table>
    <tr><th>High water</th><td>21:40</td><td>3.2 m</td></tr>
    <tr><th>Low water</th><td>03:55</td><td>0.4 m</td></tr>
    <tr><th>High water</th><td>10:05</td><td>3.1 m</td></tr>
  </table>
</html>
`;

export const PAGE_STYLE = `body {
  max-width: 40rem;
  margin: 2.5rem auto;
  padding: 0 1.5rem;
  color: #12313f;
  background: #eef6f8;
  font: 1.1rem / 1.5 system-ui, sans-serif;
}
h1 { margin: 0; font-size: 2.2rem; }
p { margin: 0 0 1.5rem; color: #4b6b78; }
path { fill: #6fb3c8; }
circle { fill: #d9572b; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.6rem 0; border-top: 1px solid #c4dbe2; text-align: left; }
td { text-align: right; font-variant-numeric: tabular-nums; }
`;

export const COMMAND_LINE = `#!/usr/bin/env node
/** Prints high and low water of a day: tides Cuxhaven 60 */
import { tidesOfDay } from "./tides.js";

const [name = "Borkum", first = "0"] = process.argv.slice(2);
for (const { at, isHigh } of tidesOfDay(name, Number(first))) {
  const time = [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, "0"));
  process.stdout.write(\`\${time.join(":")}  \${isHigh ? "high" : "low"}\\n\`);
}
`;

export const GUIDE = `# Reading the tides

- On the page: open \`index.html\`.
- On the command line: \`node src/cli.js Cuxhaven 60\`, where 60 is the first high water at Borkum, in
  minutes after midnight.
`;
