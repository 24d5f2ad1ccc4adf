import { Compile } from "@atrium/schema";
import { mayComeBack, readJson } from "@atrium/wire";
import { GATEWAY_METHODS } from "@atrium/wire/gateway";
import { createSignalReader } from "@atrium/wire/signal";

// One contract per method: scope, idempotency, params and result.
const { scope, idempotency, params } = GATEWAY_METHODS.find(({ name }) => name === "chat.send");
console.log(`chat.send: scope ${scope}, idempotency key ${idempotency}`);

// Every schema can check a value.
const check = Compile(params);
const message = { sessionKey: "main", message: "Hello", idempotencyKey: "k1" };
console.log("params:", check.Check(message), check.Check({ message: "Hello" }));

// Text from outside: not JSON, or nested too deep, is a problem and not an exception.
console.log("text:", readJson("{").problem.short);

// A signal, or the place where it breaks its schema.
const readSignal = createSignalReader();
const { path, reason } = readSignal({ id: "1", type: "completion", timestamp: 1, source: "me" });
console.log(`signal: ${path} ${reason}`);

// A close code says whether the same client may connect again.
console.log("come back:", mayComeBack(1013), mayComeBack(1008));
