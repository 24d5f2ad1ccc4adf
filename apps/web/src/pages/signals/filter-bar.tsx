/** What is asked for: types, sources, agents, what belongs together. What has been seen is offered. */
import { WELL_KNOWN_TYPES } from "@atrium/wire/signal";
import { useEffect, useId, useMemo, useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { Button, Field } from "../../ui/controls.tsx";
import { FILTER_FIELDS, type Filter, type FilterField } from "./signal-filter.ts";
import { agentsIn, type SignalRow } from "./signal-rows.ts";

export interface FilterBarProps {
  readonly filter: Filter;
  readonly rows: readonly SignalRow[];
  readonly onChange: (filter: Filter) => void;
}

const MAX_OFFERED = 100;
/** So that a stream is not opened for every letter. */
const TYPING_MS = 350;

export function FilterBar({ filter, rows, onChange }: FilterBarProps): ReactNode {
  const words = useTexts().signals;
  const offered = useMemo(() => offersIn(rows), [rows]);
  const hasAny = FILTER_FIELDS.some((field) => filter[field] !== undefined);
  return (
    <search className="signals-filter">
      {FILTER_FIELDS.map((field) => (
        <FilterInput
          key={field}
          label={words.fields[field]}
          value={filter[field] ?? ""}
          offers={offered[field]}
          onChange={(value) => {
            const { [field]: _before, ...others } = filter;
            onChange(value === "" ? others : { ...others, [field]: value });
          }}
        />
      ))}
      <Button look="small" disabled={!hasAny} onClick={() => onChange({})}>
        {words.clear}
      </Button>
    </search>
  );
}

interface FilterInputProps {
  readonly label: string;
  readonly value: string;
  readonly offers: readonly string[];
  readonly onChange: (value: string) => void;
}

function FilterInput({ label, value, offers, onChange }: FilterInputProps): ReactNode {
  const listId = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Field label={label}>
      <input
        type="search"
        list={listId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <datalist id={listId}>
        {offers.map((offer) => (
          <option key={offer} value={offer} />
        ))}
      </datalist>
    </Field>
  );
}

function offersIn(rows: readonly SignalRow[]): Readonly<Record<FilterField, readonly string[]>> {
  const signals = rows.map(({ signal }) => signal);
  return {
    type: lastOf([...WELL_KNOWN_TYPES, ...signals.map(({ type }) => type)]),
    source: lastOf(signals.map(({ source }) => source)),
    agent: lastOf(signals.flatMap(agentsIn)),
    correlationId: lastOf(signals.map(({ correlationId }) => correlationId)),
  };
}

function lastOf(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))].slice(-MAX_OFFERED);
}
