/** Reads the text frames of one connection. */

import { decodeWithHead, learnHead, type KnownHead } from "./known-head.ts";
import { SMALL_BYTES, decodeText, type DecodedText, type Refusal, type Version } from "./wire.ts";

export class TextReader {
  readonly #version: Version;
  readonly #refusal: Refusal;
  /** The head of the last broadcast. */
  #head: KnownHead | null = null;

  constructor(version: Version, refusal: Refusal) {
    this.#version = version;
    this.#refusal = refusal;
  }

  /** Reads a frame, which must be valid UTF-8. Never throws. */
  read(frame: Buffer): DecodedText {
    // A frame that may be refused unread is asked about first.
    const known =
      this.#head === null || frame.length > SMALL_BYTES ? null : decodeWithHead(frame, this.#head);
    if (known !== null) return { ok: true, message: known };
    const decoded = decodeText(this.#version, frame, this.#refusal);
    if (decoded.ok && decoded.message.broadcast !== null)
      this.#head = learnHead(frame, decoded.message);
    return decoded;
  }
}
