import { h } from './dom.js';

/**
 * Table whose rows are kept over updates, so that focus and selection stay.
 *
 * columns: [{ head, cell: (row) => node or text, number, main }]
 */
export function table({ caption, columns, key, testid, empty, href }) {
  const body = h('tbody', {});
  const known = new Map();
  const nothing = h('p', { class: 'empty', hidden: true }, empty || 'None.');
  const grid = h('table', { 'data-testid': testid },
    h('caption', { class: 'unseen' }, caption),
    h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col', class: column.number && 'number' }, column.head)))),
    body);
  const el = h('div', { class: 'table' }, grid, nothing);

  function cells(row) {
    return columns.map((column) => {
      const content = column.cell(row);
      return h(column.main ? 'th' : 'td', {
        scope: column.main && 'row',
        class: [column.number && 'number', column.class].filter(Boolean).join(' ') || null,
        'data-label': column.head,
      }, content);
    });
  }

  function line(row) {
    const id = key(row);
    const text = JSON.stringify(row);
    const old = known.get(id);
    if (old && old.text === text) return old.tr;
    const tr = old ? old.tr : h('tr', { 'data-key': id });
    const focused = [...tr.querySelectorAll('a, button')].indexOf(document.activeElement);
    tr.replaceChildren(...cells(row));
    if (focused >= 0) tr.querySelectorAll('a, button')[focused]?.focus();
    if (href && !old) {
      tr.classList.add('linked');
      tr.addEventListener('click', (event) => {
        if (!event.target.closest('a, button') && !String(getSelection())) location.hash = href(row);
      });
    }
    known.set(id, { tr, text });
    return tr;
  }

  function update(rows) {
    const wanted = rows.map(line);
    const keys = new Set(rows.map(key));
    for (const id of [...known.keys()]) if (!keys.has(id)) known.delete(id);
    wanted.forEach((tr, i) => {
      if (body.children[i] !== tr) body.insertBefore(tr, body.children[i] || null);
    });
    while (body.children.length > wanted.length) body.lastChild.remove();
    grid.hidden = rows.length === 0;
    nothing.hidden = rows.length !== 0;
  }

  return { el, update };
}
