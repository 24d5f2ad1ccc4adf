/** A command of a task: what it prints while it runs, what came of it, and all of its output on demand. */
import { useState, type ReactNode } from "react";
import { useApp, useAppearance, useOffice, useTexts } from "../../../app/app.ts";
import { openFile } from "../../../app/server/open-file.ts";
import { Button } from "../../../ui/controls.tsx";
import { sizeText } from "../../../ui/files/attached-files.ts";
import { TerminalView } from "../../../ui/terminal/terminal-view.tsx";
import type { Terminal } from "../../../world/terminals.ts";
import { outputPath } from "../../../world/world-http.ts";
import { stateOf, type ToolCall } from "./tool-calls.ts";

export interface CallTerminalProps {
  readonly call: ToolCall;
  readonly terminal: Terminal | undefined;
}

export function CallTerminal({ call, terminal }: CallTerminalProps): ReactNode {
  const isPast = useOffice(({ past }) => past !== null);
  const [whole, setWhole] = useState<string>();
  const { command, result } = call;
  // What a command printed by some moment of the past is known once it was over.
  const live = isPast ? undefined : terminal;
  const text = whole ?? result?.text ?? live?.text ?? "";
  const isCut = whole === undefined && (result?.isCut ?? live?.isCut ?? false);
  return (
    <TerminalView command={command} text={text} state={stateOf(call)} isCut={isCut}>
      {result?.outputBytes !== undefined && (
        <WholeOutput call={call} bytes={result.outputBytes} {...{ whole, onWhole: setWhole }} />
      )}
    </TerminalView>
  );
}

interface WholeOutputProps {
  readonly call: ToolCall;
  readonly bytes: number;
  readonly whole: string | undefined;
  readonly onWhole: (text: string) => void;
}

function WholeOutput({ call, bytes, whole, onWhole }: WholeOutputProps): ReactNode {
  const { workshop: words } = useTexts();
  const { language } = useAppearance();
  const { http, notices } = useApp();
  const { runId, callId } = call;
  const read = async (): Promise<void> => {
    const text = await http.readOutput(runId, callId);
    if (text === null) notices.say(words.terminalGone, "refused");
    else onWhole(text);
  };
  return (
    <>
      {whole === undefined && (
        <Button look="small" onClick={() => void read()}>
          {words.terminalWhole(sizeText(bytes, language))}
        </Button>
      )}
      <a
        className="button is-small"
        href={outputPath(runId, callId)}
        download={`${callId}.txt`}
        onClick={openFile}
      >
        {words.download}
      </a>
    </>
  );
}
