/** Which browsers are signed in: to be let in, named, and put out one by one; and the way out for this one. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { useState, type ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn, pageSecret } from "../../app/server/own-server.ts";
import { Button } from "../../ui/controls.tsx";
import { useGatewayList } from "./use-gateway-list.ts";

type Login = CallResult<"logins.list">["logins"][number];

/** As the page that waits shows it. */
const SHORT_ID = 12;

async function readLogins(client: GatewayClient): Promise<readonly Login[]> {
  const { logins } = await client.call("logins.list", {});
  // Who waits to be let in stands above the others.
  return logins.toSorted((one, other) => Number(other.isWaiting) - Number(one.isWaiting));
}

export function BrowserLogins(): ReactNode {
  const words = useTexts().settings;
  const { rows: logins, act } = useGatewayList(readLogins);
  if (logins === undefined) return null;
  const rowOf = (login: Login): ReactNode => {
    const { id, isWaiting, isCurrent } = login;
    const revoke = (): void => void act((client) => client.call("logins.revoke", { id }));
    const approve = (): void => void act((client) => client.call("logins.approve", { id }));
    const rename = (name: string): void =>
      void act((client) => client.call("logins.rename", { id, name }));
    return isWaiting ? (
      <WaitingRow key={id} login={login} onApprove={approve} onReject={revoke} />
    ) : (
      <LoginRow
        key={id}
        login={login}
        onRename={rename}
        onRevoke={isCurrent ? () => void signOut() : revoke}
      />
    );
  };
  return (
    <section className="settings-card">
      <h2>{words.loginsTitle}</h2>
      <p className="hint">{logins.length === 0 ? words.loginsNone : words.loginsText}</p>
      <ul className="plain-list">{logins.map(rowOf)}</ul>
    </section>
  );
}

interface WaitingRowProps {
  readonly login: Login;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

function WaitingRow({ login, onApprove, onReject }: WaitingRowProps): ReactNode {
  const words = useTexts().settings;
  const { language } = useAppearance();
  const { id, name, address, createdAtMs, userAgent } = login;
  const since = new Date(createdAtMs).toLocaleString(language);
  return (
    <li className="settings-login">
      <span className="stack is-tight">
        <strong>{name}</strong>
        <small className="hint" title={userAgent}>
          {words.loginWaits(address, since, id.slice(0, SHORT_ID))}
        </small>
      </span>
      <span className="row">
        <Button look="small primary" onClick={onApprove}>
          {words.loginApprove}
          <span className="visually-hidden"> {name}</span>
        </Button>
        <Button look="small" onClick={onReject}>
          {words.loginReject}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </span>
    </li>
  );
}

interface LoginRowProps {
  readonly login: Login;
  readonly onRename: (name: string) => void;
  readonly onRevoke: () => void;
}

function LoginRow({ login, onRename, onRevoke }: LoginRowProps): ReactNode {
  const words = useTexts().settings;
  const { language } = useAppearance();
  const { name, address, createdAtMs, lastSeenAtMs, isCurrent, userAgent } = login;
  const [typed, setTyped] = useState(name);
  const timeOf = (at: number): string => new Date(at).toLocaleString(language);
  return (
    <li className="settings-login">
      <span className="stack is-tight">
        <label className="field">
          <span className="visually-hidden">{words.loginName(name)}</span>
          <input
            value={typed}
            maxLength={80}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => {
              if (typed.trim() === "") setTyped(name);
              else if (typed.trim() !== name) onRename(typed.trim());
            }}
          />
        </label>
        <small className="hint" title={userAgent}>
          {words.loginAbout(address, timeOf(createdAtMs), timeOf(lastSeenAtMs))}
        </small>
        {isCurrent && <small>{words.loginThis}</small>}
      </span>
      <Button look="small" onClick={onRevoke}>
        {isCurrent ? words.loginRevoke : words.loginRevoke}
        <span className="visually-hidden"> {name}</span>
      </Button>
    </li>
  );
}

async function signOut(): Promise<void> {
  await createFetchJson(fetchOwn)("POST", "/api/logout");
  pageSecret.keep(null);
  location.reload();
}
