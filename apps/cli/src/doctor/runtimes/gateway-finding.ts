/** An OpenClaw gateway: whether it is there, and takes the token. */
import { CliError, messageOf } from "../../command-line/cli-error.ts";
import { ownVersion } from "../../command-line/own-version.ts";
import { isRecord } from "../../server/settings.ts";
import { broken, ok, type Finding } from "../finding.ts";
import type { CheckedRuntime } from "./runtime-findings.ts";
import { readSecret } from "./secret.ts";
import { shownUrl, withoutUrl } from "./shown-url.ts";

const TIMEOUT_MS = 5_000;

type Frame = Readonly<Record<string, unknown>>;

export async function gatewayFinding(runtime: CheckedRuntime): Promise<Finding> {
  const { about, settings } = runtime;
  const { url } = settings;
  if (typeof url !== "string" || !URL.canParse(url)) {
    return broken(about, "url is missing or invalid", "Set it, for example: ws://127.0.0.1:18790");
  }
  const secret = readSecret(runtime, "tokenEnv");
  if (secret.state === "missing") return secret.finding;
  try {
    const answer = await tryGateway(url, secret.value);
    if (answer["ok"] === true) return ok(about, `${shownUrl(url)} ${versionIn(answer)}`);
    const { error } = answer;
    const why = isRecord(error) ? String(error["message"]) : "it gave no reason";
    const advice =
      secret.value === undefined
        ? "Put the token into an environment variable and name that in tokenEnv."
        : `Put the right token into ${String(settings["tokenEnv"])}.`;
    return broken(about, `${shownUrl(url)} rejected the connection: ${why}`, advice);
  } catch (cause) {
    return broken(
      about,
      `${shownUrl(url)} does not answer: ${withoutUrl(messageOf(cause), url)}`,
      "Check the address, and that the gateway is running.",
    );
  }
}

/** Its answer to a connect, made as probes are: nothing is left of it there. */
function tryGateway(url: string, token: string | undefined): Promise<Frame> {
  const socket = new WebSocket(url);
  const { promise, resolve, reject } = Promise.withResolvers<Frame>();
  const fail = (why: string): void => reject(new CliError(why));
  const timer = setTimeout(() => fail(`no answer within ${TIMEOUT_MS / 1_000} s`), TIMEOUT_MS);
  socket.addEventListener("error", () => fail("could not connect"));
  socket.addEventListener("close", ({ reason }) =>
    fail(reason === "" ? "it closed the connection" : reason),
  );
  socket.addEventListener("message", ({ data }) => {
    const frame = readFrame(data);
    if (frame["event"] === "connect.challenge") socket.send(JSON.stringify(connect(token)));
    else if (frame["type"] === "res") resolve(frame);
    else if (frame["type"] !== "event") fail("it is not a gateway");
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}

function connect(token: string | undefined): Frame {
  const params = {
    minProtocol: 3,
    maxProtocol: 4,
    client: { id: "cli", version: ownVersion(), platform: process.platform, mode: "probe" },
    role: "operator",
    scopes: ["operator.read"],
    ...(token !== undefined && { auth: { token } }),
  };
  return { type: "req", id: "1", method: "connect", params };
}

function readFrame(data: unknown): Frame {
  try {
    const frame: unknown = JSON.parse(String(data));
    return isRecord(frame) ? frame : {};
  } catch {
    return {};
  }
}

function versionIn({ payload }: Frame): string {
  const server = isRecord(payload) ? payload["server"] : undefined;
  return isRecord(server) ? `version ${String(server["version"])}` : "";
}
