import { useEffect, useState } from "react";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { prefer } from "../kit/preferences.ts";
import { fetchCatalogue, preferredLanguage } from "../language/languages.ts";
import type { Catalogue, Text } from "../language/text.ts";
import { chooseLanguage } from "./choose-language.ts";
import "../kit/first-hint.css";
import "./language-offer.css";

interface Offer {
  readonly tag: string;
  readonly catalogue: Catalogue;
}

/** Notes that the offer was shown. The smallest windows have no space for it, so it waits for another visit. */
function noteShown(offer: HTMLElement | null): void {
  if (offer && offer.getClientRects().length > 0) prefer("language-offer", "made");
}

/**
 * Offers the page in the language that the reader's browser prefers, in that language and in the place of the first
 * hint: once on this device. A reader of English sees nothing.
 */
export function LanguageOffer() {
  const [offer, setOffer] = useState<Offer | null>(null);
  useEffect(() => {
    const tag = preferredLanguage(navigator.languages);
    let isEnded = false;
    const load = async (wanted: string): Promise<void> => {
      const catalogue = await fetchCatalogue(wanted);
      if (!isEnded) setOffer({ tag: wanted, catalogue });
    };
    // Without a network the next visit offers it.
    if (tag !== undefined) load(tag).catch(() => undefined);
    return () => {
      isEnded = true;
    };
  }, []);
  if (!offer) return null;
  const { tag, catalogue } = offer;
  const say = (text: Text): string => {
    const translation = catalogue[text];
    return typeof translation === "string" ? translation : text;
  };
  return (
    <div
      ref={noteShown}
      className="first-hint language-offer"
      role="note"
      lang={tag}
      dir={tag === "ar" ? "rtl" : "ltr"}
    >
      <p>{say("This page is available in English.")}</p>
      <button type="button" onClick={() => chooseLanguage(tag)}>
        {say("Show in English")}
      </button>
      <button
        type="button"
        onClick={() => {
          setOffer(null);
          focusCanvas();
        }}
      >
        {say("No, thanks")}
      </button>
    </div>
  );
}
