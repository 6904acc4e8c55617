import { h, setText, show } from './dom.js';
import { count } from './format.js';
import { unreadSince } from './fresh.js';
import { drawnAs, shapeOf, shapes } from './shapes.js';
import { ACTOR_STATES, badge } from './states.js';
import { address, listing, quiet, supervised, tree } from './tree.js';

const MOST = 200;

function filters(q) {
  const all = h('a', { href: listing({ prefix: q.prefix, as: q.as }), class: 'chip', 'data-testid': 'filter-all', 'aria-current': !q.state && 'true' }, q.prefix ? 'All' : 'Tree');
  const chips = new Map(ACTOR_STATES.map((state) => {
    const number = h('span', { class: 'number' });
    const el = h('a', { href: listing({ prefix: q.prefix, state, as: q.as }), class: 'chip', 'data-testid': `filter-${state}`, 'aria-current': q.state === state && 'true' }, badge(state), number);
    return [state, { el, number }];
  }));
  function update(byState) {
    chips.forEach(({ el, number }, state) => {
      setText(number, count(byState[state] || 0));
      show(el, Boolean(byState[state]) || q.state === state);
    });
  }
  update({});
  return { el: h('nav', { class: 'chips', 'aria-label': 'Actors by state' }, all, [...chips.values()].map((chip) => chip.el)), update };
}

function search(q) {
  const field = h('input', { type: 'search', id: 'search', name: 'prefix', value: q.prefix || '', placeholder: 'Path, includes actors below it', 'data-testid': 'search', autocomplete: 'off' });
  return h('form', { class: 'search', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    const path = field.value.trim();
    location.hash = listing({ state: q.state, as: q.as, prefix: path && (path.startsWith('/') ? path : `/${path}`) });
  } }, h('label', { for: 'search', class: 'unseen' }, 'Search actors by path'), field, h('button', { type: 'submit' }, 'Search'));
}

/** Actors and failure zones by state: the filters list both. */
function total({ byState = {}, zones = {} }) {
  const sum = { ...byState };
  Object.entries(zones).forEach(([state, n]) => { sum[state] = (sum[state] || 0) + n; });
  return sum;
}

/** Matching actors, in the order of their paths. */
function found(live, q) {
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'actors-problem' });
  const cut = h('p', { class: 'note', role: 'status', hidden: true }, `Only the first ${MOST} are shown: search for a longer path.`);
  const list = supervised({ caption: 'Matching actors', testid: 'actors', empty: 'No actor matches.',
    name: (row) => h('a', { href: address(row.path) }, h('code', {}, row.path)) });
  const end = live.watch('actors', { prefix: q.prefix || undefined, state: q.state || undefined, limit: MOST }, (rows, error, failedAt) => {
    show(problem, Boolean(error));
    if (error) {
      setText(problem, unreadSince(error.detail, failedAt));
      list.unread();
      return;
    }
    show(cut, rows.size >= MOST);
    list.update([...rows.values()].map(quiet).sort((a, b) => (a.path < b.path ? -1 : 1)));
  });
  return { el: h('div', { class: 'tree' }, problem, cut, list.el), leave: end };
}

export function actors(live, given) {
  const q = { ...given, as: shapeOf(given.as) };
  const chips = filters(q);
  const whole = !q.state && !q.prefix; // what matches a search is always a table
  const list = whole ? tree(live, '/', 'Failure zones and actors of this node', { picture: drawnAs(q.as) }) : found(live, q);
  const el = h('div', { class: 'supervision' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Supervision'), search(q)),
    h('div', { class: 'headline' }, chips.el, whole && shapes(q.as, (as) => listing({ as }))), h('section', { class: 'card flush' }, list.el));
  const end = live.watch('overview', undefined, (rows) => chips.update(total(rows.get('actors') || {})));
  return { el, title: 'Supervision', nav: 'actors', leave: () => { end(); list.leave(); } };
}
