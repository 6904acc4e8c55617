import { brakeState } from './brake.js';
import { bulk } from './bulk.js';
import { h, setText, show } from './dom.js';
import { ago, count, shortId, took } from './format.js';
import { freshness, unreadSince } from './fresh.js';
import { pages, selection, stateChips, totalOf } from './listing.js';
import { listed, missingOf, NONE_READ, othersMissing, tooLow, unreadable } from './missing.js';
import { notice } from './notice.js';
import { repeat } from './repeat.js';
import { badge, word, WORKFLOW_STATES } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const PAGE = 50;
const DEFINITIONS_MS = 5000;
const MANY = {
  path: 'workflow-actions', one: 'workflow', many: 'workflows', made: 'created', view: '#/workflows',
  actions: { cancel: ['Cancel', 'cancelled', true], retry: ['Retry', 'retried', false], delete: ['Delete', 'deleted', true] },
};

const address = (q) => `#/workflows${api.query(q)}`;

/** Numbers of settled steps, and of all. */
function steps(row) {
  let all = 0;
  let done = 0;
  for (const [state, number] of Object.entries(row.steps)) {
    all += number;
    if (['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED'].includes(state)) done += number;
  }
  return { all, done };
}

function settled(row) {
  const { all, done } = steps(row);
  return `${count(done)} / ${count(all)}`;
}

const lasted = (row) => (row.endedAt ? Date.parse(row.endedAt) : Date.now()) - Date.parse(row.createdAt);

function search(q) {
  const field = h('input', { type: 'search', id: 'search', name: 'q', value: q.q || '', placeholder: 'Id, definition or label', 'data-testid': 'search', autocomplete: 'off' });
  return h('form', { class: 'search', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    location.hash = address({ ...q, q: field.value.trim(), cursor: undefined, after: undefined });
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
  const unknown = h('p', { class: 'note', hidden: true }, 'Which definitions are braked is not known now: the role workflow-master does not answer.');
  const low = h('p', { class: 'note', role: 'status', hidden: true, 'data-testid': 'definitions-missing' });
  const faulty = h('p', { class: 'note', role: 'status', hidden: true, 'data-testid': 'definitions-unreadable' });
  async function read(signal) {
    const all = await api.get('workflow-definitions', signal);
    mark(null, null);
    show(unknown, Boolean(all.partial));
    show(low, Boolean(all.missing));
    setText(low, tooLow(all.missing));
    show(faulty, Boolean(all.unreadable));
    setText(faulty, unreadable(all.unreadable));
    list.update(all.items);
  }
  function unread(cause, failedAt) {
    mark(cause.message, failedAt);
    list.unread();
  }
  el.append(unknown, low, faulty, list.el);
  return { el, stop: repeat(DEFINITIONS_MS, read, unread) };
}

export function workflows(live, q) {
  let page = null;
  let missing = null;
  let counted = null;
  let lacks = null;
  let failed = false;
  const chips = stateChips(WORKFLOW_STATES, q.state, (state) => address({ ...q, state, cursor: undefined, after: undefined }), true);
  const say = notice('bulk');
  const role = document.body.classList;
  const selected = selection((row) => `${row.definition} ${shortId(row.id)}`, () => many.label());
  const filter = { state: q.state, q: q.q, definition: q.definition, version: q.version };
  const many = bulk(role.contains('operator') ? { ...MANY, actions: { cancel: MANY.actions.cancel, retry: MANY.actions.retry } } : MANY, filter, selected.ids, say);
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'workflows-problem' });
  const list = table({
    caption: q.state ? `Instances: ${word(q.state)}` : 'Instances, newest first', testid: 'workflows', key: (row) => row.id, href: (row) => `#/workflows/${row.id}`,
    empty: q.state || q.q || q.definition || q.version ? 'No instance matches.' : 'No instances yet.',
    columns: [
      !role.contains('viewer') && selected.column,
      { head: 'State', by: (row) => WORKFLOW_STATES.indexOf(row.state), cell: (row) => badge(row.state) },
      { head: 'Workflow', main: true, class: 'job', by: (row) => row.definition, cell: (row) => h('a', { href: `#/workflows/${row.id}` }, h('code', {}, row.definition),
        h('span', { class: 'note' }, [shortId(row.id), ...Object.entries(row.labels).sort().map(([key, value]) => `${key}=${value}`)].join(' · '))) },
      { head: 'Steps', number: true, by: (row) => steps(row).done, cell: settled },
      { head: 'Created', by: (row) => row.createdAt, cell: (row) => ago(row.createdAt) },
      { head: 'Duration', number: true, by: lasted, cell: (row) => took(row.createdAt, row.endedAt) },
    ].filter(Boolean),
  });
  const others = h('p', { class: 'alert', role: 'status', hidden: true, 'data-testid': 'workflows-missing' });
  const low = h('p', { class: 'note', role: 'status', hidden: true, 'data-testid': 'counts-missing' });
  const foot = pages({ path: 'workflows', filter, size: PAGE, q, at: address, fail });
  const defined = definitions();
  const el = h('div', { class: 'jobs workflows' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Workflows'), search(q)),
    chips.el, low, problem, others, many.el, say.problem, say.done, h('section', { class: 'card flush' }, list.el), foot.el, defined.el);

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  /** Those of the archive are listed, too, and counted by nobody: the number is that of the cell. */
  function inCell() {
    const all = missing ? null : totalOf(q, counted);
    return all === null ? '' : `; ${lacks ? 'at least ' : ''}${count(all)} in the cell`;
  }

  function draw() {
    chips.update(missing ? null : counted, Boolean(lacks));
    show(low, Boolean(lacks && !missing));
    setText(low, lacks && `The numbers may be too low: ${lacks}.`);
    if (!page) return;
    selected.keep(page);
    list.update(page, missing ? NONE_READ : undefined);
    if (failed) list.unread(); // the rows are those that were read before
    show(others, Boolean(missing));
    setText(others, missing && othersMissing('instances', missing));
    foot.position(page.length, inCell);
  }

  const ends = [
    live.watch('workflows', { state: q.state || undefined, q: q.q || undefined, definition: q.definition || undefined, version: q.version || undefined, cursor: q.cursor || undefined, limit: PAGE }, (rows, error, failedAt) => {
      show(problem, Boolean(error));
      failed = Boolean(error);
      if (error) {
        setText(problem, unreadSince(error.detail, failedAt));
        list.unread();
        return;
      }
      missing = missingOf(rows);
      page = listed(rows);
      foot.filled(page.length, missing);
      draw();
    }),
    live.watch('workflow-counts', { definition: q.definition || undefined, version: q.version || undefined }, (rows, error) => {
      counted = error ? null : rows.get('counts')?.byState ?? null; // a number that is not known is not shown
      lacks = error ? null : rows.get('counts')?.missing ?? null;
      draw();
    }),
  ];
  return { el, title: 'Workflows', nav: 'workflows', leave: () => { ends.forEach((end) => end()); many.leave(); say.leave(); defined.stop(); } };
}
