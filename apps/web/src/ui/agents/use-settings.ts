/** The server's settings as a card shows them, and their change. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { createFetchJson, type JsonResponse } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import { createSettingsHttp, type SettingsView, type SettingsHttp } from "./settings-http.ts";

export interface SettingsState {
  readonly http: SettingsHttp;
  /** Undefined until they are there. */
  readonly settings: JsonResponse<SettingsView> | undefined;
  /** Resolves with why not; undefined when it is so. */
  readonly change: (patch: object, unitePaths?: readonly string[]) => Promise<string | undefined>;
  readonly reload: () => void;
}

export function useSettings(): SettingsState {
  const http = useMemo(() => createSettingsHttp(createFetchJson(fetchOwn)), []);
  const [settings, setSettings] = useState<JsonResponse<SettingsView>>();
  const reload = useCallback(() => void http.read().then(setSettings), [http]);
  useEffect(reload, [reload]);
  const change = useCallback(
    async (patch: object, unitePaths?: readonly string[]): Promise<string | undefined> => {
      const answer = await http.patch(patch, unitePaths);
      if (!answer.ok) return answer.message;
      setSettings({ ok: true, value: answer.value.settings });
      return undefined;
    },
    [http],
  );
  return { http, settings, change, reload };
}
