import { clusterContract } from "./contract.case.ts";
import { createLocalCluster } from "./local.ts";

clusterContract({
  name: "local",
  open: async (count) => Array.from({ length: count }, createLocalCluster),
  alone: "skipped: this driver is for a single process",
});
