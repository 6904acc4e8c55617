import { confirm } from './dialog.js';
import { h, longTitle, setText, show } from './dom.js';
import { ago, count, isoSpan, rate, stamp } from './format.js';
import { drawnAs, shapeOf, shapes } from './shapes.js';
import { badge } from './states.js';
import { address, strategy, tree, trouble } from './tree.js';
import * as api from './api.js';

const LIVES = new Set(['STARTING', 'RUNNING', 'WAITS']);
const RESUMABLE = new Set(['WAITS', 'FAILED', 'STOPPED']);

const ACTIONS = [
  { verb: 'restart', label: 'Restart', allowed: (state) => LIVES.has(state), done: 'It is being restarted.',
    text: 'is restarted, together with what needs it, and its failure counts are cleared. Its messages wait meanwhile.' },
  { verb: 'resume', label: 'Resume', allowed: (state) => RESUMABLE.has(state), done: 'It is being resumed.',
    text: 'runs again at once, together with what needs it, and handles the messages that wait.' },
  { verb: 'stop', label: 'Stop', allowed: (state, row) => LIVES.has(state) && row.zone !== 'toolkit', done: 'It is being stopped.', bad: true,
    text: 'is stopped, together with what needs it, until an operator resumes it; an actor that is not durable, only until the node restarts. Its messages wait.' },
];

const KINDS = {
  THROWN: 'A handler failed', OVERDUE: 'A handler took too long', START: 'Its start failed', START_OVERDUE: 'Its start took too long',
  OUTSIDE: 'Failed outside of a handler', BLOCKED: 'It blocked its thread', ESCALATED: 'The zone as a whole failed', UNDEPLOYED: 'Undeployed from outside',
  NODE_LOST: 'Its node was lost', POISONED: 'A message was parked', SNAPSHOT: 'A snapshot failed', COMMIT: 'A commit failed', INTERRUPTED: 'Something it needs was not available',
};

const DECISIONS = { RESUME: 'it continues', RESTART: 'it is restarted', STOP: 'it stops permanently', ESCALATE: 'its failure zone fails', PARK: 'it rests until it is resumed' };

function decision(failure) {
  if (!failure.decision) return null;
  const after = failure.delay ? ` after ${isoSpan(failure.delay)}` : '';
  return h('span', { class: 'note' }, `${DECISIONS[failure.decision] || failure.decision}${after}`);
}

/** Failures, newest first; an open stack trace stays open. */
function history() {
  const list = h('ol', { class: 'events history', 'data-testid': 'history' });
  const reading = new Set();
  let drawn = '';

  function entry(failure) {
    const stack = failure.stack && h('details', { open: reading.has(failure.at), ontoggle: (event) => {
      if (event.target.open) reading.add(failure.at);
      else reading.delete(failure.at);
    } }, h('summary', {}, 'Stack'), h('pre', { class: 'code', tabindex: 0 }, failure.stack));
    return h('li', {}, stamp(failure.at),
      h('div', {}, h('strong', {}, KINDS[failure.kind] || failure.kind), failure.times > 1 && ` ${count(failure.times)} times`, failure.decision && ': ', decision(failure),
        h('p', { class: 'cause' }, failure.cause), h('p', { class: 'note' }, `on ${failure.node}, after ${count(failure.restarts)} restarts`), stack));
  }

  function update(row) {
    const text = JSON.stringify([row.history, row.historyUnreadable]);
    if (text === drawn) return;
    drawn = text;
    const entries = [...(row.history || [])].reverse().map(entry);
    const nothing = row.historyUnreadable ? `The history cannot be read: ${row.historyUnreadable}` : 'No failures.';
    list.replaceChildren(...(entries.length ? entries : [h('li', { class: 'empty' }, nothing)]));
  }

  return { el: h('section', { class: 'card' }, h('h2', {}, 'Failures'), list), update };
}

const code = (text) => h('code', {}, text);
const linked = (path, node) => h('a', { href: address(path, { node }) }, code(path));

function facts(row, node) {
  const box = row.mailbox;
  return [
    row.strategy && ['Strategy', strategy(row)], row.type && ['Type', code(row.type)],
    ['Supervisor', row.supervisor ? linked(row.supervisor, node) : 'the root'],
    row.node && ['Node', row.node], row.owner && ['Owner', row.owner], row.zone && ['Zone', row.zone],
    row.children !== undefined && ['Children', count(row.children)],
    row.nextAttempt && ['Next attempt', ago(row.nextAttempt)], row.needs && ['Needs', linked(row.needs, node)],
    row.failures !== undefined && ['Failures', count(row.failures)],
    row.childFailures !== undefined && ['Failures of children', count(row.childFailures)],
    row.restarts !== undefined && ['Restarts', count(row.restarts)],
    row.childRestarts !== undefined && ['Restarts of children', count(row.childRestarts)],
    row.handled !== undefined && ['Handled', count(row.handled)],
    (box || row.queued !== undefined) && ['Waiting', count(box?.depth ?? row.queued)],
    box?.oldestAt && ['Oldest', ago(box.oldestAt)], box?.perSecond !== undefined && ['Per second', rate(box.perSecond)],
    box?.parked !== undefined && ['Parked', count(box.parked)],
    row.stored?.turn !== undefined && ['Turn', count(row.stored.turn)], row.stored?.unreadable && ['Damaged', row.stored.unreadable],
    row.lastFailureAt && ['Last failure', ago(row.lastFailureAt)],
    row.failingSince && ['Failures since it ran well', [count(row.failuresInARow), ', since ', ago(row.failingSince)]],
    row.interruptedSince && ['Interruptions in a row', [count(row.interruptionsInARow), ', since ', ago(row.interruptedSince)]],
  ].filter(Boolean);
}

