import { h, hold, setText } from './dom.js';
import { arrange, keepFocus, patch } from './patch.js';

const SKELETON = 3;
const order = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }));

/**
 * Table whose rows and cells are kept over updates, so that focus and selection stay.
 *
 * columns: [{ head, cell: (row) => node or text, number, main, class, by: (row) => what it is sorted by }]
 * each: called with each row and its element when it is new or has changed
 */
export function table({ caption, columns, key, testid, empty, href, each }) {
  const body = h('tbody', {});
  const known = new Map();
  const held = new Set();
  let sorted = null;
  let rows = [];
  const nothing = h('p', { class: 'empty', hidden: true });
  const loading = h('div', { class: 'skeleton', role: 'status', 'aria-label': `${caption}: loading` }, Array.from({ length: SKELETON }, () => h('span', {})));
  const heads = columns.map((column) => h('th', { scope: 'col', class: column.number && 'number' },
    column.by ? h('button', { type: 'button', class: 'sort', title: 'Sort what is shown', onclick: () => sort(column) }, column.head) : column.head));
  const grid = h('table', { 'data-testid': testid, hidden: true }, h('caption', { class: 'unseen' }, caption), h('thead', {}, h('tr', {}, heads)), body);
  const missing = h('p', { class: 'empty', hidden: true }, 'Not read.');
  const el = h('div', { class: 'table' }, loading, grid, nothing, missing);

  function cells(row) {
    return columns.map((column) => {
      const cell = h(column.main ? 'th' : 'td', {
        scope: column.main && 'row',
        class: [column.number && 'number', column.class].filter(Boolean).join(' ') || null,
        'data-label': column.head,
      }, column.cell(row));
      if (held.has(key(row))) hold(cell, true);
      return cell;
    });
  }

  function sort(column) {
    const first = Boolean(column.number); // numbers begin with the highest
    if (sorted?.column !== column) sorted = { column, down: first };
    else sorted = sorted.down === first ? { column, down: !first } : null;
    columns.forEach((one, i) => {
      if (sorted?.column === one) heads[i].setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending');
      else heads[i].removeAttribute('aria-sort');
    });
    draw();
  }

  function inOrder(given) {
    if (!sorted) return given;
    const { by } = sorted.column;
    const sign = sorted.down ? -1 : 1;
    const has = (row) => ![undefined, null, ''].includes(by(row));
    // what has no value stays at the end, whichever way
    return [...given].sort((a, b) => (has(a) && has(b) ? sign * order(by(a), by(b)) : has(b) - has(a)));
  }

  function create(row, text) {
    const tr = h('tr', { 'data-key': key(row) });
    const line = { tr, text, row: { ...row } };
    line.cells = cells(line.row);
    tr.append(...line.cells);
    if (href) {
      tr.classList.add('linked');
      tr.addEventListener('click', (event) => {
        if (!event.target.closest('a, button, input, [data-copy]') && !String(getSelection())) location.hash = href(line.row);
      });
    }
    return line;
  }

  /** Handlers of cells that do not change keep the row they were given: it gets the new values. */
  function renew(line, row, text) {
    for (const name of Object.keys(line.row)) delete line.row[name];
    Object.assign(line.row, row);
    line.text = text;
    cells(line.row).forEach((fresh, i) => keepFocus(line.cells[i], () => patch(line.cells[i], fresh)));
  }

  function lineOf(row) {
    const id = key(row);
    const text = JSON.stringify([row, held.has(id)]);
    let line = known.get(id);
    if (line?.text === text) return line.tr;
    if (line) renew(line, row, text);
    else known.set(id, line = create(row, text));
    each?.(line.row, line.tr);
    return line.tr;
  }

  /** Switch of the buttons in a row: off while an action on it is under way, whatever is drawn meanwhile. */
  function busy(id) {
    return (on) => {
      if (on) held.add(id);
      else held.delete(id);
      if (known.has(id)) lineOf({ ...known.get(id).row });
    };
  }

  const draw = () => arrange(body, inOrder(rows).map(lineOf));

  /** Draws these rows; `without` is said if there are none, instead of what is said else. */
  function update(given, without = empty || 'None.') {
    rows = given;
    setText(nothing, without);
    const keys = new Set(rows.map(key));
    for (const id of [...known.keys()]) if (!keys.has(id)) known.delete(id);
    draw();
    el.classList.remove('old');
    loading.hidden = true;
    missing.hidden = true;
    grid.hidden = rows.length === 0;
    nothing.hidden = rows.length !== 0;
  }

  /** Says that the rows could not be read: those that were stay, grey, and nothing is said to be empty. */
  function unread() {
    el.classList.add('old');
    loading.hidden = true;
    missing.hidden = !(grid.hidden && nothing.hidden);
  }

  return { el, update, unread, busy, grid, body };
}
