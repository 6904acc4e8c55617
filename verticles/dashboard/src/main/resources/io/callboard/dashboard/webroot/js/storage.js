// What the browser keeps for this page. It may refuse, by the user's settings or for want of room: then nothing is kept,
// and nothing fails. (theme.js reads by itself: it runs before modules do.)

/** Store of the browser, by name: asking for it throws where it is blocked. */
function guarded(name) {
  return {
    /** Returns what was kept under a key; null for nothing, or if it cannot be read. */
    get(key) {
      try {
        return window[name].getItem(key);
      } catch {
        return null;
      }
    },
    /** Keeps a text; returns whether it is kept. */
    keep(key, text) {
      try {
        window[name].setItem(key, text);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Kept for all tabs, over restarts of the browser. */
export const lasting = guarded('localStorage');

/** Kept for this tab, while it is open. */
export const ofTab = guarded('sessionStorage');
