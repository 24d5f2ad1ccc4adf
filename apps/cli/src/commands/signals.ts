/** `atrium signals`: send what other programs tell, and watch what happens. */
import { group } from "../command-line/command.ts";
import { hook } from "./signals/hook.ts";
import { install } from "./signals/install.ts";
import { pipe } from "./signals/pipe.ts";
import { tail } from "./signals/tail.ts";

export const signals = group("signals", [tail, pipe, hook, install]);
