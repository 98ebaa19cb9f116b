// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";
import { oneFile } from "./build/one-file.js";

// One page a build, so that each is one file with all that it needs: --mode report, --mode live.
export default defineConfig(({ mode }) => ({
  plugins: [oneFile(`${mode}.html`)],
  build: {
    target: "es2022",
    rollupOptions: { input: `${mode}.html` },
    assetsInlineLimit: 1 << 20,
    modulePreload: false,
    emptyOutDir: false, // it holds the other page
  },
}));
