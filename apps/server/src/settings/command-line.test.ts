import assert from "node:assert/strict";
import { test } from "node:test";
import { USAGE } from "./command-line.ts";

test("[SERVER-1] the help has every flag with its variable and its default", () => {
  assert.equal(
    USAGE,
    `atrium: the front hall of an agent team

  --host ADDRESS          listen on this address          (ATRIUM_HOST, 127.0.0.1)
  --port NUMBER           0 takes any free port           (ATRIUM_PORT, 18789)
  --home FOLDER           keep everything here            (ATRIUM_HOME, ~/.atrium)
  --log ENGINE            sqlite, memory or nats://a,b,c  (ATRIUM_LOG, sqlite)
  --durability full|normal                                (ATRIUM_DURABILITY, full)
  --log-stream NAME       its stream at the servers       (ATRIUM_LOG_STREAM, atrium)
  --log-credentials FILE  account at the servers          (ATRIUM_LOG_CREDENTIALS, none)
  --log-ca FILE           who may be the servers          (ATRIUM_LOG_CA, the system's)
  --log-cert FILE         this node's certificate         (ATRIUM_LOG_CERT, none)
  --log-key FILE          and its key                     (ATRIUM_LOG_KEY, none)
  --log-monitor URLS      their monitoring addresses      (ATRIUM_LOG_MONITOR, none)
  --log-unsafe            accept unsafe servers           (ATRIUM_LOG_UNSAFE, false)
  --node NAME             this node's name                (ATRIUM_NODE, host name and an id kept in home)
  --shared FOLDER         folder that all nodes see       (ATRIUM_SHARED, home)
  --auth token|none       none is for loopback only       (ATRIUM_AUTH, token)
  --token TEXT            the shared token                (ATRIUM_TOKEN, made once and kept in home)
  --agents NAME           runtime of the crew             (ATRIUM_AGENTS, rehearsal)
  --web FOLDER            serve this web client at /      (ATRIUM_WEB, ours)
  --config FILE           settings file                   (ATRIUM_CONFIG, ./atrium.config.json, then home)
  --json                  print one JSON line when open
  --help, --version
`,
  );
});
