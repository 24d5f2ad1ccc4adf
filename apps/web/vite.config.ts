import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "dist",
    target: "es2024",
    // Three.js is one large file however it is cut; it is its own chunk, loaded after the page.
    chunkSizeWarningLimit: 1_200,
  },
});
