/** The crew of the tides: a model that plans, writes, fails a check, answers comments and builds a page. */
import type { Behavior } from "../../test/kit/model-server/behavior.ts";
import {
  openModelServer,
  type ModelRequest,
  type ModelServer,
} from "../../test/kit/model-server/model-server.ts";
import {
  COMMAND_LINE,
  FIND_STATION,
  FIRST_TIDES,
  GUIDE,
  PAGE,
  PAGE_STYLE,
  TIDES_TEST,
} from "./tide-files.ts";

type Call = readonly [name: string, input: object];

interface Turn {
  readonly calls: readonly Call[];
  readonly answer: string;
}

const USAGE = { inputTokens: 2_400, outputTokens: 310 };

const PLAN = {
  title: "Tide tables",
  summary:
    "High and low water of a day first; then a page and a command that show them, and a guide.",
  tasks: [
    {
      title: "High and low water of a day",
      description: "A function that lists them for a station, in order, with tests.",
      role: "engineer",
      accept: ["Later at stations further east", "A day without a tide is an empty list"],
      verify: ["node --test test/tides.test.js"],
    },
    {
      title: "A page for tonight",
      description: "One page without scripts that shows tonight's tides, and Hörnum as a station.",
      role: "designer",
      accept: ["Readable on a phone", "Hörnum can be looked up"],
    },
    {
      title: "Tides on the command line",
      description: "Prints high and low water of a day for a station.",
      role: "engineer",
      after: [1],
      accept: ["Times are written as 07:05"],
    },
    {
      title: "Compare sources of tide data",
      description: "Which of the public tables may be shipped, and how good they are.",
      role: "researcher",
      kind: "document",
      accept: ["Names the licence of each"],
    },
    {
      title: "A guide in one page",
      description: "How to read the page and use the command.",
      role: "writer",
      after: [2, 3],
      accept: ["Every command in it was tried"],
    },
  ],
};

const STATION = (delay: number): string => `  { name: "Hörnum", delay: ${delay}, range: 2.0 },\n`;
const LOOKS_UP = "STATIONS.find((station) => station.name === name)";
const write = (path: string, content: string): Call => ["write", { path, content }];
const read = (path: string): Call => ["read", { path }];
const edit = (path: string, old: string, by: string): Call => ["edit", { path, old, new: by }];
const run = (command: string): Call => ["run", { command }];

const FIRST: Readonly<Record<string, Turn>> = {
  "High and low water of a day": {
    calls: [
      read("src/tides.js"),
      write("src/tides.js", FIRST_TIDES),
      write("test/tides.test.js", TIDES_TEST),
      run("node --test"),
      edit("src/tides.js", "minutes + delay", "minutes - delay"),
      run("node --test"),
    ],
    answer: "High and low water are listed in order. The delay of a station had the wrong sign.",
  },
  "A page for tonight": {
    calls: [
      write("index.html", PAGE),
      write("page.css", PAGE_STYLE),
      read("src/stations.js"),
      edit("src/stations.js", "];\n", `${STATION(60)}];\n`),
    ],
    answer: "The page is there, and Hörnum is a station.",
  },
  "Tides on the command line": {
    calls: [write("src/cli.js", COMMAND_LINE), run("node src/cli.js Cuxhaven 60")],
    answer: "It prints the tides of a day.",
  },
  "A guide in one page": {
    calls: [write("docs/guide.md", GUIDE)],
    answer: "The guide names both ways.",
  },
};

const AFTER_CHECKS: Turn = {
  calls: [read("src/stations.js"), edit("src/stations.js", STATION(60), STATION(90))],
  answer: "Hörnum is later now. I do not know by how much exactly.",
};

/** What comments ask for; each is answered. */
function afterComments(title: string, commentId: string): Turn {
  const answers = (text: string): Call => ["answer_comment", { commentId, text }];
  if (title === "A page for tonight") {
    return {
      calls: [
        read("src/stations.js"),
        edit("src/stations.js", STATION(90), STATION(185)),
        answers("It is 185 now."),
      ],
      answer: "Hörnum comes after Cuxhaven.",
    };
  }
  return {
    calls: [
      read("src/tides.js"),
      ["edit", { path: "src/tides.js", old: LOOKS_UP, new: "stationOf(name)", all: true }],
      edit("src/tides.js", "/** The height", `${FIND_STATION}\n/** The height`),
      run("node --test"),
      answers("Both go through stationOf now, which refuses a name it does not know."),
    ],
    answer: "Unknown stations are refused by name.",
  };
}

const STEPS = ["build_record", "parse", "research", "design", "assemble", "validate", "finalize"];
const event = (type: string, payload: object): string =>
  `${JSON.stringify({ type, payload: { ...payload, source: "agent" } })}\n`;
const BUILD: Turn = {
  calls: [write("index.html", PAGE), write("page.css", PAGE_STYLE)],
  answer: [
    event("status.changed", { status: "running" }),
    ...STEPS.flatMap((step_id) => [
      event("progress.step.started", { step_id }),
      ...(step_id === "design"
        ? [event("assistant.message.created", { text: "One page, no scripts: it loads at sea." })]
        : []),
      event("progress.step.completed", { step_id }),
    ]),
    event("status.changed", { status: "complete", output: "A page with tonight's tides." }),
    event("session.completed", {}),
  ].join(""),
};

export interface TideCrew extends AsyncDisposable {
  readonly baseUrl: string;
  /** Whoever is held up by a long command gets to its end. */
  release(): void;
}

export async function openTideCrew(): Promise<TideCrew> {
  let isHeld = true;
  const decide = ({ body }: ModelRequest): Behavior => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the server of this story sends
    const { messages } = body as { readonly messages: readonly { readonly role: string }[] };
    const at = messages.findLastIndex(({ role }) => role === "user");
    const text = JSON.stringify(messages[at]);
    const results = messages.slice(at).filter(({ role }) => role === "tool");
    if (text.includes("Compare sources of tide data") && /Task 4 of/.test(text)) {
      // The same command again and again would be asked of a person.
      if (isHeld) return act(run(`echo Comparing table ${results.length + 1}; sleep 15`));
      return say(
        "# Sources of tide data\n\nThe tables of the BSH are the best, and may be shipped.",
      );
    }
    const { calls, answer } = turnOf(text);
    const next = calls[results.length];
    return next === undefined ? say(answer) : act(next);
  };
  const model: ModelServer = await openModelServer(decide);
  return {
    baseUrl: model.baseUrl,
    release: () => void (isHeld = false),
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

const act = ([name, input]: Call): Behavior => {
  return { type: "answer", toolCalls: [{ name, input }], usage: USAGE };
};
const say = (text: string): Behavior => ({ type: "answer", chunks: [text], usage: USAGE });

function turnOf(text: string): Turn {
  if (text.includes("Plan this for the team")) return { calls: [], answer: JSON.stringify(PLAN) };
  if (text.includes("BUILD_REQUEST")) return BUILD;
  const [, title = ""] = /Task \d of \d: (.*?)\\n/.exec(text) ?? [];
  const [commentId] = /cmt_\w+/.exec(text) ?? [];
  if (commentId !== undefined) return afterComments(title, commentId);
  if (text.includes("did not pass its checks")) return AFTER_CHECKS;
  return FIRST[title] ?? { calls: [], answer: "Good morning." };
}
