import type { ReactNode } from "react";
import { Logo } from "./Logo.tsx";

interface Props {
  readonly title: string;
  readonly text: string;
  /** The way on: a link or a button. */
  readonly children: ReactNode;
}

/** A whole window that says one thing and offers one way on. */
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
