/**
 * Which files are shown at which address. An address cannot be guessed, and the same files always have the
 * same one. Only those that someone was given in this life of the server are answered.
 */
import { createHmac } from "node:crypto";

/** The files of one tree, from a folder of it on. */
export interface PreviewSite {
  readonly repositoryId: string;
  readonly tree: string;
  /** "" is the root. */
  readonly folder: string;
}

export interface PreviewSites {
  /** The name in its address: fit for a host name and for a path. */
  nameOf(site: PreviewSite): string;
  find(name: string): PreviewSite | undefined;
}

const MAX_SITES = 2_000;
const NAME_CHARACTERS = 32;

export function createPreviewSites(secret: () => string): PreviewSites {
  const sites = new Map<string, PreviewSite>();
  return {
    nameOf(site) {
      const { repositoryId, tree, folder } = site;
      const mac = createHmac("sha256", secret());
      const about = JSON.stringify([repositoryId, tree, folder]);
      const name = mac.update(about).digest("hex").slice(0, NAME_CHARACTERS);
      sites.delete(name);
      sites.set(name, { repositoryId, tree, folder });
      const [oldest] = sites.keys();
      if (sites.size > MAX_SITES && oldest !== undefined) sites.delete(oldest);
      return name;
    },
    find: (name) => sites.get(name),
  };
}
