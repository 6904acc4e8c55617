import { h, setText, show } from './dom.js';
import { ago, commandLine, count, labels, shortId, took } from './format.js';
import { badge, JOB_STATES, word } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const PAGE = 50;

const address = (q) => `#/jobs${api.query(q)}`;
const lastRun = (job) => job.runs[job.runs.length - 1];

function filters(q) {
  const all = h('a', { href: address({ ...q, state: undefined, cursor: undefined }), class: 'chip', 'data-testid': 'filter-all', 'aria-current': !q.state && 'true' }, 'All');
  const chips = new Map(JOB_STATES.map((state) => {
    const number = h('span', { class: 'number' });
    const el = h('a', { href: address({ ...q, state, cursor: undefined }), class: 'chip', 'data-testid': `filter-${state}`, 'aria-current': q.state === state && 'true' }, badge(state), number);
    return [state, { el, number }];
  }));
  function update(byState) {
    chips.forEach(({ el, number }, state) => {
      setText(number, count(byState[state] || 0));
      show(el, Boolean(byState[state]) || q.state === state);
    });
  }
  update({});
  return { el: h('nav', { class: 'chips', 'aria-label': 'Filter by state' }, all, [...chips.values()].map((chip) => chip.el)), update };
}

function search(q) {
  const field = h('input', { type: 'search', id: 'search', name: 'q', value: q.q || '', placeholder: 'Id, command or label', 'data-testid': 'search', autocomplete: 'off' });
  return h('form', { class: 'search', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    location.hash = address({ ...q, q: field.value.trim(), cursor: undefined });
  } }, h('label', { for: 'search', class: 'unseen' }, 'Search jobs'), field, h('button', { type: 'submit' }, 'Search'));
}

export function jobs(live, q) {
  const chips = filters(q);
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true });
  const list = table({
    caption: q.state ? `Jobs: ${word(q.state)}` : 'Jobs, newest first', testid: 'jobs', key: (job) => job.id, href: (job) => `#/jobs/${job.id}`,
    empty: q.state || q.q ? 'No job matches.' : 'No jobs yet.',
    columns: [
      { head: 'State', cell: (job) => badge(job.state) },
      { head: 'Job', main: true, class: 'job', cell: (job) => h('a', { href: `#/jobs/${job.id}` },
        h('code', {}, commandLine(job.command)), h('span', { class: 'note' }, [shortId(job.id), ...labels(job).map(([k, v]) => `${k}=${v}`)].join(' · '))) },
      { head: 'Type', cell: (job) => job.type },
      { head: 'Created', cell: (job) => ago(job.createdAt) },
      { head: 'Duration', number: true, cell: (job) => took(lastRun(job)?.startedAt, lastRun(job)?.endedAt) },
      { head: 'Host', cell: (job) => lastRun(job)?.host ?? h('span', { class: 'none' }, '–') },
      { head: 'Exit', number: true, cell: (job) => lastRun(job)?.exitCode ?? h('span', { class: 'none' }, '–') },
    ],
  });
  const older = h('button', { type: 'button', 'data-testid': 'older', disabled: true, onclick: turnPage }, 'Older');
  const newest = h('a', { class: 'button', href: address({ ...q, cursor: undefined }), 'data-testid': 'newest', hidden: !q.cursor }, 'Newest');
  const el = h('div', { class: 'jobs' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Jobs'), search(q)),
    chips.el, problem, h('section', { class: 'card flush' }, list.el), h('div', { class: 'paging' }, newest, older));

  async function turnPage() {
    try {
      const page = await api.get(`jobs${api.query({ state: q.state, q: q.q, cursor: q.cursor, limit: PAGE })}`);
      if (page.next) location.hash = address({ ...q, cursor: page.next });
      else older.disabled = true;
    } catch (cause) {
      setText(problem, cause.message);
      show(problem, true);
    }
  }

  const ends = [
    live.watch('jobs', { state: q.state || undefined, q: q.q || undefined, cursor: q.cursor || undefined, limit: PAGE }, (rows, error) => {
      show(problem, Boolean(error));
      setText(problem, error?.detail);
      const page = [...rows.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
      older.disabled = page.length < PAGE;
      list.update(page);
    }),
    live.watch('overview', undefined, (rows) => chips.update(rows.get('jobs')?.byState || {})),
  ];
  return { el, title: 'Jobs', nav: 'jobs', leave: () => ends.forEach((end) => end()) };
}
