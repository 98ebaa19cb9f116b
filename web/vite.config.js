// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";
import { oneFile } from "./build/one-file.js";

export default defineConfig({
  plugins: [oneFile()],
  build: {
    target: "es2022",
    rollupOptions: { input: "report.html" },
    assetsInlineLimit: 1 << 20,
    modulePreload: false,
  },
});
