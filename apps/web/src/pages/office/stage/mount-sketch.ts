/**
 * The office, with its plan as a sketch until the first frame is there: loading and preparing three dimensions takes a
 * moment, on weak machines several, and who comes in should see people at once. Where there is no WebGL the sketch stays.
 */
import { putOffice, type PutOffice, type Setting } from "./mount-office.ts";
import { putPlan } from "./mount-plan.ts";

export async function putSketchThenOffice(setting: Setting): Promise<PutOffice | undefined> {
  const { signal } = setting;
  const sketch = new AbortController();
  signal.addEventListener("abort", () => sketch.abort());
  const plan = await putPlan({ ...setting, signal: sketch.signal });
  await nextFrame();
  await nextFrame();
  // Asking makes a context, which takes long where the processor draws: the sketch must be there by then.
  if (!hasWebGl()) return plan;
  const office = await putOffice(setting);
  // The first of these draws; the second comes once that can be seen.
  await nextFrame();
  await nextFrame();
  sketch.abort();
  return office;
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function hasWebGl(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return gl !== null;
}
