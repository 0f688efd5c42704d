import { defineConfig } from "vite";

// The page is built into the Python package, so that users need no Node. Names carry no hash: a rebuilt file
// replaces the old one, and the server tells browsers to ask again each time.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/windrow/view/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: {
        entryFileNames: "station.js",
        chunkFileNames: "[name].js",
        assetFileNames: "station[extname]",
      },
    },
  },
});
