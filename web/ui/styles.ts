/** The page's styles, in the order of the cascade. */

import "sonner/dist/styles.css";
import "./tokens.css";
import "./base.css";
import "./header.css";
import "./dock.css";
import "./dock-fold.css";
import "./screens.css";
import "./forced-colors.css";
