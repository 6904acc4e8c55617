import { meter } from './cell.js';
import { ask, confirm } from './dialog.js';
import { h, hold, refocus } from './dom.js';
import { count } from './format.js';
import { notice } from './notice.js';
import { repeat } from './repeat.js';
import { table } from './table.js';
import * as api from './api.js';

const AGAIN_MS = 3000;
const MOST_LIMIT = 100000;
const MOST_LABEL = 400;

export const runs = (n) => `${count(n)} ${n === 1 ? 'run' : 'runs'}`;

/** Field of a question for a limit. */
export const limitField = (value) => ({ name: 'limit', label: 'Runs at once in the cell', type: 'number', min: 0, max: MOST_LIMIT, step: 1, required: true, value });

const labelField = { name: 'label', label: 'Label: KEY=VALUE, or KEY for any value of it', maxlength: MOST_LABEL, required: true,
  check: (given) => (given.trim() ? null : 'Give a label, such as db=acme.') };

const path = (label) => `limits/${encodeURIComponent(label)}`;

/** The limits of labels, which hold over all types: how much of each is used, set and removed. */
export function labelLimits() {
  const say = notice('label-limits');
  let limits = [];
  const heading = h('h2', { tabindex: -1 }, 'Limits of labels');
  const add = h('button', { type: 'button', 'data-verb': 'limit-label', onclick: (event) => limitAnother(event.currentTarget) }, 'Limit a label');
  const line = h('div', { class: 'actions' }, say.done, add);

  function button(limit, verb, label, act, bad) {
    return h('button', { type: 'button', class: bad && 'bad', 'data-verb': verb, 'aria-label': `${label} ${limit.label}`, onclick: (event) => act(limit, event.currentTarget) }, label);
  }

  const list = table({
    caption: 'Limits of labels', testid: 'label-limits', key: (limit) => limit.label, empty: 'No label has a limit.',
    columns: [
      { head: 'Label', main: true, by: (limit) => limit.label, cell: (limit) => h('code', {}, limit.label) },
      { head: 'Running of limit', class: 'bar-cell', by: (limit) => limit.used, cell: (limit) => meter(limit.used, limit.running, `${count(limit.used)} of ${count(limit.running)}`) },
      { head: 'Actions', class: 'act', cell: (limit) => h('span', { class: 'actions' }, button(limit, 'limit', 'Limit', change), button(limit, 'limit-remove', 'Remove', remove, true)) },
    ],
  });

  function draw(now) {
    limits = now;
    list.update([...limits].sort((a, b) => (a.label < b.label ? -1 : 1)));
  }

  const others = (label) => limits.filter((limit) => limit.label !== label);

  function set(label, running, busy) {
    return say.run(busy, `Failed for ${label}`, async () => {
      const changed = await api.put(path(label), { running });
      draw([...others(label), changed]);
      return `${changed.label}: at most ${runs(changed.running)} at once.`;
    });
  }

  async function change(limit, pressed) {
    const given = await ask({ title: `Limit of ${limit.label}`, bad: false, yes: 'Set the limit',
      text: `${runs(limit.used)} now. A lower limit ends no run; it takes effect as they end.`, fields: [limitField(limit.running)] });
    return given ? set(limit.label, Number(given.limit), list.busy(limit.label)) : refocus(pressed);
  }

  async function limitAnother(pressed) {
    const given = await ask({ title: 'Limit a label', bad: false, yes: 'Set the limit',
      text: 'It counts the runs of all jobs with the label, whatever their type. It ends no run; it takes effect as they end.', fields: [labelField, limitField(1)] });
    return given ? set(given.label.trim(), Number(given.limit), (on) => hold(line, on)) : refocus(pressed);
  }

  async function remove(limit, pressed) {
    const text = `${runs(limit.used)} now, of ${count(limit.running)} at most. Jobs that it holds back may start at once, as far as their types and the hosts have room.`;
    if (!(await confirm(`Remove the limit of ${limit.label}?`, text, 'Remove'))) {
      refocus(pressed);
      return;
    }
    const { label } = limit; // the row is gone then
    await say.run(list.busy(label), `Failed for ${label}`, async () => {
      await api.remove(path(label));
      draw(others(label));
      return `${label} has no limit.`;
    });
    if (document.activeElement === document.body) heading.focus();
  }

  const told = say.reader(draw, list.unread);
  const stop = repeat(AGAIN_MS, async (signal) => told((await api.get('limits', signal)).items), (cause, failedAt) => told(null, { detail: cause.message }, failedAt));
  const el = [say.problem, h('section', { class: 'card flush' }, h('div', { class: 'headline' }, heading, line), list.el)];
  return { el, stop };
}
