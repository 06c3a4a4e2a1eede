import { suite } from "./suite.case.ts";
import { webkit } from "./webkit.ts";

suite(webkit);
