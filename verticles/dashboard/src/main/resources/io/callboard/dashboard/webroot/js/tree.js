import { h, setText, show } from './dom.js';
import { ago, count } from './format.js';
import { unreadSince } from './fresh.js';
import { ACTOR_STATES, badge, word } from './states.js';
import { table } from './table.js';
import { treegrid } from './treegrid.js';
import * as api from './api.js';

const MOST = 100;
const MOST_OPEN = 20;
const FEW_ZONES = 5;
const SYSTEM = 'system'; // the toolkit's own actors
const opens = (row) => row.kind === 'zone' || row.kind === SYSTEM;
/** States in which nothing is to be done. */
export const WELL = new Set(['RUNNING', 'PASSIVATED', 'ELSEWHERE']);
const STRATEGIES = { ONE_FOR_ONE: 'one for one', ALL_FOR_ONE: 'all for one', REST_FOR_ONE: 'rest for one' };

// Zones stay open from one view to the next; the last opened is the last here.
const opened = new Set();
let chosen = false;

/** Address of the list of what matches. */
export const listing = (q) => `#/actors${api.query(q)}`;
/** Address of an actor or failure zone; `q` names the node if it is on another one. */
export const address = (path, q = {}) => `#/actors${path.split('/').map(encodeURIComponent).join('/')}${api.query(q)}`;
// Whether other nodes have a page of their own, to which the header leads; of one that is not in here, nobody knows yet.
const pages = new Map();

/** How to see what has no row or box of its own; of another node nothing is found by a search. */
export function elsewhere(node) {
  if (!node) return 'search for them by path';
  if (!pages.has(node)) return `the page of node ${node} lists them, if it has one`;
  return pages.get(node) ? `choose node ${node} in the header` : `node ${node} has no page that lists them`;
}

/** Finds out whether another node has a page; one that cannot be asked for has none. */
async function findPage(node) {
  const { items } = await api.get('nodes').catch(() => ({ items: [] }));
  pages.set(node, items.some((row) => row.name === node && row.http));
}

/** How many have no row of their own, and how to see them. */
const more = (row) => `${count(row.hidden)} more${row.down ? ', some of which do not run' : ' that are running'}: ${row.where}`;
export const strategy = (zone) => STRATEGIES[zone.strategy] || zone.strategy;

const none = () => h('span', { class: 'none' }, '–');
const number = (n) => (n === undefined ? none() : count(n));
const waiting = (row) => row.inside?.queued ?? row.mailbox?.depth ?? row.queued;
const failures = (row) => row.childFailures ?? row.failures;

/** Actors of a zone that are not running, by state, in words. */
export function trouble(inside) {
  return ACTOR_STATES.filter((state) => !WELL.has(state) && inside?.byState[state]).map((state) => `${count(inside.byState[state])} ${word(state).toLowerCase()}`);
}

/** Zone in words: how it supervises, how much is in it, and what of that is in trouble. */
export function summary(row) {
  return [strategy(row) || 'the toolkit itself', `${count(row.inside.actors)} ${row.inside.actors === 1 ? 'actor' : 'actors'}`, ...trouble(row.inside)];
}

/** Rows of actors and zones; `name` makes the first column. */
export function supervised({ caption, testid, empty, name, each }) {
  return table({
    caption, testid, empty, each, key: (row) => row.key,
    columns: [
      { head: 'Path', main: true, class: 'path', cell: name },
      { head: 'State', cell: (row) => (row.state ? badge(row.state) : '') },
      { head: 'Next attempt', cell: (row) => (row.state ? ago(row.nextAttempt) : '') },
      { head: 'Failures', number: true, cell: (row) => (row.state ? number(failures(row)) : '') },
      { head: 'Restarts', number: true, cell: (row) => (row.state ? number(row.restarts) : '') },
      { head: 'Waiting', number: true, cell: (row) => (row.state ? number(waiting(row)) : '') },
      { head: 'Last failure', class: 'cause', cell: (row) => (row.lastFailure ? [h('span', { class: 'clamp', title: row.lastFailure }, row.lastFailure), ago(row.lastFailureAt)] : none()) },
    ],
  });
}

/** Row without ages: the page updates them itself, and with them each row would be redrawn each second. */
export function quiet({ mailbox, ...row }) {
  return mailbox ? { ...row, mailbox: { depth: mailbox.depth } } : row;
}

