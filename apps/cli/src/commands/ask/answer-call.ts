/** How something that waits is put to people, what to type to answer it from anywhere, and what was typed. */
import type { WorldClient } from "@atrium/client";
import { permissionText } from "../build/permission-text.ts";
import type { OpenTurn } from "./open-turns.ts";

export type OwnAnswer =
  | { readonly ok: true; readonly send: (world: WorldClient) => Promise<unknown> }
  | { readonly ok: false; readonly problem: string };

const APPROVE = "approve";
const START = "start";

/** As it is asked in a terminal. */
export function questionOf(turn: OpenTurn): string {
  switch (turn.kind) {
    case "plan":
      return "Start these tasks?";
    case "review":
      return `Is ${turn.artifact.name} (version ${turn.artifact.version}) good?`;
    case "decision": {
      const { permission, prompt } = turn.decision;
      return permission === undefined ? prompt : permissionText(permission);
    }
  }
}

/** What can be chosen; what is not here is said in own words. */
export function optionsOf(turn: OpenTurn): readonly string[] {
  switch (turn.kind) {
    case "plan":
      return [START];
    case "review":
      return [APPROVE];
    case "decision":
      return turn.decision.options;
  }
}

/** What is said where there are no options, or beside them. */
export function hintOf(turn: OpenTurn): string | undefined {
  switch (turn.kind) {
    case "plan":
      return "or give them to agents yourself in the office";
    case "review":
      return "or say what should change";
    case "decision": {
      const { permission, questions = [] } = turn.decision;
      if (permission?.is_whole === false) {
        return "it is too long to show here; read all of it and allow it in the office";
      }
      return questions.length > 1 ? "one answer for each, separated by |" : undefined;
    }
  }
}

/** The command that answers it from anywhere, a script included. */
export function answerCall(turn: OpenTurn): string {
  const [first = "…"] = optionsOf(turn);
  return `atrium ask --answer ${turn.id} "${first}"`;
}

/** An option by its number or words, else own words where they are an answer. */
export function ownAnswer(turn: OpenTurn, words: string): OwnAnswer {
  const given = words.trim();
  const options = optionsOf(turn);
  const option =
    options.find((each) => each.toLowerCase() === given.toLowerCase()) ??
    (/^\d+$/.test(given) ? options[Number(given) - 1] : undefined);
  if (option === undefined && !takesOwnWords(turn, given)) {
    const choices = options.map((each, index) => `${index + 1} (${each})`).join(", ");
    return { ok: false, problem: `${given || "Nothing"} is no answer. Use one of: ${choices}` };
  }
  return { ok: true, send: (world) => send(world, turn, option ?? given) };
}

function takesOwnWords(turn: OpenTurn, words: string): boolean {
  switch (turn.kind) {
    case "plan":
      return false;
    case "review":
      return words !== "";
    case "decision": {
      const { options, allows_other: isOpen = false } = turn.decision;
      return words !== "" && (isOpen || options.length === 0);
    }
  }
}

function send(world: WorldClient, turn: OpenTurn, answer: string): Promise<unknown> {
  switch (turn.kind) {
    case "plan":
      return world.command("auto_assign", { project_id: turn.id });
    case "review": {
      const seen = { artifact_id: turn.id, expected_version: turn.artifact.version };
      return answer === APPROVE
        ? world.command("approve_artifact", seen)
        : world.command("request_changes", { ...seen, instructions: answer });
    }
    case "decision": {
      const { questions = [] } = turn.decision;
      const choice =
        questions.length > 1
          ? answer
              .split("|")
              .map((each) => each.trim())
              .join("\n")
          : answer;
      return world.command("resolve_decision", { decision_id: turn.id, choice });
    }
  }
}
