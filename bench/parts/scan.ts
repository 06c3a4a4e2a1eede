/**
 * Measures server/realtime/payloads/json-scan.ts beside JSON.parse: a broadcast in a text frame (vsn 1.0.0) is
 * checked and its payload found.
 */

import { importBundled } from "../bundle.ts";
import { makePayload } from "../fanout/people.ts";
import { compare, cpuOf, digits, table } from "../../lab/measuring/figures.ts";

const SIZES = [200, 2_000, 100_000];
/** Bytes that are read in one round, and the greatest number of frames. */
const VOLUME = 40_000_000;
const MAX_FRAMES = 20_000;

function textFrame(payload: string) {
  const inner = `{"type":"broadcast","event":"canvas-update","payload":${payload}}`;
  return Buffer.from(
    `{"topic":"realtime:canvas-room","event":"broadcast","payload":${inner},"ref":"17","join_ref":"1"}`,
  );
}

export async function measureScan(rounds: number): Promise<string> {
  const { decodeText } = await importBundled<typeof import("../../server/realtime/wire/wire.ts")>(
    "server/realtime/wire/wire.ts",
  );
  const { decodeWithHead, learnHead } = await importBundled<
    typeof import("../../server/realtime/wire/known-head.ts")
  >("server/realtime/wire/known-head.ts");
  const rows = [];
  for (const size of SIZES) {
    const frame = textFrame(makePayload(size));
    const decode = () => {
      const decoded = decodeText(1, frame, () => null);
      if (!decoded.ok) throw new Error("a frame could not be decoded");
      return decoded.message;
    };
    const head = learnHead(frame, decode());
    if (head === null) throw new Error("the head of a frame was not learned");
    const count = Math.min(MAX_FRAMES, VOLUME / size);
    let bytes = 0;
    const repeat = (once: () => number) => () =>
      cpuOf(() => {
        for (let n = 0; n < count; n++) bytes += once();
      }) / count;
    const times = await compare(
      {
        scan: repeat(() => decode().broadcast?.payload.length ?? 0),
        known: repeat(() => decodeWithHead(frame, head)?.broadcast?.payload.length ?? 0),
        parse: repeat(() => Object.keys(JSON.parse(frame.toString()).payload.payload).length),
        both: repeat(() => {
          const { payload } = JSON.parse(frame.toString()).payload;
          return Buffer.from(JSON.stringify(payload)).length;
        }),
      },
      rounds,
    );
    if (bytes === 0) throw new Error("nothing was read");
    rows.push([
      size.toLocaleString("en"),
      digits(times.scan),
      digits(times.known),
      digits(times.parse),
      digits(times.both),
      digits(times.both / times.known),
    ]);
  }
  return table(
    [
      "bytes of the payload",
      "scan of the whole frame, µs",
      "scan after a known head, µs",
      "JSON.parse, µs",
      "JSON.parse and JSON.stringify, µs",
      "the last beside the known head",
    ],
    rows,
  );
}
