/** Agents, what drives them, and what they may spend: read from the server, changed in its file. */
import type { GatewayClient } from "@atrium/client";
import { own } from "@atrium/wire";
import { useEffect, useState, type ReactNode } from "react";
import { useAppearance, useTexts } from "../../app/app.ts";
import { useGateway } from "../../app/use-gateway.ts";
import { dollarsOf } from "../../i18n/dollars.ts";
import type { Texts } from "../../i18n/texts.ts";
import { translateName } from "../../i18n/translate-name.ts";
import { readServerSettings, type ServerSettings, type ShownPrice } from "./server-settings.ts";

interface Shown extends ServerSettings {
  readonly file: string;
  readonly hasFile: boolean;
}

interface ServerSideProps {
  /** Of the settings as they are: another one, and they are read again. */
  readonly hash: string;
}

export function ServerSide({ hash }: ServerSideProps): ReactNode {
  const words = useTexts().settings;
  const { client, state } = useGateway();
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    if (client === undefined) return;
    readFrom(client).then(setShown, () => undefined);
  }, [client, hash]);
  const isGone = state.state === "waiting" || state.state === "failed";
  return (
    <section className="settings-card">
      <h2>{words.serverTitle}</h2>
      {shown === undefined ? (
        <p className="hint" role="status">
          {isGone ? words.gone : words.connecting}
        </p>
      ) : (
        <ServerTables shown={shown} />
      )}
    </section>
  );
}

async function readFrom(client: GatewayClient): Promise<Shown> {
  const [{ config, path: file, exists: hasFile }, { agents }] = await Promise.all([
    client.call("config.get", {}),
    client.call("agents.list", {}),
  ]);
  const models = new Map(agents.map(({ id, model }) => [id, model?.primary ?? ""]));
  return { ...readServerSettings(config, models), file, hasFile };
}

function ServerTables({ shown }: { readonly shown: Shown }): ReactNode {
  const { settings: words, roles } = useTexts();
  const { language } = useAppearance();
  const { agents, runtimes, budgets, file, hasFile } = shown;
  return (
    <>
      <p className="hint">{words.serverText(file, hasFile)}</p>
      <Table
        title={words.agentsTitle}
        heads={[
          words.agentName,
          words.agentRole,
          words.runtime,
          words.agentModel,
          words.agentPermissions,
        ]}
        rows={agents.map(({ name, role, runtime, model, permissions }) => [
          name,
          translateName(roles, role),
          runtime,
          model ?? "–",
          own(words.permissions, permissions) ?? (permissions || words.permissionsUsual),
        ])}
      />
      <Table
        title={words.runtimesTitle}
        heads={[
          words.runtimeName,
          words.runtimeType,
          words.runtimeAbout,
          words.runtimePrice,
          words.usedBy,
        ]}
        rows={runtimes.map(({ name, type, about, usedBy, price }) => [
          name,
          type,
          type === "rehearsal" ? words.rehearsal : about || "–",
          price === undefined ? "–" : priceText(price, words, language),
          usedBy.join(", ") || words.nobody,
        ])}
      />
      <h3>{words.budgetsTitle}</h3>
      <dl className="settings-budgets">
        {budgets.map(({ name, tokens, cost }) => (
          <div key={name}>
            <dt>{own(words.budgets, name) ?? name}</dt>
            <dd>{tokens === undefined ? words.noLimit : tokens.toLocaleString(language)}</dd>
            {cost !== undefined && <dd>{words.budgetCost(dollarsOf(cost, language))}</dd>}
          </div>
        ))}
      </dl>
      <p className="hint">{words.budgetText}</p>
    </>
  );
}

function priceText(price: ShownPrice, words: Texts["settings"], language: string): string {
  const { input, output, cachedInput } = price;
  const [read, written] = [dollarsOf(input, language), dollarsOf(output, language)];
  const text = words.price(read, written);
  return cachedInput === undefined
    ? text
    : `${text}, ${words.priceCached(dollarsOf(cachedInput, language))}`;
}

interface TableProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function Table({ title, heads, rows }: TableProps): ReactNode {
  return (
    <div className="settings-table" tabIndex={0} role="region" aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = "", ...others]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {others.map((cell, at) => (
                <td key={heads[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
