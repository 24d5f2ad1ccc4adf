/** Every page by its name, each in a file of its own that is loaded when one goes there. */
import { lazy, type ComponentType } from "react";
import type { PageName } from "../app/route.ts";

const page = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));

export const PAGES: { readonly [Name in PageName]: ComponentType } = {
  office: page(async () => (await import("../pages/office/office-page.tsx")).OfficePage),
  builds: page(async () => (await import("../pages/builds/builds-page.tsx")).BuildsPage),
  chat: page(async () => (await import("../pages/chat/chat-page.tsx")).ChatPage),
  signals: page(async () => (await import("../pages/signals/signals-page.tsx")).SignalsPage),
  settings: page(async () => (await import("../pages/settings/settings-page.tsx")).SettingsPage),
};
