/** The page: sign in, open the world, show the app. */
import { createWorldClient, type WorldClientInfo } from "@atrium/client";
import { StrictMode, useEffect, useState, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { AppContext, type App } from "./app/app.ts";
import { createNavigation } from "./app/navigation.ts";
import { createNotices } from "./app/notices.ts";
import { createPerson } from "./app/person.ts";
import { createPreferences, type PreferencesStore } from "./app/preferences.ts";
import { createFetchJson } from "./app/server/fetch-json.ts";
import { fetchOwn, OwnSocket, pageSecret } from "./app/server/own-server.ts";
import { browserSendSignal } from "./app/server/send-signal.ts";
import { askWhetherIn, signIn, logIn, tokenIn, type Admission } from "./app/server/sign-in.ts";
import { LoginPage } from "./shell/login-page.tsx";
import { Shell } from "./shell/shell.tsx";
import { createShownOffice } from "./world/shown-office.ts";
import { createTimeTravel } from "./world/time-travel.ts";
import { createViewerPlace } from "./world/viewer-place.ts";
import { WEB_CLIENT } from "./world/web-client.ts";
import { createWorldHttp } from "./world/world-http.ts";
import { createWorld } from "./world/world.ts";

/** The tools that are used, too. */
const CHANNELS = {
  events: true,
  snapshots: true,
  goals: true,
  chat: true,
  agent_stream: true,
  calls: true,
};

/** While it waits to be let in. */
const ASK_AGAIN_MS = 2_000;

const home = document.getElementById("atrium");
if (home !== null) {
  const preferences = createPreferences(localStorage);
  const admission = await signIn({ fetch: fetchOwn, secret: pageSecret, location, history });
  createRoot(home).render(
    <StrictMode>
      <SignInGate
        admission={admission}
        app={admission.type === "in" ? createApp(preferences) : null}
        preferences={preferences}
      />
    </StrictMode>,
  );
}

interface SignInGateProps {
  readonly admission: Admission;
  readonly app: App | null;
  readonly preferences: PreferencesStore;
}

function SignInGate({ admission: atFirst, app: opened, preferences }: SignInGateProps): ReactNode {
  const [admission, setAdmission] = useState(atFirst);
  const [app, setApp] = useState(opened);
  const onToken = async (token: string): Promise<void> => {
    const next = await logIn({ fetch: fetchOwn, secret: pageSecret }, token);
    setAdmission(next);
    if (next.type === "in") setApp(createApp(preferences));
  };
  const isWaiting = admission.type === "waiting";
  useEffect(() => {
    if (!isWaiting) return undefined;
    const ask = async (): Promise<void> => {
      const next = await askWhetherIn(fetchOwn);
      // A server that is away for a moment is asked again.
      if (next.type === "waiting" || next.type === "no-answer") return;
      clearInterval(timer);
      setAdmission(next);
      if (next.type === "in") setApp(createApp(preferences));
    };
    const timer = setInterval(() => void ask(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, preferences]);
  useEffect(() => {
    // The right link opened in the tab of a wrong one is no new page.
    const onLink = (): void => {
      if (tokenIn(location.hash) !== undefined) location.reload();
    };
    window.addEventListener("hashchange", onLink);
    return () => window.removeEventListener("hashchange", onLink);
  }, []);
  if (admission.type !== "in") {
    return (
      <LoginPage
        admission={admission}
        preferences={preferences}
        onToken={(token) => void onToken(token)}
      />
    );
  }
  return (
    <AppContext value={app}>
      <Shell />
    </AppContext>
  );
}

function createApp(preferences: PreferencesStore): App {
  const http = createWorldHttp(fetchOwn);
  const url = `${location.origin.replace(/^http/, "ws")}/ws/world`;
  const person = createPerson(localStorage);
  const info = (): WorldClientInfo => ({
    name: person.getState().name || WEB_CLIENT,
    platform: "web",
  });
  const client = createWorldClient({
    url,
    client: info(),
    channels: CHANNELS,
    deps: { WebSocket: OwnSocket },
  });
  person.subscribe(() => client.introduce(info()));
  const world = createWorld({ client, now, later, readBefore: (seq) => http.readBefore(seq) });
  const travel = createTimeTravel({
    readAt: (when) => http.readAt(when),
    moments: () => world.store.getState().timeline,
    now,
    later,
  });
  const navigation = createNavigation(window);
  const updatePlace = createViewerPlace({
    world: () => world.store.getState(),
    act: (command) => world.act(command),
    shown: () => navigation.store.getState().show,
    later,
  });
  world.store.subscribe(updatePlace);
  navigation.store.subscribe(updatePlace);
  world.connect();
  return {
    world,
    http,
    travel,
    shown: createShownOffice(world, travel),
    navigation,
    preferences,
    notices: createNotices(later),
    person,
    sendSignal: browserSendSignal(createFetchJson(fetchOwn), () => person.getState().name),
  };
}

function later(run: () => void, delayMs: number): void {
  setTimeout(run, delayMs);
}

function now(): number {
  return Date.now();
}
