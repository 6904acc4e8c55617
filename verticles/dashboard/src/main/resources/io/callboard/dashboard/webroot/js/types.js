import { meter, none } from './cell.js';
import { ask } from './dialog.js';
import { h, refocus } from './dom.js';
import { ago, count, isoSpan } from './format.js';
import { labelLimits, limitField, runs } from './labellimits.js';
import { notice } from './notice.js';
import { badge, isWaiting } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const state = (type) => (type.paused ? 'PAUSED' : type.running >= type.limit ? 'GATE_FULL' : 'TAKES');
const jobs = (n) => `${count(n)} ${n === 1 ? 'job' : 'jobs'}`;
const later = (type) => Object.entries(type.byState).filter(([each]) => isWaiting(each) && each !== 'QUEUED').reduce((sum, [, n]) => sum + n, 0);

/** Share of a host's slots that runs of a type take at most, in percent. */
const share = (type) => Math.round((type.maxShare ?? 1) * 10000) / 100;

/** How long ended jobs of a type are kept, where that is not as the nodes' options say. */
const kept = ({ retention }) => (retention ? Object.entries(retention).map(([of, time]) => `${of} ${isoSpan(time)}`).join(', ') : none());

/** Who paused a type, since when and why. */
const paused = ({ by, at, reason }) => h('div', { class: 'note', 'data-testid': 'paused-by' }, by && `by ${by} `, ago(at), reason && `: ${reason}`);

/** Links between jobs and their types. */
export function jobViews(current) {
  const link = (name, label) => h('a', { href: `#/${name}`, class: 'chip', 'data-testid': `of-${name}`, 'aria-current': name === current && 'page' }, label);
  return h('nav', { class: 'chips', 'aria-label': 'Views of jobs' }, link('jobs', 'Jobs'), link('types', 'Types'));
}

function listed(type, jobState, n) {
  return n ? h('a', { href: `#/jobs${api.query({ type: type.name, state: jobState })}` }, count(n)) : count(0);
}

export function types(live) {
  const say = notice('types');

  function button(type, verb, label, act, bad) {
    return h('button', { type: 'button', class: bad && 'bad', 'data-verb': verb, 'aria-label': `${label} ${type.name}`, onclick: (event) => act(type, event.currentTarget) }, label);
  }

  const list = table({
    caption: 'Types of jobs', testid: 'types', key: (type) => type.name, empty: 'No types.',
    columns: [
      { head: 'Type', main: true, by: (type) => type.name, cell: (type) => h('a', { href: `#/jobs${api.query({ type: type.name })}` }, h('code', {}, type.name)) },
      { head: 'Gate', by: state, class: 'wide-cell', cell: (type) => [badge(state(type)), type.pause && paused(type.pause)] },
      { head: 'Running of limit', class: 'bar-cell', by: (type) => type.running, cell: (type) => meter(type.running, type.limit, `${count(type.running)} of ${count(type.limit)}`) },
      { head: 'Queued', number: true, by: (type) => type.queued, cell: (type) => listed(type, 'QUEUED', type.queued) },
      { head: 'Not due', number: true, by: later, cell: (type) => count(later(type)) },
      { head: 'Dead', number: true, by: (type) => type.byState.DEAD, cell: (type) => listed(type, 'DEAD', type.byState.DEAD) },
      { head: 'Attempts', number: true, by: (type) => type.retry?.attempts, cell: (type) => type.retry?.attempts ?? none() },
      { head: 'Share of a host', number: true, by: (type) => type.maxShare, cell: (type) => (type.maxShare ? `${share(type)} %` : none()) },
      { head: 'Kept', class: 'cause', cell: kept },
      { head: 'Actions', class: 'act', cell: (type) => h('span', { class: 'actions' }, button(type, 'limit', 'Limit', limit),
        type.paused ? button(type, 'resume', 'Resume', resume) : button(type, 'pause', 'Pause', pause, true)) },
    ],
  });

  const path = (type) => `types/${encodeURIComponent(type.name)}`;

  async function pause(type, pressed) {
    const text = `No run of it is started until it is resumed: ${jobs(type.queued)} queued wait, and so do new ones. ${runs(type.running)} under way go on.`;
    if (!(await ask({ title: `Pause ${type.name}?`, text, yes: 'Pause' }))) return refocus(pressed);
    return say.run(list.busy(type.name), `Failed for ${type.name}`, async () => {
      await api.post(`${path(type)}/pause`);
      return `${type.name} is paused.`;
    });
  }

  async function resume(type, pressed) {
    const begins = Math.min(type.queued, Math.max(0, type.limit - type.running));
    const text = `${jobs(type.queued)} queued may start, ${begins} of them at once where hosts have slots.`;
    if (!(await ask({ title: `Resume ${type.name}?`, text, yes: 'Resume', bad: false }))) return refocus(pressed);
    return say.run(list.busy(type.name), `Failed for ${type.name}`, async () => {
      await api.post(`${path(type)}/resume`);
      return `${type.name} is resumed.`;
    });
  }

  async function limit(type, pressed) {
    const before = share(type);
    const given = await ask({ title: `Limit of ${type.name}`, bad: false, yes: 'Set the limit',
      text: `${runs(type.running)} now, ${jobs(type.queued)} queued. A lower limit ends no run; it takes effect as they end.`,
      fields: [limitField(type.limit), { name: 'share', label: 'Share of a host’s slots, in percent; 100 for all', type: 'number', min: 0.01, max: 100, step: 'any', required: true, value: before }] });
    if (!given) return refocus(pressed);
    return say.run(list.busy(type.name), `Failed for ${type.name}`, async () => {
      const wanted = Number(given.share);
      const changed = await api.put(path(type), { limit: Number(given.limit), ...(wanted !== before && { maxShare: wanted / 100 }) });
      return `${changed.name}: at most ${runs(changed.limit)} at once${changed.maxShare ? `, and ${share(changed)} % of a host’s slots` : ''}.`;
    });
  }

  const labels = labelLimits();
  const el = h('div', { class: 'cell' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Types'), say.done), jobViews('types'), say.problem,
    h('section', { class: 'card flush' }, list.el), labels.el);
  const end = live.watch('types', undefined, say.reader((rows) => list.update([...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1))), list.unread));
  return { el, title: 'Types', nav: 'jobs', leave: () => { end(); labels.stop(); } };
}
