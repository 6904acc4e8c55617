// Actions on many jobs or workflows: told before how many, then at a rate, with what failed.

import { ask } from './dialog.js';
import { h, setText, show } from './dom.js';
import { count, moment } from './format.js';
import { repeat } from './repeat.js';
import { word } from './states.js';
import * as api from './api.js';

const RATE = 10;
const MOST_RATE = 100;
const AGAIN_MS = 1000;

const some = (kind, n) => `${count(n)} ${n === 1 ? kind.one : kind.many}`;

/** Extent of an action in words, for the question before it. */
function extentOf(kind, extent, done) {
  const { matched, more, total, byState, oldest, newest, incomplete } = extent;
  return [
    `${count(matched)} of ${some(kind, Math.max(total, matched))} will be ${done}: ${Object.entries(byState).map(([state, n]) => `${count(n)} ${word(state).toLowerCase()}`).join(', ')}.`,
    matched === 1 ? `It was ${kind.made} ${moment(oldest)}.` : `The oldest was ${kind.made} ${moment(oldest)}, the newest ${moment(newest)}.`,
    more && 'These are the oldest, as many as one request may reach: more match.',
    incomplete && `There may be others: ${incomplete}.`,
  ];
}

const ENDS = { RUNNING: 'under way', ENDED: 'done', STOPPED: 'stopped', GAVE_UP: 'given up', INTERRUPTED: 'interrupted' };

/**
 * Bar of actions on what is listed.
 *
 * kind: what is listed: { path of its actions in the REST interface, one, many, made: words for it, view: address of one,
 *   actions: { verb: [label, what it is afterwards, whether it is bad] } }
 * filter: what is listed, as the REST interface takes it
 * selected: set of the ids that are selected, which may change; say: notice of the view
 */
export function bulk(kind, filter, selected, say) {
  let stop = null;
  let seen = false;
  const action = h('select', { 'aria-label': `Action on several ${kind.many}`, 'data-testid': 'bulk-action' }, Object.entries(kind.actions).map(([value, [label]]) => h('option', { value }, label)));
  const go = h('button', { type: 'button', 'data-testid': 'bulk-go', onclick: begin });
  const line = h('span', { class: 'note', 'data-testid': 'bulk-line' });
  const end = h('button', { type: 'button', 'data-testid': 'bulk-stop', onclick: () => say.run(busy(end), 'Not stopped', async () => {
    draw(await api.remove(kind.path));
    return `No further ${kind.one} is begun.`;
  }) }, 'Stop');
  const list = h('ul', { 'data-testid': 'bulk-failures' });
  const failures = h('details', {}, h('summary', {}, 'What failed'), list);
  const progress = h('div', { role: 'group', 'aria-label': 'Progress', hidden: true, 'data-testid': 'bulk-progress' }, line, ' ', end, failures);
  const el = h('div', { class: 'bulk', 'data-verb': 'bulk' }, h('p', { class: 'actions' }, action, go), progress);

  const busy = (button) => (on) => (on ? button.setAttribute('aria-disabled', 'true') : button.removeAttribute('aria-disabled'));

  function label() {
    setText(go, selected.size ? `Act on ${count(selected.size)} selected` : 'Act on all that match');
  }

  async function told(verb, done, ids) {
    if (ids) return [`${some(kind, ids.length)} will be ${done}, as far as their state allows it.`];
    const extent = await api.get(`${kind.path}/${verb}${api.query(filter)}`);
    if (!extent.matched) throw new Error(`None of the ${kind.many} that match can be ${done}${extent.incomplete ? `; ${extent.incomplete}` : ''}.`);
    return Object.assign(extentOf(kind, extent, done), { limit: extent.matched, newest: extent.newest });
  }

  async function begin() {
    const verb = action.value;
    const [name, done, bad] = kind.actions[verb];
    const ids = selected.size ? [...selected] : null;
    let text = null;
    busy(go)(true);
    try {
      text = await told(verb, done, ids);
    } catch (cause) {
      say.fail(cause.message);
    }
    busy(go)(false);
    if (!text || say.left.aborted) return;
    const given = await ask({ title: `${name}: several ${kind.many}?`, text: [...text, 'It goes on if this page is left, until the node stops.'], bad, yes: `${name}: ${count(ids ? ids.length : text.limit)}`,
      fields: [{ name: 'rate', label: `${kind.many[0].toUpperCase()}${kind.many.slice(1)} a second`, type: 'number', min: 0.01, max: MOST_RATE, step: 'any', required: true, value: RATE }] });
    if (given) {
      await say.run(busy(go), 'Not begun', async () => {
        seen = true;
        draw(await api.post(`${kind.path}/${verb}`, { ...(ids ? { ids } : { filter: { ...filter, createdUntil: text.newest }, limit: text.limit }), ratePerSecond: Number(given.rate) }));
        watch();
        return '';
      });
    }
    go.focus();
  }

  function draw(run) {
    seen ||= ['RUNNING', 'INTERRUPTED'].includes(run?.state);
    show(progress, Boolean(run) && seen);
    if (!run) return;
    const tried = run.done + run.failed;
    setText(line, `${kind.actions[run.action]?.[0] ?? run.action}: ${count(tried)} of ${some(kind, run.matched)} tried, ${count(run.failed)} failed; ${ENDS[run.state]}${run.why ? `: ${run.why}` : ''}.${run.incomplete ? ` There may be others: ${run.incomplete}.` : ''}`);
    progress.dataset.state = run.endedAt ? run.state : 'RUNNING';
    show(end, run.state === 'RUNNING');
    show(failures, run.failed);
    list.replaceChildren(...run.failures.map((each) => h('li', {}, h('a', { href: `${kind.view}/${encodeURIComponent(each.id)}` }, h('code', {}, each.id)), ` ${each.detail}`)),
      run.failed > run.failures.length && h('li', {}, `${count(run.failed - run.failures.length)} more`) || '');
  }

  /** Looks how far it is, until it has ended. */
  function watch() {
    stop?.();
    stop = repeat(AGAIN_MS, async (signal) => {
      const { items: [run] } = await api.get(kind.path, signal);
      draw(run);
      if (!run || run.endedAt) stop();
    }, (cause) => say.fail(cause.message));
  }

  label();
  watch();
  return { el, label, leave: () => stop?.() };
}
