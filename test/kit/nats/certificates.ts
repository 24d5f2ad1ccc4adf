/** A certificate for this machine that is its own authority: for servers, for clients, and to be trusted or not. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findProgram } from "../../../scripts/system-programs.ts";

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export function makeCertificate(folder: string, name: string): Certificate {
  const certFile = join(folder, `${name}.pem`);
  const keyFile = join(folder, `${name}-key.pem`);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", keyFile, "-out", certFile, "-days", "2"];
  const openssl = findProgram("openssl") ?? "openssl";
  execFileSync(openssl, ["req", "-x509", ...key, ...subject, ...files], { stdio: "pipe" });
  return { certFile, keyFile };
}
