import assert from "node:assert/strict";
import { test } from "node:test";
import { USAGE } from "./command-line.ts";

test("[SERVER-1] the help has every flag with its variable and its default", () => {
  assert.equal(
    USAGE,
    `atrium: the front hall of an agent team

  --host ADDRESS       listen on this address        (ATRIUM_HOST, 127.0.0.1)
  --port NUMBER        0 takes any free port         (ATRIUM_PORT, 18789)
  --home FOLDER        keep everything here          (ATRIUM_HOME, ~/.atrium)
  --log sqlite|memory  where the log lives           (ATRIUM_LOG, sqlite)
  --durability full|normal                           (ATRIUM_DURABILITY, full)
  --auth token|none    none is for loopback only     (ATRIUM_AUTH, token)
  --token TEXT         the shared token              (ATRIUM_TOKEN, made once and kept in home)
  --agents NAME        runtime of the built-in crew  (ATRIUM_AGENTS, rehearsal)
  --web FOLDER         serve this web client at /    (ATRIUM_WEB, ours)
  --config FILE        settings file                 (ATRIUM_CONFIG, ./atrium.config.json, then home)
  --json               print one JSON line when open
  --help, --version
`,
  );
});
