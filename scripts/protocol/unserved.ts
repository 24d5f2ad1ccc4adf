/** Which methods of our peer are not here: its published list without ours, whole families by one name. */
import { readFileSync } from "node:fs";
import { GATEWAY_METHODS } from "@atrium/wire/gateway";

export function unservedMethods(): readonly string[] {
  const served = new Set(GATEWAY_METHODS.map(({ name }) => name));
  const families = Map.groupBy(peerMethods(), (name) => name.split(".")[0] ?? name);
  return [...families].flatMap(([family, names]) => {
    const missing = names.filter((name) => !served.has(name));
    const isWhole = missing.length === names.length && names.length > 1;
    return isWhole ? [`${family}.*`] : missing;
  });
}

function peerMethods(): readonly string[] {
  const file = new URL(
    "../protocol.schema.json",
    import.meta.resolve("@openclaw/gateway-protocol"),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the peer publishes
  const document = JSON.parse(readFileSync(file, "utf8")) as { readonly methods: object };
  return Object.keys(document.methods).toSorted();
}
