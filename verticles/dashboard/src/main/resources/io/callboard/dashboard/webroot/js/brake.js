import { confirm } from './dialog.js';
import { h, refocus, setText, show } from './dom.js';
import { ago, count, stamp } from './format.js';
import { unreadSince } from './fresh.js';
import { repeat } from './repeat.js';
import { badge } from './states.js';
import * as api from './api.js';

const AGAIN_MS = 3000;

const creditOf = (brake) => (brake.credit === undefined ? 'any number' : count(brake.credit));

/** State of a brake with its credit, for lists. */
export function brakeState(brake) {
  const overridden = brake.overridden || Boolean(brake.override);
  return h('span', { class: 'brake-state' }, badge(overridden ? 'OVERRIDDEN' : brake.level),
    (overridden || brake.level === 'REDUCED') && h('span', { class: 'note' }, ` ${creditOf(brake)} may run`),
    brake.waiting > 0 && h('span', { class: 'note' }, ` ${count(brake.waiting)} wait`));
}

/** Brake of a definition: its state, its cause, what is set instead, its changes. */
export function brakeCard(name) {
  const path = `workflow-definitions/${encodeURIComponent(name)}/brake`;
  let last = '';
  const state = h('p', { 'data-testid': 'brake-state' });
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'brake-problem' });
  const facts = h('dl', { class: 'facts spread', 'data-testid': 'brake' });
  const changes = h('ol', { class: 'events', 'data-testid': 'brake-changes' });
  const history = h('details', { hidden: true }, h('summary', {}, 'Changes'), changes);
  const credit = h('input', { type: 'number', id: 'credit', min: 0, max: 1000000, value: 0, 'data-testid': 'brake-credit' });
  const reason = h('input', { type: 'text', id: 'reason', maxlength: 500, autocomplete: 'off', 'data-testid': 'brake-reason' });
  const release = h('button', { type: 'button', hidden: true, 'data-testid': 'brake-release', onclick: (event) => letGo(event.currentTarget) }, 'Let the measurements decide');
  const form = h('form', { class: 'brake-form', onsubmit: (event) => {
    event.preventDefault();
    set({ credit: credit.valueAsNumber });
  } },
  h('label', { for: 'credit' }, 'Instances at once'), credit, h('label', { for: 'reason' }, 'Reason'), reason,
  h('p', { class: 'actions' }, h('button', { type: 'submit', 'data-testid': 'brake-set' }, 'Set credit'),
    h('button', { type: 'button', class: 'bad', 'data-testid': 'brake-off', onclick: () => set({ off: true }) }, 'Turn off')));
  const change = h('details', {}, h('summary', { 'data-testid': 'brake-change' }, 'Override'), form);
  const el = h('section', { class: 'card' }, h('div', { class: 'headline' }, h('h2', {}, 'Brake'), h('p', { class: 'actions' }, release)),
    state, problem, facts, history, change);

  function set(what) {
    if (!reason.value.trim()) {
      fail('Give a reason, which everybody sees who asks why instances wait.');
      reason.focus();
      return;
    }
    api.because(reason.value);
    act(() => api.put(path, { ...what, reason: reason.value.trim() }));
  }

  async function letGo(pressed) {
    const sure = await confirm('Let the measurements decide?', 'What was set ends, and the brake measures anew: instances that wait may begin.', 'Let them decide', false);
    if (sure) act(() => api.remove(path));
    else refocus(pressed);
  }

  async function act(request) {
    try {
      await request();
      change.open = false;
      reason.value = '';
      await look();
    } catch (cause) {
      fail(cause.message);
    }
  }

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  async function look(signal) {
    const brake = await api.get(path, signal);
    show(problem, false);
    if (JSON.stringify(brake) === last) return;
    last = JSON.stringify(brake);
    const set = brake.override;
    const on = brake.credit !== undefined;
    state.replaceChildren(brakeState(brake));
    show(release, Boolean(set));
    const lines = [(on || set) && ['Since', stamp(brake.since)], on && ['Credit', creditOf(brake)], on && ['Running that count', count(brake.running)], (on || brake.waiting > 0) && ['Waiting', count(brake.waiting)],
      brake.nextProbe && ['Next probe', ago(brake.nextProbe)], brake.badWindows > 0 && ['Bad minutes in a row', brake.badWindows], set && ['Set by', set.by],
      (on || set || brake.changes.length > 0) && ['Cause', brake.cause, 'whole']];
    facts.replaceChildren(...lines.filter(Boolean).map(([field, value, wide]) => h('div', { class: wide }, h('dt', {}, field), h('dd', {}, value))));
    show(history, brake.changes.length > 0);
    changes.replaceChildren(...brake.changes.map((each) => h('li', {}, stamp(each.at),
      h('span', {}, badge(each.level), ` ${creditOf(each)} may run: ${each.cause}`))));
  }

  return { el, stop: repeat(AGAIN_MS, look, (cause, failedAt) => fail(unreadSince(cause.message, failedAt))) };
}
