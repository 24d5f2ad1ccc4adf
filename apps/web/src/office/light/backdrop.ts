/** What is behind the room: a soft glow that fades to the edges. */
import { CanvasTexture, SRGBColorSpace, type Scene } from "three";
import type { Mood } from "./mood.ts";

export function paintBackdrop(scene: Scene, { backdrop: [middle, edge] }: Mood): void {
  const canvas = document.createElement("canvas");
  canvas.width = 256;
  canvas.height = 160;
  const brush = canvas.getContext("2d");
  if (brush === null) return;
  const glow = brush.createRadialGradient(128, 74, 10, 128, 80, 170);
  glow.addColorStop(0, middle);
  glow.addColorStop(1, edge);
  brush.fillStyle = glow;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  const previous = scene.background;
  scene.background = texture;
  if (previous instanceof CanvasTexture) previous.dispose();
}
