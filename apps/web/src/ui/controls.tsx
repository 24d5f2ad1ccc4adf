/** The small parts of every page: buttons, a chip, a field with its label, a title, and something as raw JSON. */
import type { ComponentProps, ReactNode } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  /** As in controls.css, without the `is-`: "primary", "small quiet". */
  readonly look?: string;
}

/** Presses, unless it says that it submits. */
export function Button({ look = "", ...others }: ButtonProps): ReactNode {
  const looks = look === "" ? [] : look.split(" ").map((each) => `is-${each}`);
  return <button type="button" className={["button", ...looks].join(" ")} {...others} />;
}

interface IconButtonProps extends ComponentProps<"button"> {
  readonly label: string;
}

/** Shows a sign and says what it does. */
export function IconButton({ label, ...others }: IconButtonProps): ReactNode {
  return <button type="button" className="icon-button" aria-label={label} {...others} />;
}

export type ChipTone = "asks" | "good" | "bad" | undefined;

interface ChipProps extends ComponentProps<"span"> {
  readonly tone?: ChipTone;
}

export function Chip({ tone, ...others }: ChipProps): ReactNode {
  return <span className="chip" data-tone={tone} {...others} />;
}

interface FieldProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

export function Field({ label, children }: FieldProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** Of what stands open in a panel, in the words of whoever named it. */
export function DetailTitle({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <h3 className="detail-title" dir="auto">
      {children}
    </h3>
  );
}

export function RawJson({ value }: { readonly value: unknown }): ReactNode {
  return (
    <pre className="raw" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
