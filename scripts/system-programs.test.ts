import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findArchive } from "./debian-package.ts";
import { findProgram, installProgram, skipWithout } from "./system-programs.ts";

const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-programs-"));
after(() => folder.remove());

/** A program that says which version it is, and nothing else. */
function program(name: string, prints: string): string {
  const file = join(folder.path, name);
  writeFileSync(file, `#!/bin/sh\necho "${prints}"\n`, { mode: 0o755 });
  return file;
}

test("a program that is too old is refused by its version, with the way to get a better one", () => {
  const old = program("old-server", "nats-server: v2.9.10");
  const env = { NATS_SERVER: old };
  assert.equal(findProgram("nats-server", env), undefined);
  const why = skipWithout("nats-server", env);
  assert.match(String(why), /^nats-server 2\.9\.10 in .*old-server is too old, 2\.10\.23 is/);
  assert.match(String(why), /node scripts\/system-programs\.ts nats-server\) or name it in NATS_/);
  // What a person named is that one or none.
  assert.equal(installProgram("nats-server", env), why);
});

test("versions are compared as numbers, and a program that tells none is too old", () => {
  for (const [prints, isFound] of [
    ["nats-server: v2.10.22", false],
    ["nats-server: v2.10.23", true],
    ["nats-server: v2.10.100", true],
    ["nats-server: v10.0.0-beta.1", true],
    ["hello", false],
  ] as const) {
    const file = program("some-server", prints);
    assert.equal(findProgram("nats-server", { NATS_SERVER: file }), isFound ? file : undefined);
  }
});

test("the archive is the one that apt reads on this machine, in either format, and no comment", () => {
  const address = "http://archive.example/debian";
  assert.equal(findArchive(`deb [signed-by=/k.gpg] ${address}/ stable main\n`), address);
  assert.equal(
    findArchive(`Types: deb\n# http://no.example/debian\nURIs: ${address}\nSuites: a\n`),
    address,
  );
  assert.equal(findArchive("deb http://archive.example/debian-security stable main"), undefined);
  assert.equal(findArchive("deb http://archive.example/ubuntu stable main"), undefined);
});
