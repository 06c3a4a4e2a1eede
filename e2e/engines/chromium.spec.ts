import { suite } from "./suite.case.ts";
import { chromium } from "./chromium.ts";

suite(chromium);
