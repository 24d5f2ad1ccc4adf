/** Every page by its name, each in a file of its own that is loaded when one goes there. */
import { lazy, type ComponentType } from "react";
import type { PageName } from "./route.ts";

export const PAGES: { readonly [Name in PageName]?: ComponentType } = {
  office: lazy(async () => ({
    default: (await import("../pages/office/office-page.tsx")).OfficePage,
  })),
};
