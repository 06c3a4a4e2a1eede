import type { ReactNode } from "react";
import { Logo } from "./Logo.tsx";

interface Props {
  readonly title: string;
  readonly text: string;
  /** A link or a button. */
  readonly children: ReactNode;
}

/** A window with one message and one link or button. */
export function Screen({ title, text, children }: Props) {
  return (
    <main className="screen">
      <div className="screen-card">
        <Logo size={56} />
        <h1>{title}</h1>
        <p>{text}</p>
        {children}
      </div>
    </main>
  );
}
