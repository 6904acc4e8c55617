// Where one was in a view: kept with each entry of the history, found again on the way back.

const SETTLED_MS = 150;
const PATIENCE_MS = 3000;

const note = (what) => history.replaceState({ ...history.state, ...what }, '');

/** Remembers how far the view was scrolled, and from which row it was left. */
export function keepPlace(main) {
  let timer = 0;
  history.scrollRestoration = 'manual';
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(() => note({ y: scrollY }), SETTLED_MS);
  }, { passive: true });
  addEventListener('hashchange', () => clearTimeout(timer), { capture: true });
  main.addEventListener('click', (event) => {
    const row = event.target.closest('[data-key]');
    if (row) note({ y: scrollY, row: row.dataset.key });
  }, { capture: true });
}

/** Goes back to where this entry of the history was left; its rows may come later. */
export function restorePlace(main) {
  const { y = 0, row = null } = history.state || {};
  scrollTo(0, y);
  if (!y && !row) return;
  const going = new AbortController();
  const seen = new ResizeObserver(() => {
    scrollTo(0, y);
    const link = row === null ? null : main.querySelector(`[data-key="${CSS.escape(row)}"] a`);
    link?.focus({ preventScroll: true });
    if (Math.abs(scrollY - y) < 2 && (row === null || link)) stop();
  });
  const stop = () => {
    seen.disconnect();
    going.abort();
  };
  for (const own of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'hashchange']) addEventListener(own, stop, { signal: going.signal });
  setTimeout(stop, PATIENCE_MS);
  seen.observe(main);
}
