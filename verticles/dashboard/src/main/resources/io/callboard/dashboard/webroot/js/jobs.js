import { bulk } from './bulk.js';
import { none } from './cell.js';
import { h, setText, show } from './dom.js';
import { ago, count, jobLine, labels, shortId, took } from './format.js';
import { unreadSince } from './fresh.js';
import { pages, selection, stateChips, totalOf } from './listing.js';
import { listed, missingOf, NONE_READ, othersMissing } from './missing.js';
import { notice } from './notice.js';
import { badge, JOB_STATES, word } from './states.js';
import { table } from './table.js';
import { jobViews } from './types.js';
import { why, whyCell } from './why.js';
import * as api from './api.js';

const PAGE = 50;
const MANY = {
  path: 'job-actions', one: 'job', many: 'jobs', made: 'submitted', view: '#/jobs',
  actions: { cancel: ['Cancel', 'cancelled', true], rerun: ['Run again', 'queued once more', false], hold: ['Hold', 'held', false], release: ['Release', 'released', false] },
};

const address = (q) => `#/jobs${api.query(q)}`;
const lastRun = (job) => job.runs[job.runs.length - 1];
const ran = (job) => (lastRun(job)?.startedAt ? Date.parse(lastRun(job).endedAt ?? new Date().toISOString()) - Date.parse(lastRun(job).startedAt) : undefined);

function search(q) {
  const field = h('input', { type: 'search', id: 'search', name: 'q', value: q.q || '', placeholder: 'Id, command, arguments or label', 'data-testid': 'search', autocomplete: 'off' });
  const type = h('select', { 'aria-label': 'Type', 'data-testid': 'filter-type', onchange: go }, h('option', { value: '' }, 'All types'), q.type && h('option', { value: q.type, selected: true }, q.type));
  const form = h('form', { class: 'search', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    go();
  } }, type, h('label', { for: 'search', class: 'unseen' }, 'Search jobs'), field, h('button', { type: 'submit' }, 'Search'));

  function go() {
    location.hash = address({ ...q, type: type.value, q: field.value.trim(), cursor: undefined, after: undefined });
  }

  function update(types) {
    const known = new Set([...type.options].map((option) => option.value));
    [...types.keys()].sort().filter((name) => !known.has(name)).forEach((name) => type.append(h('option', { value: name }, name)));
  }

  return { el: form, update };
}

export function jobs(live, q) {
  let types = new Map();
  let page = null;
  let missing = null;
  let counted = null;
  let failed = false;
  const chips = stateChips(JOB_STATES, q.state, (state) => address({ ...q, state, cursor: undefined, after: undefined }));
  const find = search(q);
  const say = notice('bulk');
  const selected = selection((job) => `${jobLine(job)} ${shortId(job.id)}`, () => many.label());
  const may = !document.body.classList.contains('viewer');
  const filter = { type: q.type, state: q.state, q: q.q };
  const many = bulk(MANY, filter, selected.ids, say);
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'jobs-problem' });
  const others = h('p', { class: 'alert', role: 'status', hidden: true, 'data-testid': 'jobs-missing' });
  const list = table({
    caption: q.state ? `Jobs: ${word(q.state)}` : 'Jobs, newest first', testid: 'jobs', key: (job) => job.id, href: (job) => `#/jobs/${job.id}`,
    empty: q.state || q.q || q.type ? 'No job matches.' : 'No jobs yet.',
    columns: [
      may && selected.column,
      { head: 'State', by: (job) => JOB_STATES.indexOf(job.state), cell: (job) => badge(job.state) },
      { head: 'Job', main: true, class: 'job', by: (job) => jobLine(job), cell: (job) => h('a', { href: `#/jobs/${job.id}` },
        h('code', {}, jobLine(job)), h('span', { class: 'note' }, [shortId(job.id), ...labels(job).map(([k, v]) => `${k}=${v}`)].join(' · '))) },
      { head: 'Why', class: 'cause', by: (job) => { const reason = why(job, types); return typeof reason === 'string' ? reason : ''; }, cell: (job) => whyCell(job, types) },
      { head: 'Type', by: (job) => job.type, cell: (job) => job.type },
      { head: 'Created', by: (job) => job.createdAt, cell: (job) => ago(job.createdAt) },
      { head: 'Duration', number: true, by: ran, cell: (job) => took(lastRun(job)?.startedAt, lastRun(job)?.endedAt) },
      { head: 'Host', by: (job) => lastRun(job)?.host, cell: (job) => lastRun(job)?.host ?? none() },
      { head: 'Exit', number: true, by: (job) => lastRun(job)?.exitCode, cell: (job) => lastRun(job)?.exitCode ?? none() },
    ].filter(Boolean),
  });
  const foot = pages({ path: 'jobs', filter, size: PAGE, q, at: address, fail });
  const el = h('div', { class: 'jobs' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Jobs'), find.el),
    jobViews('jobs'), chips.el, problem, others, many.el, say.problem, say.done, h('section', { class: 'card flush' }, list.el), foot.el);

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  /** While some may be missing, how many there are is not known. */
  function ofAll(last) {
    const all = missing ? null : totalOf(q, counted);
    return all !== null && all >= last ? ` of ${count(all)}` : '';
  }

  function draw() {
    if (!page) return;
    selected.keep(page);
    // the gate is a part of the reason, so that a row changes with it
    list.update(page.map((job) => (job.state === 'QUEUED' ? { ...job, gate: why(job, types) instanceof Node ? '' : why(job, types) } : job)), missing ? NONE_READ : undefined);
    if (failed) list.unread(); // the rows are those that were read before
    show(others, Boolean(missing));
    setText(others, missing && othersMissing('jobs', missing));
    foot.position(page.length, ofAll);
  }

  const ends = [
    live.watch('jobs', { state: q.state || undefined, type: q.type || undefined, q: q.q || undefined, cursor: q.cursor || undefined, limit: PAGE }, (rows, error, failedAt) => {
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
    live.watch('types', undefined, (rows, error) => {
      if (error) return;
      types = rows;
      find.update(rows);
      draw();
    }),
    live.watch('overview', undefined, (rows) => {
      const section = rows.get('jobs');
      counted = q.type ? section?.byType?.[q.type] : section?.byState;
      chips.update(counted || {});
      draw();
    }),
  ];
  return { el, title: 'Jobs', nav: 'jobs', leave: () => { ends.forEach((end) => end()); many.leave(); say.leave(); } };
}
