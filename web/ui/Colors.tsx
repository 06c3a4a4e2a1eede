import { Check } from "lucide-react";
import { Toolbar } from "radix-ui";
import type { CSSProperties } from "react";
import { COLORS } from "../../board/spec.ts";
import { inkOn } from "./contrast.ts";
import { Hint } from "./Hint.tsx";
import type { Session } from "./session.ts";
import { useStore } from "./useStore.ts";

/** The twelve presets, and any colour of one's own; the one in use is marked. */
export function Colors({ session }: { readonly session: Session }) {
  const current = useStore(session.color);
  const custom = !COLORS.some(({ value }) => value === current);
  return (
    <div className="colors">
      <Toolbar.Root className="swatches" aria-label="Colors">
        {COLORS.map(({ name, value }) => (
          <Hint key={value} name={name} side="top">
            <Toolbar.Button
              className="swatch"
              aria-label={name}
              aria-pressed={value === current}
              style={{ "--swatch": value, "--swatch-ink": inkOn(value) } as CSSProperties}
              onClick={() => session.setColor(value)}
            >
              <span className="swatch-dot">
                {value === current && <Check size={16} strokeWidth={3} />}
              </span>
            </Toolbar.Button>
          </Hint>
        ))}
      </Toolbar.Root>
      <Hint name="Custom color" side="top">
        <span className="custom-color" data-active={custom}>
          <input
            type="color"
            aria-label="Custom color"
            value={current}
            onChange={(event) => session.setColor(event.currentTarget.value)}
          />
        </span>
      </Hint>
    </div>
  );
}
