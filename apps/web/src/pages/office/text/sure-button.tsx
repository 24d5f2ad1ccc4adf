/** What cannot be taken back asks once more; whoever turns to something else, presses Escape or waits has not said yes. */
import { useEffect, useState, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "../../../ui/controls.tsx";

const ARMED_MS = 6_000;

export interface SureButtonProps {
  readonly label: string;
  readonly sureLabel: string;
  readonly isDisabled: boolean;
  readonly isSmall?: boolean;
  readonly onSure: () => void;
}

export function SureButton(props: SureButtonProps): ReactNode {
  const { label, sureLabel, isDisabled, isSmall = false, onSure } = props;
  const [isArmed, setIsArmed] = useState(false);
  useEffect(() => {
    if (!isArmed) return undefined;
    const timer = setTimeout(() => setIsArmed(false), ARMED_MS);
    return () => clearTimeout(timer);
  }, [isArmed]);
  const press = (): void => {
    setIsArmed(!isArmed);
    if (isArmed) onSure();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !isArmed) return;
    // Takes back the question only; what is around it stays open.
    event.preventDefault();
    setIsArmed(false);
  };
  return (
    <Button
      look={isSmall ? "small danger" : "danger"}
      disabled={isDisabled}
      onClick={press}
      onBlur={() => setIsArmed(false)}
      onKeyDown={onKeyDown}
    >
      {isArmed ? sureLabel : label}
    </Button>
  );
}
