/** A plain label: a name, what it does, whose it is, and a tone. Pages with words of their own bring their own factory. */
import type { Figure } from "../people/figures.ts";
import type { Label } from "./labels.ts";
import { signatureOf } from "./signature.ts";
import { toneOf } from "./tone.ts";

export function createPlainLabel(
  agentId: string,
  say: (figure: Figure) => string,
  onPress: (agentId: string) => void,
): Label {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "office-label";
  button.dataset["agent"] = agentId;
  const name = document.createElement("span");
  const line = document.createElement("small");
  const below = document.createElement("small");
  below.className = "office-label-signature";
  for (const each of [name, line, below]) each.dir = "auto";
  button.append(name, line);
  button.addEventListener("click", () => onPress(agentId));
  return {
    element: button,
    update(figure) {
      const does = say(figure);
      const signature = signatureOf(figure.agent);
      const tone = toneOf(figure);
      const before = button.dataset["tone"];
      const isSameText =
        name.textContent === figure.agent.name &&
        line.textContent === does &&
        below.textContent === signature;
      if (isSameText && before === tone) return false;
      name.textContent = figure.agent.name;
      line.textContent = does;
      below.textContent = signature;
      if (signature === "") below.remove();
      else button.append(below);
      button.dataset["tone"] = tone;
      const whole = signature === "" ? does : `${does}, ${signature}`;
      button.setAttribute("aria-label", `${figure.agent.name}: ${whole}`);
      button.title = `${figure.agent.name}: ${whole}`;
      // The dot before the name is not there in every tone.
      return !isSameText || tone === "asks" || before === "asks";
    },
  };
}
