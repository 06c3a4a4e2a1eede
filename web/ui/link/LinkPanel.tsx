import { useEffect, useRef, useState } from "react";
import type { Controller } from "../controller/controller.ts";
import { isMac } from "../kit/Hint.tsx";
import { shortcutLabel } from "../kit/labels.ts";
import { copyLink, lastCopy } from "./copy-link.ts";
import { isLocalLink, pageLink } from "./address.ts";
import { qrPath, QUIET_ZONE } from "./qr-code.ts";
import { SidePanel } from "../panels/SidePanel.tsx";
import "./link.css";
import { t } from "../language/text.ts";

/** The page's address: as text, which is copied when the panel is opened, and as a QR code for a phone. */
export function LinkPanel({ controller }: { readonly controller: Controller }) {
  const link = pageLink(location);
  const field = useRef<HTMLInputElement>(null);
  const [message, setMessage] = useState("");

  const report = (copy: Promise<boolean>): void => {
    void copy.then((copied) => {
      setMessage(copied ? t("Copied") : t(REFUSED, { keys: shortcutLabel(["Mod", "c"], isMac) }));
      if (!copied) field.current?.select();
    });
  };
  useEffect(() => report(lastCopy()), []);

  return (
    <SidePanel controller={controller} panel="link">
      <div className="link">
        <div className="link-line">
          <input
            ref={field}
            className="link-field"
            dir="ltr"
            aria-label={t("Link")}
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <button
            type="button"
            className="panel-button"
            onClick={() => {
              setMessage("");
              report(copyLink());
            }}
          >
            {t("Copy")}
          </button>
        </div>
        <p className="link-message" role="status">
          {message}
        </p>
        <QrCode link={link} />
        <p className="link-note">
          {isLocalLink(link)
            ? t("This address works on this device only.")
            : t("Whoever opens this address draws on this board.")}
        </p>
      </div>
    </SidePanel>
  );
}

const REFUSED = "This browser did not copy it. The link is selected: press {keys}.";

function QrCode({ link }: { readonly link: string }) {
  const code = qrPath(link);
  if (!code) return null;
  const size = code.size + 2 * QUIET_ZONE;
  return (
    <svg
      className="link-code"
      role="img"
      aria-label={t("QR code of the link")}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={size} height={size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}
