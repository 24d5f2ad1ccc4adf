/**
 * How a line leaves the store, which is always a person's act: as a ref of the repository that was attached,
 * never forced, or as a file. Nothing else of the repository changes.
 */
import type { Outcome } from "@atrium/core";

export interface DeliveryRequest {
  /**
   * `branch`: a branch of this name. `fast-forward`: the branch that work started from, where that is safe.
   * `pull-request`: the branch, pushed, and a pull request by `gh`. `folder`: a clone of its own, which
   * needs no repository.
   */
  readonly how: "branch" | "fast-forward" | "pull-request" | "folder";
  /**
   * Of the branch, such as `atrium/login-page`; its last part is the folder's. A number is added where it
   * is taken.
   */
  readonly name: string;
  /** Of a pull request. */
  readonly title: string;
  readonly body: string;
}

export interface LineDelivery {
  readonly how: DeliveryRequest["how"];
  /** The branch, without `refs/heads/`, or the folder. */
  readonly ref: string;
  readonly commit: string;
  /** The folder, of the repository or of its own, or the address of the pull request. */
  readonly to: string;
}

export interface ExportRequest {
  /**
   * `patch`: for `git am` or `git apply`. `bundle`: for `git fetch`, and for `git clone` where the line has
   * the whole history. `zip`: the files.
   */
  readonly how: "patch" | "bundle" | "zip";
  /** Of the folder in a zip, and of the branch in a bundle. */
  readonly name: string;
}

/** A file that is there until it is disposed of. */
export interface ExportedFile extends AsyncDisposable {
  readonly path: string;
  readonly bytes: number;
  readonly mediaType: string;
  readonly commit: string;
}

export interface Deliveries {
  deliver(
    repositoryId: string,
    lineId: string,
    request: DeliveryRequest,
  ): Promise<Outcome<LineDelivery>>;
  exportLine(
    repositoryId: string,
    lineId: string,
    request: ExportRequest,
  ): Promise<Outcome<ExportedFile>>;
}
