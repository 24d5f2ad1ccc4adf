/** What was merged in a project, taken by a person: into their repository, as a file, or as a clone. */
import { DELIVERY_WAYS, type WorldProject } from "@atrium/wire/world";
import { useState, type ReactNode } from "react";
import { useAppearance, useCanAct, useTexts, useWorld } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { openFile } from "../../../app/server/open-file.ts";
import { translateName } from "../../../i18n/translate-name.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { CopyBlock } from "../../../ui/copy-block.tsx";
import { PreviewLink } from "../../../ui/workspace-files/preview-link.tsx";
import { personIn } from "../text/event-text.ts";
import { MergeTrouble } from "../text/merge-trouble.tsx";
import { commandsFor } from "./commands-for.ts";

type Way = (typeof DELIVERY_WAYS)[number];
/** As the server does it unless told otherwise: a project of its own becomes a folder. */
const OWN = "folder";
const FILES: ReadonlySet<string> = new Set(["patch", "bundle", "zip"]);

export function DeliverySection({ project }: { readonly project: WorldProject }): ReactNode {
  const { work: words } = useTexts();
  const { line, repository, deliveries = [] } = project;
  return (
    <section className="stack is-tight">
      <h4>{words.delivery}</h4>
      {repository !== undefined && <p className="hint">{words.deliverTo(repository)}</p>}
      <PreviewLink
        owner={`/api/projects/${encodeURIComponent(project.project_id)}`}
        version={`${line}`}
      />
      {deliveries.toReversed().map((delivery) => (
        <Delivered key={`${delivery.at} ${delivery.ref}`} delivery={delivery} />
      ))}
      {line === undefined ? (
        <p className="hint">{words.nothingMerged}</p>
      ) : (
        <>
          <Deliver project={project} />
          {repository === undefined ? <Clone project={project} /> : <Update project={project} />}
        </>
      )}
    </section>
  );
}

function Deliver({ project }: { readonly project: WorldProject }): ReactNode {
  const { work: words } = useTexts();
  const send = useSendCommand();
  const canAct = useCanAct();
  const { project_id, repository } = project;
  const isOwn = repository === undefined;
  const ways = DELIVERY_WAYS.filter((way) => !isOwn || FILES.has(way));
  const [way, setWay] = useState<Way | undefined>(isOwn ? undefined : "branch");
  const how = way ?? OWN;
  const [isSending, setIsSending] = useState(false);
  const press = async (): Promise<void> => {
    setIsSending(true);
    await send({
      name: "deliver_project",
      data: { project_id, ...(way !== undefined && { how: way }) },
    });
    setIsSending(false);
  };
  return (
    <>
      <Field label={words.deliverHow}>
        <select
          value={how}
          onChange={({ target }) => setWay(ways.find((each) => each === target.value))}
        >
          {isOwn && <option value={OWN}>{words.hows[OWN]}</option>}
          {ways.map((each) => (
            <option key={each} value={each}>
              {words.hows[each]}
            </option>
          ))}
        </select>
      </Field>
      <p className="hint">{words.howHints[how]}</p>
      <div className="row">
        <Button look="primary" disabled={!canAct || isSending} onClick={() => void press()}>
          {words.deliver}
        </Button>
      </div>
    </>
  );
}

interface DeliveredProps {
  readonly delivery: NonNullable<WorldProject["deliveries"]>[number];
}

function Delivered({ delivery }: DeliveredProps): ReactNode {
  const texts = useTexts();
  const { work: words } = texts;
  const { language } = useAppearance();
  const { how, ref, commit, by, at } = delivery;
  const { look, take, address } = commandsFor(delivery);
  const name = translateName(words.hows, how);
  const when = new Date(at).toLocaleString(language);
  return (
    <div className="delivered">
      <strong>{words.deliveredAs(name, personIn(by, texts) ?? by, when)}</strong>
      <code dir="ltr">
        {ref} · {commit.slice(0, 10)}
      </code>
      {look !== undefined && <CopyBlock label={words.lookAt} text={look} />}
      {take !== undefined && <CopyBlock label={words.takeIt} text={take} />}
      {address !== undefined && (
        <div className="row">
          {address.startsWith("/") ? (
            <a className="button is-small" href={address} download onClick={openFile}>
              {words.download}
            </a>
          ) : (
            <a className="button is-small" href={address} target="_blank" rel="noreferrer">
              {words.lookAt}
            </a>
          )}
        </div>
      )}
    </div>
  );
}

/** What became of the last time it was brought up to date. */
const UPDATES: ReadonlySet<string> = new Set(["update_requested", "line_updated", "update_failed"]);

function Update({ project }: { readonly project: WorldProject }): ReactNode {
  const { work: words } = useTexts();
  const last = useWorld(
    ({ timeline }) =>
      timeline.findLast(
        ({ event }) => event.project_id === project.project_id && UPDATES.has(event.name),
      )?.event,
  );
  const send = useSendCommand();
  const canAct = useCanAct();
  const { project_id, is_updating: isUpdating = false } = project;
  return (
    <div className="row">
      <Button
        look="small"
        disabled={!canAct || isUpdating}
        onClick={() => void send({ name: "update_project", data: { project_id } })}
      >
        {isUpdating ? words.isUpdating : words.update}
      </Button>
      <span className="hint">{words.updateText}</span>
      {last?.name === "line_updated" && <p role="status">{words.updated}</p>}
      {last?.name === "update_failed" && <MergeTrouble {...last} />}
    </div>
  );
}

function Clone({ project: { project_id } }: { readonly project: WorldProject }): ReactNode {
  const { work: words } = useTexts();
  return (
    <div className="stack is-tight">
      <span className="label">{words.clone}</span>
      <CopyBlock label={words.clone} text={`git clone ${location.origin}/git/${project_id}`} />
      <p className="hint">{words.cloneHint}</p>
    </div>
  );
}
