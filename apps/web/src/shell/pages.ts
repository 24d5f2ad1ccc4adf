/** Every page by its name, each in a file of its own that is loaded when one goes there. */
import { lazy, type ComponentType } from "react";
import type { PageName } from "../app/route.ts";

export const PAGES: { readonly [Name in PageName]: ComponentType } = {
  office: lazy(async () => ({
    default: (await import("../pages/office/office-page.tsx")).OfficePage,
  })),
  builds: lazy(async () => ({
    default: (await import("../pages/builds/builds-page.tsx")).BuildsPage,
  })),
  chat: lazy(async () => ({ default: (await import("../pages/chat/chat-page.tsx")).ChatPage })),
  signals: lazy(async () => ({
    default: (await import("../pages/signals/signals-page.tsx")).SignalsPage,
  })),
  settings: lazy(async () => ({
    default: (await import("../pages/settings/settings-page.tsx")).SettingsPage,
  })),
};
