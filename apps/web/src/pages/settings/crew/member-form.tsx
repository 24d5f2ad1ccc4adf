/** One member of the crew: its name, its role, what drives it, its desk and its look. */
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { useTexts } from "../../../app/app.ts";
import { PERMISSIONS } from "../../../ui/agents/agent-terms.ts";
import type { Member } from "../../../ui/agents/settings-http.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { Swatch } from "../../office/text/swatch.tsx";

export interface MemberPatch {
  readonly name: string;
  readonly role: string;
  readonly runtime?: string;
  readonly permissions?: string | null;
  readonly desk?: number | null;
  readonly look?: number | null;
}

interface MemberFormProps {
  /** Left out: someone new. */
  readonly member?: Member;
  readonly runtimes: readonly string[];
  readonly problem: string | undefined;
  readonly onSave: (patch: MemberPatch, id: string) => Promise<void>;
  readonly onRemove?: () => Promise<void>;
  readonly onCancel: () => void;
}

const DESKS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const LOOKS = 999;
const NEW: Fields = {
  name: "",
  role: "engineer",
  runtime: "",
  permissions: "",
  desk: undefined,
  look: undefined,
};

export function MemberForm(props: MemberFormProps): ReactNode {
  const { member, runtimes, problem, onSave, onRemove, onCancel } = props;
  const { agents: words } = useTexts();
  const hint = useId();
  const [id, setId] = useState("");
  const [fields, setFields] = useState<Fields>(member ?? NEW);
  const set = (changed: Partial<Fields>): void => setFields({ ...fields, ...changed });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void onSave(patchOf(fields, member), id);
  };
  return (
    <form className="crew-form" onSubmit={submit}>
      {member === undefined && (
        <div className="crew-wide">
          <Field label={words.id}>
            <input
              required
              dir="ltr"
              value={id}
              pattern="[a-z0-9_]+"
              maxLength={40}
              autoComplete="off"
              aria-describedby={hint}
              onChange={({ target }) => setId(target.value)}
            />
          </Field>
          <small id={hint} className="hint">
            {words.idHint}
          </small>
        </div>
      )}
      <MemberFields
        id={member?.id ?? `agent_${id}`}
        member={member}
        {...{ runtimes, fields, set }}
      />
      <p className="crew-wide connect-problem" role="alert" dir="auto">
        {problem}
      </p>
      <div className="row crew-wide">
        <Button type="submit" look="primary">
          {words.save}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
        {onRemove !== undefined && (
          <Button
            look="quiet danger"
            aria-label={words.removeOne(fields.name)}
            onClick={() => void onRemove()}
          >
            {words.remove}
          </Button>
        )}
      </div>
    </form>
  );
}

type Fields = Omit<Member, "id" | "handle" | "run">;

interface MemberFieldsProps {
  readonly id: string;
  readonly member: Member | undefined;
  readonly runtimes: readonly string[];
  readonly fields: Fields;
  readonly set: (changed: Partial<Fields>) => void;
}

function MemberFields({ id, member, runtimes, fields, set }: MemberFieldsProps): ReactNode {
  const { agents: words } = useTexts();
  const { name, role, runtime, permissions, desk, look } = fields;
  return (
    <>
      <Field label={words.name}>
        <input
          required
          dir="auto"
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <Field label={words.role}>
        <input
          required
          dir="auto"
          value={role}
          maxLength={80}
          autoComplete="off"
          onChange={({ target }) => set({ role: target.value })}
        />
      </Field>
      <Field label={words.runtime}>
        <select value={runtime} onChange={({ target }) => set({ runtime: target.value })}>
          {member === undefined && <option value="">{words.everyone}</option>}
          {runtimes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      <Field label={words.permissions}>
        <select value={permissions} onChange={({ target }) => set({ permissions: target.value })}>
          <option value="">{words.presetUsual}</option>
          {PERMISSIONS.map((each) => (
            <option key={each} value={each}>
              {words.presets[each]}
            </option>
          ))}
        </select>
      </Field>
      {member?.handle !== "main" && (
        <Field label={words.desk}>
          <select
            value={desk ?? ""}
            onChange={({ target }) => set({ desk: Number(target.value) || undefined })}
          >
            <option value="">{words.deskAny}</option>
            {DESKS.map((each) => (
              <option key={each} value={each}>
                {words.deskNumber(each)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <div className="crew-look">
        <Swatch agentId={id} look={look} />
        <Button
          look="small"
          aria-label={words.lookNext(name)}
          onClick={() => set({ look: ((look ?? 0) % LOOKS) + 1 })}
        >
          {words.look}
        </Button>
      </div>
    </>
  );
}

/** What is as it was stays unwritten; what is left out again is removed. */
function patchOf(fields: Fields, before: Member | undefined): MemberPatch {
  const { name, role, runtime, permissions, desk, look } = fields;
  return {
    name: name.trim(),
    role: role.trim(),
    ...(runtime !== "" && runtime !== before?.runtime && { runtime }),
    ...(permissions !== (before?.permissions ?? "") && { permissions: permissions || null }),
    ...(desk !== before?.desk && { desk: desk ?? null }),
    ...(look !== before?.look && { look: look ?? null }),
  };
}
