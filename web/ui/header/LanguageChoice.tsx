import { Check, ChevronDown, Languages } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { CHOICES, languageFor } from "../language/languages.ts";
import { t } from "../language/text.ts";
import { chooseLanguage } from "./choose-language.ts";

/** The item that shows the languages below it, each in its own language. The page restarts in the chosen one. */
export function LanguageChoice() {
  const [open, setOpen] = useState(false);
  const current = languageFor(document.documentElement.lang);
  return (
    <>
      <DropdownMenu.Item
        className="menu-item"
        aria-expanded={open}
        onSelect={(event) => {
          event.preventDefault();
          setOpen(!open);
        }}
      >
        <Languages size={18} />
        {t("Language")}
        <ChevronDown size={18} />
      </DropdownMenu.Item>
      {open && (
        <DropdownMenu.RadioGroup aria-label={t("Language")} value={current ?? ""}>
          {CHOICES.map(({ tag, name }) => (
            <DropdownMenu.RadioItem
              key={tag}
              className="menu-item menu-choice"
              value={tag}
              lang={tag}
              onSelect={() => {
                if (tag !== current) chooseLanguage(tag);
              }}
            >
              <bdi>{name}</bdi>
              <DropdownMenu.ItemIndicator>
                <Check size={18} />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      )}
    </>
  );
}
