/** Which programs' sessions are shown by reading the files that the programs keep. */
import { useState, type ReactNode } from "react";
import { useApp, useTexts } from "../../../app/app.ts";
import { sightingsIn, type SettingsView } from "../../../ui/agents/settings-http.ts";
import type { SettingsState } from "../../../ui/agents/use-settings.ts";

interface SightedProgramsProps extends Pick<SettingsState, "change"> {
  readonly settings: SettingsView;
}

interface SightedProgram {
  readonly id: string;
  readonly name: string;
  readonly files: string;
}

const PROGRAMS: readonly SightedProgram[] = [
  { id: "claude-code", name: "Claude Code", files: "~/.claude/sessions, ~/.claude/projects" },
  { id: "codex", name: "Codex", files: "~/.codex/sessions" },
  { id: "copilot", name: "Copilot CLI", files: "~/.copilot/session-state" },
  { id: "qwen", name: "Qwen Code", files: "~/.qwen/sessions, ~/.qwen/projects" },
  { id: "gemini", name: "Gemini CLI", files: "~/.gemini/tmp, ~/.gemini/projects.json" },
  { id: "opencode", name: "opencode", files: "~/.local/share/opencode/opencode.db" },
  { id: "cline", name: "Cline", files: "~/.cline/data/sessions" },
];

export function SightedPrograms({ settings, change }: SightedProgramsProps): ReactNode {
  const { sightings: words } = useTexts().joined;
  const { notices } = useApp();
  const [problem, setProblem] = useState<string>();
  const isOn = sightingsIn(settings);
  const set = async ({ id, name }: SightedProgram, isWanted: boolean): Promise<void> => {
    const why = await change({ sightings: { [id]: isWanted } });
    setProblem(why);
    if (why === undefined) notices.say(isWanted ? words.on(name) : words.off(name));
  };
  return (
    <fieldset className="crew-sightings">
      <legend>{words.title}</legend>
      <p className="hint">{words.text}</p>
      <ul className="plain-list">
        {PROGRAMS.map((program) => (
          <li key={program.id}>
            <label className="crew-sighting">
              <input
                type="checkbox"
                checked={isOn.get(program.id) === true}
                onChange={({ target }) => void set(program, target.checked)}
              />
              <span>
                {program.name}
                <small className="hint">{words.reads(program.files)}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p className="hint" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
