import { brakeState } from './brake.js';
import { h, setText, show } from './dom.js';
import { ago, count, shortId, took } from './format.js';
import { freshness, unreadSince } from './fresh.js';
import { listed, missingOf, NONE_READ, othersMissing } from './missing.js';
import { repeat } from './repeat.js';
import { badge, word, WORKFLOW_STATES } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const PAGE = 50;
const DEFINITIONS_MS = 5000;

const address = (q) => `#/workflows${api.query(q)}`;

/** Number of settled steps, of all. */
function settled(steps) {
  let all = 0;
  let done = 0;
  for (const [state, number] of Object.entries(steps)) {
    all += number;
    if (['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED'].includes(state)) done += number;
  }
  return `${count(done)} / ${count(all)}`;
}

function filters(q) {
  const chip = (state, testid, content) => h('a', { href: address({ ...q, state, cursor: undefined }), class: 'chip', 'data-testid': testid, 'aria-current': q.state === state && 'true' }, content);
  return h('nav', { class: 'chips', 'aria-label': 'Filter by state' }, chip(undefined, 'filter-all', 'All'),
    WORKFLOW_STATES.map((state) => chip(state, `filter-${state}`, badge(state))));
}

function search(q) {
  const field = h('input', { type: 'search', id: 'search', name: 'q', value: q.q || '', placeholder: 'Id, definition or label', 'data-testid': 'search', autocomplete: 'off' });
  return h('form', { class: 'search', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    location.hash = address({ ...q, q: field.value.trim(), cursor: undefined });
  } }, h('label', { for: 'search', class: 'unseen' }, 'Search workflows'), field, h('button', { type: 'submit' }, 'Search'));
}

export function definitionAddress(name) {
  return `#/definitions/${encodeURIComponent(name)}`;
}

/** Numbers of instances by state, the most telling first. */
export function numbers(instances) {
  const given = WORKFLOW_STATES.filter((state) => instances[state]);
  return given.length ? h('span', { class: 'numbers' }, given.map((state) => h('span', { title: word(state) }, badge(state), ` ${count(instances[state])}`))) : h('span', { class: 'none' }, '–');
}

/** Definitions, read again from time to time: they are no topic. */
function definitions() {
  const list = table({
    caption: 'Definitions', testid: 'definitions', key: (row) => row.name, href: (row) => definitionAddress(row.name), empty: 'No definitions yet: callboard workflow put FILE stores one.',
    columns: [
      { head: 'Definition', main: true, cell: (row) => h('a', { href: definitionAddress(row.name) }, row.name) },
      { head: 'Steps', number: true, cell: (row) => count(row.steps) },
      { head: 'Version', cell: (row) => h('code', {}, row.version.slice(0, 8)) },
      { head: 'Stored', cell: (row) => ago(row.createdAt) },
      { head: 'Instances', class: 'wide-cell', cell: (row) => numbers(row.instances) },
      { head: 'Brake', cell: (row) => (row.brake ? brakeState(row.brake) : h('span', { class: 'none' }, '–')) },
    ],
  });
  const el = h('section', { class: 'card flush' }, h('h2', {}, 'Definitions'));
  const mark = freshness(el);
  const unknown = h('p', { class: 'note', hidden: true }, 'Which definitions are braked is not known now: the workflow master does not answer.');
  async function read(signal) {
    const all = await api.get('workflow-definitions', signal);
    mark(null, null);
    show(unknown, Boolean(all.partial));
    list.update(all.items);
  }
  function unread(cause, failedAt) {
    mark(cause.message, failedAt);
    list.unread();
  }
  el.append(unknown, list.el);
  return { el, stop: repeat(DEFINITIONS_MS, read, unread) };
}

export function workflows(live, q) {
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'workflows-problem' });
  const list = table({
    caption: q.state ? `Instances: ${word(q.state)}` : 'Instances, newest first', testid: 'workflows', key: (row) => row.id, href: (row) => `#/workflows/${row.id}`,
    empty: q.state || q.q || q.definition || q.version ? 'No instance matches.' : 'No instances yet.',
    columns: [
      { head: 'State', cell: (row) => badge(row.state) },
      { head: 'Workflow', main: true, class: 'job', cell: (row) => h('a', { href: `#/workflows/${row.id}` }, h('code', {}, row.definition),
        h('span', { class: 'note' }, [shortId(row.id), ...Object.entries(row.labels).sort().map(([key, value]) => `${key}=${value}`)].join(' · '))) },
      { head: 'Steps', number: true, cell: (row) => settled(row.steps) },
      { head: 'Created', cell: (row) => ago(row.createdAt) },
      { head: 'Duration', number: true, cell: (row) => took(row.createdAt, row.endedAt) },
    ],
  });
  const others = h('p', { class: 'alert', role: 'status', hidden: true, 'data-testid': 'workflows-missing' });
  const older = h('button', { type: 'button', 'data-testid': 'older', disabled: true, onclick: turnPage }, 'Older');
  const newest = h('a', { class: 'button', href: address({ ...q, cursor: undefined }), hidden: !q.cursor }, 'Newest');
  const defined = definitions();
  const el = h('div', { class: 'jobs workflows' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Workflows'), search(q)),
    filters(q), problem, others, h('section', { class: 'card flush' }, list.el), h('div', { class: 'paging' }, newest, older), defined.el);

  async function turnPage() {
    try {
      const page = await api.get(`workflows${api.query({ state: q.state, q: q.q, definition: q.definition, version: q.version, cursor: q.cursor, limit: PAGE })}`);
      if (page.next) location.hash = address({ ...q, cursor: page.next });
      else older.disabled = true;
    } catch (cause) {
      setText(problem, cause.message);
      show(problem, true);
    }
  }

  const end = live.watch('workflows', { state: q.state || undefined, q: q.q || undefined, definition: q.definition || undefined, version: q.version || undefined, cursor: q.cursor || undefined, limit: PAGE }, (rows, error, failedAt) => {
    show(problem, Boolean(error));
    if (error) {
      setText(problem, unreadSince(error.detail, failedAt));
      list.unread();
      return;
    }
    const missing = missingOf(rows);
    const page = listed(rows);
    older.disabled = page.length < PAGE && !missing;
    show(others, Boolean(missing));
    setText(others, missing && othersMissing('instances', missing));
    list.update(page, missing ? NONE_READ : undefined);
  });
  return { el, title: 'Workflows', nav: 'workflows', leave: () => { end(); defined.stop(); } };
}
