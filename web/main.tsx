/** The page's first script: it paints the page, and starts what the page needs besides. */

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/styles.ts";
import { App } from "./ui/App.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root");

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
