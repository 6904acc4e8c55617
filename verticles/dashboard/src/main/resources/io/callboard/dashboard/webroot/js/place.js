// Where one was in a view: kept with each entry of the history, found again on the way back.

const SETTLED_MS = 150;
const PATIENCE_MS = 3000;

const rowOf = (main, key) => key && main.querySelector(`[data-key="${CSS.escape(key)}"]`);

/** Keeps the place with the present entry: how far it is scrolled, and where in the window its row is. */
function note(main, row = history.state?.row || null) {
  const at = rowOf(main, row)?.getBoundingClientRect().top ?? null;
  history.replaceState({ ...history.state, y: scrollY, row, at }, '');
}

/** Remembers how far the view was scrolled, and from which row it was left. */
export function keepPlace(main) {
  let timer = 0;
  history.scrollRestoration = 'manual';
  addEventListener('scroll', () => {
    clearTimeout(timer);
    const left = location.hash; // another entry is the present one before its hashchange is heard
    timer = setTimeout(() => location.hash === left && note(main), SETTLED_MS);
  }, { passive: true });
  addEventListener('hashchange', () => clearTimeout(timer), { capture: true });
  main.addEventListener('click', (event) => {
    const row = event.target.closest('[data-key]');
    if (row) note(main, row.dataset.key);
  }, { capture: true });
}

/** Goes back to where this entry of the history was left; its rows may come later, and in another place. */
export function restorePlace(main) {
  const { y = 0, row = null, at = null } = history.state || {};
  scrollTo(0, y);
  if (!y && !row) return;
  const going = new AbortController();
  const seen = new ResizeObserver(() => {
    const there = rowOf(main, row);
    const off = () => (there && at !== null ? there.getBoundingClientRect().top - at : y - scrollY);
    scrollBy(0, off());
    there?.querySelector('a')?.focus({ preventScroll: true });
    if (Math.abs(off()) < 2 && (there || row === null)) stop();
  });
  const stop = () => {
    seen.disconnect();
    going.abort();
  };
  for (const own of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'hashchange']) addEventListener(own, stop, { signal: going.signal });
  setTimeout(stop, PATIENCE_MS);
  seen.observe(main);
}
