/** A mail server for tests, which stores the received mails. */

import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface SmtpMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The headers and body as they were received. */
  readonly text: string;
}

export interface TestSmtp {
  readonly port: number;
  readonly mails: readonly SmtpMail[];
  /** Refuses the next `count` messages with a temporary error. */
  refuse(count: number): void;
  /** Resolves when `count` mails have been received. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that accepts only this login, on a free port of this machine. */
export async function startSmtp(login: {
  readonly user: string;
  readonly pass: string;
}): Promise<TestSmtp> {
  const mails: SmtpMail[] = [];
  const waiting = new Set<() => void>();
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (auth, _session, done) =>
      auth.username === login.user && auth.password === login.pass
        ? done(null, { user: login.user })
        : done(new Error("wrong login")),
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
      stream.on("end", () => {
        if (refusals > 0) {
          refusals--;
          return done(Object.assign(new Error("busy, try again"), { responseCode: 451 }));
        }
        const from = session.envelope.mailFrom;
        mails.push({
          from: from === false ? "" : from.address,
          to: session.envelope.rcptTo.map((one) => one.address),
          text: text.replace(/=\r\n/g, "").replace(/=3D/g, "="),
        });
        done();
        for (const check of waiting) check();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuse: (count) => void (refusals = count),
    arrived: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (mails.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