/** How much an action reaches. */
function extent(row) {
  const mail = row.inside?.queued ?? row.mailbox?.depth ?? row.queued ?? 0;
  const within = row.inside ? `${count(row.inside.actors)} ${row.inside.actors === 1 ? 'actor is' : 'actors are'} in it; ` : '';
  return `${within}${count(mail)} ${mail === 1 ? 'message waits' : 'messages wait'} now.`;
}

export function actor(live, path, q) {
  const { node } = q;
  const shape = shapeOf(q.as);
  const state = h('span', { 'data-testid': 'actor-state' });
  const title = longTitle(path, 'actor-path');
  const actions = h('p', { class: 'actions' });
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'actor-problem' });
  const say = h('p', { class: 'note', role: 'status', 'data-testid': 'actor-done' });
  const next = h('p', { class: 'note', 'data-testid': 'next-attempt' });
  const list = h('dl', { class: 'facts', 'data-testid': 'actor-facts' });
  const past = history();
  const inside = h('section', { class: 'card flush', hidden: true },
    h('div', { class: 'headline' }, h('h2', {}, 'Contents'), shapes(shape, (as) => address(path, { node, as }))));
  const cards = h('div', { class: 'cards' }, h('div', { class: 'wide' }, past.el), h('section', { class: 'card' }, h('h2', {}, 'Facts'), list));
  const el = h('div', { class: 'supervision one' },
    h('p', { class: 'crumb' }, h('a', { href: '#/actors' }, 'Supervision')),
    h('div', { class: 'headline' }, h('div', { class: 'title' }, h('span', { class: 'actions' }, state, next), title.el), h('div', {}, actions, say)),
    problem, inside, cards);
  let contents = null;
  let drawn = '';
  let current = null;

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  async function act(action) {
    if (!(await confirm(`${action.label} ${path}?`, [`${path} ${action.text}`, extent(current)], action.label, action.bad))) return;
    try {
      show(problem, false);
      await api.post(`actors${path.split('/').map(encodeURIComponent).join('/')}/${action.verb}${current.node && current.node !== live.node ? api.query({ node: current.node }) : ''}`);
      setText(say, action.done);
    } catch (cause) {
      fail(cause.message);
    }
  }

  function buttons(row) {
    current = row;
    if (actions.dataset.state === row.state) return;
    const hadFocus = actions.contains(document.activeElement);
    actions.dataset.state = row.state;
    setText(say, '');
    actions.replaceChildren(...ACTIONS.filter((action) => action.allowed(row.state, row)).map((action) => h('button', {
      type: 'button', 'data-testid': `action-${action.verb}`, class: action.bad && 'bad', onclick: () => act(action),
    }, action.label)));
    if (hadFocus) (actions.querySelector('button') || title.title).focus();
  }

  function shown(row) {
    show(cards, true);
    const there = row.node === live.node ? undefined : row.node;
    past.update(row);
    if (row.kind === 'zone' && contents?.node !== row.node) open(row.node, there);
    show(inside, Boolean(contents));
    const text = JSON.stringify({ ...row, history: null, mailbox: { ...row.mailbox, age: null } });
    if (text === drawn) return;
    drawn = text;
    state.replaceChildren(badge(row.state));
    buttons(row);
    next.replaceChildren(...(row.nextAttempt ? ['next attempt ', ago(row.nextAttempt)] : row.needs ? ['until ', linked(row.needs, there), ' is resumed'] : row.owner ? [`owned by node ${row.owner}`] : row.node !== live.node && row.node ? ['on ', h('a', { href: `#/nodes/${encodeURIComponent(row.node)}` }, `node ${row.node}`)] : trouble(row.inside)));
    list.replaceChildren(...facts(row, there).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  /** Opens what is in the zone, which may have gone to another node. */
  function open(owner, there) {
    contents?.list.leave();
    contents?.list.el.remove();
    contents = { node: owner, list: tree(live, path, `Contents of ${path}`, { node: there, picture: drawnAs(shape) }) };
    inside.append(contents.list.el);
  }

  function gone() {
    drawn = '';
    show(cards, false);
    show(inside, false);
    state.replaceChildren();
    next.replaceChildren();
    actions.replaceChildren();
    delete actions.dataset.state;
    fail('No node that answers has an actor or a failure zone with this path.');
  }

  const end = live.watch('actors', { path, node }, (rows, error) => {
    if (error) drawn = '';
    if (error) return fail(error.detail);
    const row = rows.get(path);
    if (!row) return gone();
    if (drawn === '') show(problem, false);
    return shown(row);
  });
  return { el, title: path, nav: 'actors', leave: () => { end(); contents?.list.leave(); } };
}
