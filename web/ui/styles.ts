/** The page's styles, in the order of the cascade. */

import "./page/tokens.css";
import "./page/base.css";
import "./header/header.css";
import "./header/embedded.css";
import "./dock/dock.css";
import "./dock/fold.css";
import "./page/screens.css";
import "./page/forced-colors.css";
