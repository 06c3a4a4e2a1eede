import { Menu as MenuIcon } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import type { Controller } from "../controller/controller.ts";
import { Hint } from "../kit/Hint.tsx";
import { useFetchAhead } from "../controller/useFetchAhead.ts";
import { useLazy } from "../kit/useLazy.ts";
import { t } from "../language/text.ts";

const loadMenu = () => import("./Menu.tsx");

/**
 * The button that opens the menu. The menu's code is fetched ahead, so that it opens
 * without a network; if that fails, each opening tries again.
 */
export function MenuButton({ controller }: { readonly controller: Controller }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const ready = useFetchAhead(controller);
  const code = useLazy(loadMenu, ready || open, { what: "the menu", attempt: open });
  const openByArrow = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <div className="menu-place">
      <Hint name={t("Menu")} side="bottom">
        <button
          ref={button}
          id="menu-button"
          type="button"
          className="icon-button"
          aria-label={t("Menu")}
          aria-haspopup="menu"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          onKeyDown={openByArrow}
        >
          <MenuIcon size={20} />
        </button>
      </Hint>
      {code && (
        <code.Menu controller={controller} open={open} onOpenChange={setOpen} button={button} />
      )}
    </div>
  );
}