/**
 * Tree of the contents of a failure zone, or of all zones for a slash; only open zones are read.
 *
 * @param node name of the node, if it is another one
 * @param picture what shows the rows, instead of a treegrid; null for a treegrid
 */
export function tree(live, top, caption, { node, picture = null } = {}) {
  let rows = null;
  let end = () => {};
  let failed = false;
  const note = h('p', { class: 'note', role: 'status', hidden: true });
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'tree-problem' });
  const empty = 'Nothing is supervised here.';
  const list = picture ? picture({ caption, empty, top, turn, node }) : rowsOf();
  const el = h('div', { class: 'tree' }, problem, note, list.el);

  /** Treegrid of the rows. */
  function rowsOf() {
    const shown = supervised({ caption, testid: 'tree', empty, name, each: (row, tr) => keys.each(row, tr) });
    const keys = treegrid(shown, { opened: (row) => (opens(row) ? row.open : undefined), turn: (row) => turn(row.path) });
    return { el: shown.el, unread: shown.unread, update: (flat) => {
      shown.update(flat);
      keys.settle();
    } };
  }

  function name(row) {
    const parts = row.kind === 'more' ? [h('span', { class: 'note' }, more(row))]
      : [opens(row) ? toggle(row) : h('span', { class: 'leaf', 'aria-hidden': 'true' }), label(row)];
    const box = h('span', { class: 'node' }, parts);
    box.style.setProperty('--depth', row.depth);
    return box;
  }

  function toggle(row) {
    return h('button', { type: 'button', class: 'toggle', tabindex: -1, 'aria-expanded': String(row.open), 'aria-label': `Contents of ${row.path}`, onclick: () => turn(row.path) }, row.open ? '▾' : '▸');
  }

  function label(row) {
    const short = row.supervisor && row.supervisor !== SYSTEM ? row.path.slice(row.supervisor.length + 1) : row.path;
    const inside = row.inside && summary(row).join(' · ');
    return h('span', {}, row.kind === SYSTEM ? SYSTEM : h('a', { href: address(row.path, { node }), 'aria-label': row.path, title: row.path }, h('code', {}, short)), inside && h('span', { class: 'note' }, ` ${inside}`));
  }

  function flat() {
    const of = new Map();
    for (const row of rows.values()) {
      const above = row.supervisor ?? '/';
      of.set(above, [...(of.get(above) || []), row]);
    }
    const below = (zone, depth) => (of.get(zone) || []).sort((a, b) => a.place - b.place).flatMap((row) => {
      const open = opens(row) && opened.has(row.path);
      const where = row.kind === 'more' ? elsewhere(node) : undefined;
      return [{ ...quiet(row), depth, open, where }, ...(open ? below(row.path, depth + 1) : [])];
    });
    return below(top, 0);
  }

  function draw() {
    if (!rows) return;
    list.update(flat());
    if (failed) list.unread(); // the rows are those that were read before
  }

  const within = (path) => top === '/' || path.startsWith(`${top}/`);

  function turn(path) {
    chosen = true;
    show(note, false);
    if (!opened.delete(path)) opened.add(path);
    const open = [...opened].filter(within);
    if (open.length >= MOST_OPEN) {
      opened.delete(open[0]);
      setText(note, `At most ${MOST_OPEN} zones can be open at the same time: ${open[0]} was closed.`);
      show(note, true);
    }
    draw();
    watch();
  }

  function watch() {
    end();
    end = live.watch('actors', { tree: [top, ...[...opened].filter(within)], limit: MOST, node }, (read, error, failedAt) => {
      show(problem, Boolean(error));
      failed = Boolean(error);
      if (error) {
        setText(problem, unreadSince(error.detail, failedAt));
        list.unread();
        return;
      }
      rows = read;
      const zones = [...rows.values()].filter((row) => row.kind === 'zone');
      if (!chosen && zones.length && zones.length <= FEW_ZONES) {
        chosen = true;
        zones.forEach((zone) => opened.add(zone.path));
        watch();
      }
      draw();
    });
  }

  let left = false;
  watch();
  if (node) findPage(node).then(() => left || draw());
  return { el, leave: () => {
    left = true;
    end();
  } };
}
