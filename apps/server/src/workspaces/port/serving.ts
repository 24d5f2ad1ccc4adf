/** How one commit leaves the store by way of a peer: as files, or as a repository that git can clone. */
import type { Outcome } from "@atrium/core";
import type { ExportedFile } from "./delivery.ts";

export interface FetchRequest {
  /** What a git sent to be answered; null: it wants to know first what there is. */
  readonly input: Buffer | null;
}

export interface Serving {
  /** A zip of the files of a commit. `name`: of the folder in it. */
  exportFiles(repositoryId: string, commit: string, name: string): Promise<Outcome<ExportedFile>>;
  /**
   * One answer of git's own protocol for fetching, as it is over HTTP. There is one branch, `main`, with this
   * commit; nothing that cannot be reached from it can be had. Whoever stops reading is given up.
   */
  serveFetch(
    repositoryId: string,
    commit: string,
    request: FetchRequest,
  ): Promise<Outcome<AsyncIterable<Buffer>>>;
}
