/** Gives back what a scene holds on the GPU; the garbage collector does not reach there. */
import { Material, Mesh, Texture, type BufferGeometry, type Object3D, type Scene } from "three";

export function disposeOf(scene: Scene): void {
  scene.traverse((node) => {
    if (!isDrawn(node)) return;
    node.geometry.dispose();
    if ("map" in node.material && node.material.map instanceof Texture) node.material.map.dispose();
    node.material.dispose();
  });
  if (scene.background instanceof Texture) scene.background.dispose();
  scene.environment?.dispose();
}

function isDrawn(node: Object3D): node is Mesh<BufferGeometry, Material> {
  return node instanceof Mesh && node.material instanceof Material;
}
