import { h, setText } from './dom.js';
import { ago, count, isoSpan, rate } from './format.js';
import { unreadSince } from './fresh.js';
import { repeat } from './repeat.js';
import { table } from './table.js';
import * as api from './api.js';

const AGAIN_MS = 5000;

const span = (iso) => (iso ? isoSpan(iso) : h('span', { class: 'none' }, '–'));
const figure = (value) => (value === undefined ? h('span', { class: 'none' }, '–') : count(value));

/** Throughput, failures and durations of a definition and its steps. */
export function countedCard(name) {
  const said = h('p', { class: 'note', 'data-testid': 'counted-since' });
  const rows = table({
    caption: 'What was counted', testid: 'counted', key: (row) => row.key, empty: 'Nothing was counted yet.',
    columns: [
      { head: 'Of', main: true, cell: (row) => (row.step ? h('code', {}, row.step) : 'Instances') },
      { head: 'Succeeded', number: true, cell: (row) => figure(row.succeeded) },
      { head: 'Failed', number: true, cell: (row) => figure(row.failed) },
      { head: 'Retries', number: true, cell: (row) => figure(row.retries) },
      { head: 'Lost', number: true, cell: (row) => figure(row.lost) },
      { head: 'Half take', number: true, cell: (row) => span(row.durations.p50) },
      { head: '99 % take', number: true, cell: (row) => span(row.durations.p99) },
    ],
  });
  const el = h('section', { class: 'card flush counted' }, h('h2', {}, 'Throughput'), said, rows.el);

  async function look(signal) {
    const stats = await api.get(`workflow-definitions/${encodeURIComponent(name)}/stats`, signal);
    said.replaceChildren(`${rate(stats.endedPerMinute)} ended a minute, ${count(stats.cancelled)} cancelled; counted since the nodes started, the first `, ago(stats.since),
      stats.partial ? '; a node did not answer, so its numbers are missing' : '');
    rows.update([{ key: ' ', ...stats, steps: undefined }, ...Object.entries(stats.steps).map(([step, its]) => ({ key: step, step, ...its }))]);
  }

  function unread(cause, failedAt) {
    setText(said, unreadSince(cause.message, failedAt));
    rows.unread();
  }

  return { el, stop: repeat(AGAIN_MS, look, unread) };
}
