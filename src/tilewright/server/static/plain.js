/** Pages that are only read: theme and language. */

import { tieDialogs } from "./dom.js";
import * as settings from "./settings.js";

tieDialogs();
settings.tie(document);
