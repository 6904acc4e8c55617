/**
 * Makes a table a treegrid: one row at a time takes the focus, arrow keys move it, open and close.
 *
 * opened: tells of a row whether it is open; undefined if it has nothing in it
 * turn: opens or closes a row
 */
export function treegrid({ grid, body }, { opened, turn }) {
  const rows = new WeakMap();
  let current = null;
  grid.setAttribute('role', 'treegrid');

  function take(tr, focus) {
    if (!tr) return;
    if (current !== tr) current?.setAttribute('tabindex', '-1');
    current = tr;
    tr.setAttribute('tabindex', '0');
    if (focus) tr.focus();
  }

  const level = (tr) => Number(tr.getAttribute('aria-level'));

  function parent(tr) {
    let above = tr.previousElementSibling;
    while (above && level(above) >= level(tr)) above = above.previousElementSibling;
    return above;
  }

  const KEYS = {
    ArrowDown: (tr) => take(tr.nextElementSibling, true),
    ArrowUp: (tr) => take(tr.previousElementSibling, true),
    Home: () => take(body.firstElementChild, true),
    End: () => take(body.lastElementChild, true),
    ArrowRight: (tr) => (opened(rows.get(tr)) === false ? turn(rows.get(tr)) : opened(rows.get(tr)) && take(tr.nextElementSibling, true)),
    ArrowLeft: (tr) => (opened(rows.get(tr)) ? turn(rows.get(tr)) : take(parent(tr), true)),
    Enter: (tr) => tr.querySelector('a')?.click(),
  };

  body.addEventListener('keydown', (event) => {
    const tr = event.target.closest('tr');
    const within = event.target !== tr; // Enter on a link or a button is its own
    if (!tr || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey || (within && event.key === 'Enter')) return;
    event.preventDefault();
    KEYS[event.key](tr);
  });
  body.addEventListener('focusin', (event) => take(event.target.closest('tr'), false));

  /** To be called with each row that is new or has changed. */
  function each(row, tr) {
    rows.set(tr, row);
    const open = opened(row);
    const set = { role: 'row', 'aria-level': row.depth + 1, tabindex: tr === current ? 0 : -1 };
    Object.entries(set).forEach(([name, value]) => tr.setAttribute(name, value));
    if (open === undefined) tr.removeAttribute('aria-expanded');
    else tr.setAttribute('aria-expanded', open);
    for (const cell of tr.children) cell.setAttribute('role', cell.localName === 'th' ? 'rowheader' : 'gridcell');
  }

  /** To be called when all rows are in place: one of them is always to be reached with Tab. */
  function settle() {
    if (!current?.isConnected) take(body.firstElementChild, false);
  }

  return { each, settle };
}
