/**
 * What agents made, for people to look at. It is theirs, not ours: a browser must neither run it nor take
 * it for a page of this server, so all but plain text is a download, and all is locked up.
 */
import type { Artifact, ArtifactVersion, Projects } from "@atrium/core";
import type { Asked, Endpoint } from "../http-api.ts";
import { problem, refusal } from "../http-problems.ts";
import { artifactOnWire } from "./snapshot.ts";

export type ReadBlob = (digest: string) => Promise<Uint8Array>;

export interface ArtifactDeps {
  readonly blobs: { readonly get: ReadBlob };
  readonly scenery: { readonly projects: Projects };
}

/** Shown as plain text; whatever else is written in text may be run by whoever opens it. */
const SHOWN_AS_TEXT: ReadonlySet<string> = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "application/json",
]);

export function createArtifactEndpoints({ blobs, scenery }: ArtifactDeps): {
  readonly ofArtifact: Endpoint;
  readonly ofVersion: Endpoint;
} {
  const { projects } = scenery;
  return {
    ofArtifact({ path: { id = "" } }) {
      const found = projects.ofArtifact(id);
      if (found === undefined) return refusal({ ok: false, code: "artifact.missing", detail: id });
      const { project, artifact } = found;
      const about = artifactOnWire(project.projectId, artifact);
      return Response.json({ ...about, versions: artifact.versions.map(versionOnWire) });
    },
    async ofVersion(asked) {
      const { id = "", version = "" } = asked.path;
      const artifact = projects.ofArtifact(id)?.artifact;
      const found = artifact && versionOf(artifact, version);
      if (found === undefined) {
        return refusal({ ok: false, code: "artifact.missing", detail: `${id} ${version}` });
      }
      return contentOf(asked, found, blobs.get);
    },
  };
}

function versionOnWire({ version, name, mediaType, bytes, digest, at }: ArtifactVersion): object {
  return { version, name, media_type: mediaType, bytes, digest, created_at: at };
}

function versionOf({ versions }: Artifact, wanted: string): ArtifactVersion | undefined {
  return wanted === "latest"
    ? versions.at(-1)
    : versions.find(({ version }) => String(version) === wanted);
}

async function contentOf(
  { incoming }: Asked,
  { name, mediaType, digest }: ArtifactVersion,
  read: ReadBlob,
): Promise<Response> {
  const [type = ""] = mediaType.toLowerCase().split(";");
  const isText = SHOWN_AS_TEXT.has(type.trim());
  const etag = `"${digest}"`;
  const headers = {
    etag,
    // The same bytes for ever, but for those only who may ask.
    "cache-control": "private, max-age=31536000, immutable",
    "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
    "content-disposition": `${isText ? "inline" : "attachment"}; filename*=UTF-8''${encodeName(name)}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  const known = incoming.headers["if-none-match"];
  if (known?.split(",").some((tag) => tag.trim() === etag) === true) {
    return new Response(null, { status: 304, headers });
  }
  try {
    return new Response(new Uint8Array(await read(digest)), { headers });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      return problem(410, "artifact.missing", "Its content is no longer kept here.");
    }
    throw cause;
  }
}

function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, percentEncoded);
}

/** What `encodeURIComponent` leaves and a header may not have. */
function percentEncoded(sign: string): string {
  return `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`;
}
