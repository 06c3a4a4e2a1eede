import { suite } from "./suite.case.ts";
import { firefox } from "./firefox.ts";

suite(firefox);
