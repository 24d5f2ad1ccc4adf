/** Sessions of Qwen Code, Copilot CLI and Gemini CLI, by the script of their hooks, with what each reports. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { decision, joinedAgent, joinedIn } from "../../kit/joined-office.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const skip = skipWithout("curl");

const QWEN_TOOL = {
  tool_name: "run_shell_command",
  tool_input: { command: "touch tide.txt", description: "mk", is_background: false },
};
const COPILOT_REQUEST = {
  hookName: "permissionRequest",
  sessionId: "26f07f03-0193-4ab1-8989-3a62caec5a6b",
  toolName: "bash",
  toolInput: { command: "touch tide.txt" },
  permissionSuggestions: [],
  hook_event_name: undefined,
  session_id: undefined,
};
const isOpen = ({ status, prompt }: { status: string; prompt: string }): boolean =>
  status === "open" && prompt.includes("touch tide.txt");

test(
  "[JOIN-8] Qwen Code and Copilot are asked in their terminal only; with their users' word, here",
  { skip },
  async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    await using qwen = await openHookedSession({ home: atrium.home, program: "qwen" });
    assert.equal(await qwen.hook("PermissionRequest", QWEN_TOOL), "");
    const asking = await joinedAgent(peer, ({ status }) => status === "asks");
    assert.equal(asking.name, "Qwen Code · shop");
    assert.deepEqual(asking.joined.answer_places, ["terminal"]);
    await qwen.hook("SessionEnd");
    await using here = await openHookedSession({
      home: atrium.home,
      program: "qwen",
      asksHere: true,
    });
    const asked = here.start("PermissionRequest", QWEN_TOOL);
    const one = await decision(peer, isOpen);
    await joinedAgent(peer, ({ joined }) => joined.answer_places.join() === "office");
    await peer.ask("resolve_decision", { decision_id: one.decision_id, choice: "Allow" });
    assert.deepEqual(JSON.parse(await asked.output), {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "allow" },
      },
    });
    await using copilot = await openHookedSession({
      home: atrium.home,
      program: "copilot",
      asksHere: true,
    });
    await copilot.hook("SessionStart", { source: "new" });
    const denied = copilot.start("PermissionRequest", COPILOT_REQUEST);
    const other = await decision(
      peer,
      (each) => isOpen(each) && each.decision_id !== one.decision_id,
    );
    const came = await joinedAgent(peer, ({ name }) => name === "Copilot CLI · shop");
    assert.equal(other.agent_id, came.agent_id);
    await peer.ask("resolve_decision", { decision_id: other.decision_id, choice: "Deny" });
    const verdict = JSON.parse(await denied.output);
    assert.equal(verdict.behavior, "deny");
    assert.match(verdict.message, /A person denied this in Atrium/);
    assert.deepEqual(atrium.faults, []);
  },
);

test("[JOIN-8] one that is asked here does not speak for another program", { skip }, async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  // The hook's script says which programs are asked here: this one is not among them.
  const chosen = { home: atrium.home, program: "copilot", asksHere: false } as const;
  await using copilot = await openHookedSession(chosen);
  assert.equal(await copilot.hook("PermissionRequest", COPILOT_REQUEST), "");
  // Its hook is called for what nobody is asked about, too.
  await joinedAgent(peer, ({ joined }) => joined.doing === undefined);
  const everSeen = peer.messages.flatMap((message) => joinedIn(message));
  assert.ok(everSeen.every(({ status }) => status === "idle"));
  await copilot.hook("Notification", { notification_type: "permission_prompt", message: "Run?" });
  await joinedAgent(peer, ({ status }) => status === "asks");
});

test(
  "[JOIN-30] Gemini asks in its terminal, and takes a message at the end of its turn",
  { skip },
  async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    await using gemini = await openHookedSession({
      home: atrium.home,
      program: "gemini",
      asksHere: true,
    });
    assert.equal(await gemini.hook("SessionStart", { source: "startup" }), "");
    const came = await joinedAgent(peer, () => true);
    assert.equal(came.name, "Gemini CLI · shop");
    assert.deepEqual(came.joined.answer_places, ["terminal"]);
    assert.equal(came.joined.can_ask, false);
    await gemini.hook("BeforeAgent", { prompt: "Note the tide" });
    await gemini.hook("BeforeTool", QWEN_TOOL);
    await joinedAgent(peer, ({ joined }) => joined.doing === "run_shell_command: touch tide.txt");
    await gemini.hook("Notification", { notification_type: "ToolPermission", message: "Confirm" });
    await joinedAgent(peer, ({ status }) => status === "asks");
    assert.equal(await gemini.hook("AfterTool", { ...QWEN_TOOL, tool_response: {} }), "");
    const { agent_id } = came;
    await peer.ask("leave_message", { agent_id, text: "Mind the tides." });
    assert.deepEqual(JSON.parse(await gemini.hook("AfterAgent", { prompt_response: "Done." })), {
      decision: "block",
      reason: "tester left a message in Atrium: Mind the tides.",
    });
    await joinedAgent(peer, ({ joined }) => joined.messages?.[0]?.moment === "turn-end");
    await gemini.hook("AfterAgent", { prompt_response: "Noted." });
    await joinedAgent(
      peer,
      ({ joined, status }) => joined.messages?.length === 1 && status === "idle",
    );
  },
);
