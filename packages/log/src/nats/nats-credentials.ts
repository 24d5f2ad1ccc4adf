/** Who a node is at the servers of the log: read from a file, because addresses and arguments show in many places. */
import { readFileSync } from "node:fs";
import { credsAuthenticator, type Authenticator } from "@nats-io/transport-node";
import { LogFault } from "../log.ts";

type Auth = ReturnType<Authenticator>;

/** Reads the file at every connection, so that an account that was renewed is met without a restart. */
export function readsCredentials(file: string): Authenticator {
  readCredentials(file);
  return (nonce) => readCredentials(file)(nonce);
}

function readCredentials(file: string): Authenticator {
  const text = readText(file);
  if (text.includes("BEGIN NATS USER JWT")) return readCreds(file, text);
  const account = parseAccount(text);
  if (account === undefined) {
    throw new LogFault(
      "unreadable",
      `${file} has no account for the log's servers: write a .creds file, or JSON with "user" and "password", or with "token".`,
    );
  }
  return () => account;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new LogFault("unreadable", `${file} with the account for the log cannot be read.`, cause);
  }
}

function readCreds(file: string, text: string): Authenticator {
  const bytes = new TextEncoder().encode(text);
  const authenticator = credsAuthenticator(bytes);
  try {
    // Signs something once: a damaged key shows now and not when a server is there.
    authenticator("nonce");
  } catch (cause) {
    throw new LogFault("unreadable", `${file} is a damaged .creds file; get a new one.`, cause);
  }
  return authenticator;
}

function parseAccount(text: string): Auth | undefined {
  const given = parseObject(text);
  const { user, password, token } = given;
  if (typeof token === "string") return { auth_token: token };
  if (typeof user !== "string" || typeof password !== "string") return undefined;
  return { user, pass: password };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
