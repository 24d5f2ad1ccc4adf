/** What agents made in projects, for people to look at. */
import { refuse, type Artifact, type ArtifactVersion } from "@atrium/core";
import type { Endpoint } from "../../../http/api.ts";
import { refusal } from "../../../http/problem.ts";
import { untrustedContent } from "../../../http/untrusted-content.ts";
import { artifactOnWire } from "../snapshots/snapshot.ts";
import type { WorldApiDeps } from "./world-api.ts";

export function createArtifactEndpoints({
  blobs,
  scenery: { projects },
}: Pick<WorldApiDeps, "blobs" | "scenery">): Record<"ofArtifact" | "ofVersion", Endpoint> {
  return {
    ofArtifact({ path: { id = "" } }) {
      const found = projects.ofArtifact(id);
      if (found === undefined) return refusal(refuse("artifact.missing", id));
      const { project, artifact } = found;
      const about = artifactOnWire(project.projectId, artifact);
      return Response.json({ ...about, versions: artifact.versions.map(versionOnWire) });
    },
    async ofVersion(request) {
      const { id = "", version = "" } = request.path;
      const artifact = projects.ofArtifact(id)?.artifact;
      const found = artifact && versionOf(artifact, version);
      if (found === undefined) return refusal(refuse("artifact.missing", `${id} ${version}`));
      return untrustedContent(request, found, blobs.get);
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
