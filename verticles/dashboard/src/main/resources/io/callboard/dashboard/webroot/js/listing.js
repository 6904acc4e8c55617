// What the lists of jobs and of workflows have in common: filters by state, selection of rows, pages.

import { h, setText, show } from './dom.js';
import { count } from './format.js';
import { badge } from './states.js';
import * as api from './api.js';

/**
 * Links to the list in each state, with numbers once they are known.
 *
 * at: returns the address of the list in a state, undefined for all
 * keepEmpty: whether a state in which none is counted stays on offer, since not all are counted
 */
export function stateChips(states, current, at, keepEmpty) {
  const all = h('a', { href: at(undefined), class: 'chip', 'data-testid': 'filter-all', 'aria-current': !current && 'true' }, 'All');
  const chips = new Map(states.map((state) => {
    const number = h('span', { class: 'number' });
    const el = h('a', { href: at(state), class: 'chip', 'data-testid': `filter-${state}`, 'aria-current': current === state && 'true' }, badge(state), number);
    return [state, { el, number }];
  }));
  /** Shows the numbers by state, or that there are so many at least; of null none, since they are not known. */
  function update(byState, atLeast) {
    chips.forEach(({ el, number }, state) => {
      setText(number, byState ? `${atLeast ? '≥ ' : ''}${count(byState[state] || 0)}` : '');
      show(el, keepEmpty || Boolean(byState?.[state]) || current === state);
    });
  }
  update(keepEmpty ? null : {});
  return { el: h('nav', { class: 'chips', 'aria-label': 'Filter by state' }, all, [...chips.values()].map((chip) => chip.el)), update };
}

/** Number of rows in the list of a filter; null if it is not known, as for those that a text is found in. */
export function totalOf(q, byState) {
  if (q.q || !byState) return null;
  return q.state ? byState[q.state] || 0 : Object.values(byState).reduce((sum, n) => sum + n, 0);
}

/**
 * Selection of rows.
 *
 * called: returns what a row is called; changed: called when others are selected
 */
export function selection(called, changed) {
  const ids = new Set();

  function select(id, on) {
    if (on) ids.add(id);
    else ids.delete(id);
    changed();
  }

  const column = { head: 'Select', cell: (row) => h('input', { type: 'checkbox', 'aria-label': `Select ${called(row)}`, 'data-verb': 'select', onchange: (event) => select(row.id, event.target.checked) }) };

  /** Only what is seen can be selected. */
  function keep(rows) {
    const seen = new Set(rows.map((row) => row.id));
    for (const id of ids) if (!seen.has(id)) select(id, false);
  }

  return { ids, column, keep };
}

/**
 * Foot of a list: which rows are shown, and the way to others.
 *
 * path: the list in the REST interface; filter: what it is narrowed by; q: query of the address
 * at: returns the address of the list with another query; fail: called with what went wrong
 */
export function pages({ path, filter, size, q, at, fail }) {
  const where = h('span', { class: 'note', 'data-testid': 'position' });
  const older = h('button', { type: 'button', 'data-testid': 'older', disabled: true, onclick: turn }, 'Older');
  const newest = h('a', { class: 'button', href: at({ ...q, cursor: undefined, after: undefined }), 'data-testid': 'newest', hidden: !q.cursor }, 'Newest');
  const before = Number(q.after || 0);

  async function turn() {
    const left = location.hash;
    try {
      const next = await api.get(`${path}${api.query({ ...filter, cursor: q.cursor, limit: size })}`);
      if (location.hash !== left) return; // one has gone elsewhere meanwhile
      if (next.next) location.hash = at({ ...q, cursor: next.next, after: before + next.items.length });
      else older.disabled = true;
    } catch (cause) {
      fail(cause.message);
    }
  }

  /** Shows that so many rows are on this page; others follow if it is full, or some could not be read. */
  const filled = (shown, partial) => { older.disabled = shown < size && !partial; };

  /** Says which rows are shown; `of` are the words for how many there are, as far as that is known. */
  function position(shown, of) {
    setText(where, shown ? `${count(before + 1)} to ${count(before + shown)}${of(before + shown)}` : '');
  }

  return { el: h('div', { class: 'paging' }, where, newest, older), filled, position };
}
