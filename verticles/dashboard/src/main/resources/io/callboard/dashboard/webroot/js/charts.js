// Figures of the node over time, as charts.

import { chart } from './chart.js';
import { h, setText, show } from './dom.js';
import { isoMs, moment } from './format.js';
import { freshness } from './fresh.js';
import { repeat } from './repeat.js';
import * as api from './api.js';

const CHARTS = {
  runs: ['Runs', { started: 'started', ended: 'ended' }],
  backlog: ['Jobs that wait, by type', {}],
  jobWaits: ['Wait of jobs for their run', { p50: 'median', p99: '99th percentile' }],
  failures: ['Failures in each step', { runs: 'runs of jobs', actors: 'of actors', parked: 'messages parked', dead: 'dead letters' }],
  messages: ['Messages', { handled: 'handled', sent: 'sent', turns: 'turns committed' }],
  commits: ['Time of a commit', { p50: 'median', p99: '99th percentile' }],
  threadWaits: ['Wait of actors for a thread', { p50: 'median', p99: '99th percentile' }],
};
const SCOPES = { CELL: 'of the cell', NODE: 'of this node', PARTITIONS: 'of jobs in this node’s partitions' };
const RANGES = { '15m': ['15 minutes', 5000], '1h': ['1 hour', 10000], '24h': ['24 hours', 60000] };

let range = '15m'; // stays from one view to the next

export function charts() {
  const known = Object.fromEntries(Object.entries(CHARTS).map(([name, [title]]) => [name, chart(name, title)]));
  const all = Object.values(known);
  const since = h('p', { class: 'note', 'data-testid': 'charts-since' });
  const switches = Object.entries(RANGES).map(([name, [label]]) => h('button', { type: 'button', class: 'chip', 'data-range': name, 'data-testid': `range-${name}`, onclick: () => choose(name) }, label));
  const el = h('section', { class: 'card charts', 'data-testid': 'charts' },
    h('div', { class: 'headline' }, h('h2', {}, 'Over time'), h('div', { class: 'actions', role: 'group', 'aria-label': 'Time that the charts cover' }, switches)),
    since, h('div', { class: 'grid' }, all.map((each) => each.el)));
  const unread = freshness(el);
  let end = () => {};
  all.forEach((each) => show(each.el, false));

  function update(history) {
    unread(null, null);
    el.dataset.range = history.range;
    const common = { from: Date.parse(history.from), stepMs: isoMs(history.step), steps: history.measured.length, measured: history.measured };
    for (const [name, each] of Object.entries(known)) {
      const series = history.series.filter((one) => one.chart === name && !(one.rest && one.values.every((n) => !n)));
      show(each.el, series.length > 0);
      if (!series.length) continue;
      const scopes = [...new Set(series.map((one) => one.scope))];
      const label = (one) => `${one.rest ? 'other types' : CHARTS[name][1][one.name] || one.name}${scopes.length > 1 && one.scope === 'PARTITIONS' ? ' (this node’s partitions)' : ''}`;
      each.update({ ...common, scope: SCOPES[scopes[scopes.length - 1]], curves: series.map((one) => ({ name: one.name, label: label(one), unit: one.unit, values: one.values })) });
    }
    setText(since, history.since ? `Measured by node ${history.node} since ${moment(history.since)}, in steps of ${history.step.slice(2).toLowerCase().replace(/(\d)([a-z])/g, '$1 $2').replace('m', 'min')}. Grey: not measured.` : 'Nothing was measured yet.');
  }

  function choose(name) {
    range = name;
    for (const each of switches) each.setAttribute('aria-pressed', each.dataset.range === range);
    end();
    end = repeat(RANGES[range][1], async (signal) => update(await api.get(`history?range=${range}`, signal)), (cause, failedAt) => unread(cause.message, failedAt));
  }

  choose(range);
  const events = (rows) => all.forEach((each) => each.happened(rows.map((row) => ({ ...row, at: Date.parse(row.at) }))));
  return { el, events, leave: () => { end(); all.forEach((each) => each.leave()); } };
}
