import { Trash2 } from "lucide-react";
import type { Ref } from "react";
import { Colors } from "./Colors.tsx";
import { Hint } from "./Hint.tsx";
import type { Session } from "./session.ts";
import { Tools } from "./Tools.tsx";

interface Props {
  readonly session: Session;
  readonly stickersOpen: boolean;
  readonly onStickersOpen: (open: boolean) => void;
  readonly ref: Ref<HTMLDivElement>;
}

/** The floating panel: tools, colours and, set apart from them, Clear Canvas. */
export function Dock({ session, stickersOpen, onStickersOpen, ref }: Props) {
  return (
    <div className="dock" ref={ref}>
      <Tools session={session} stickersOpen={stickersOpen} onStickersOpen={onStickersOpen} />
      <Colors session={session} />
      <Hint name="Clear Canvas" side="top">
        <button
          type="button"
          className="icon-button clear"
          aria-label="Clear Canvas"
          onClick={() => session.clear()}
        >
          <Trash2 size={20} />
        </button>
      </Hint>
    </div>
  );
}
