import { none } from './cell.js';
import { ask, confirm } from './dialog.js';
import { h, hold, refocus, setText, show } from './dom.js';
import { count } from './format.js';
import { table } from './table.js';
import { address } from './tree.js';
import * as api from './api.js';

const VARIES = /'[^']*'|"[^"]*"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![A-Za-z])\d[\d.,:_-]*/gi;
const GAP = '…';
const LONGEST_CAUSE = 1000;
const RATE = 10;
const MOST_RATE = 1000;
const MOST_FAILED = 3;

const messages = (n) => `${count(n)} ${n === 1 ? 'message' : 'messages'}`;
/** What is asked before a message is replayed as it is. */
export const replayQuestion = (parked) => ['Replay the message?', `It is put back into the mailbox of ${parked.actor} and handled again. If it fails again, it is parked again.`, 'Replay', false];
/** Says of messages whose class the node does not know how their secrets were found. */
export const byNames = (whose, testid) => h('p', { class: 'note', hidden: true, 'data-testid': testid }, `This node does not know the class of ${whose}: only what is named like a secret is masked, not what is @Sensitive.`);
export const messageAddress = (id) => `#/deadletters/${encodeURIComponent(id)}`;

/** Cause without what differs from one message to the next: numbers, ids and quoted names. */
export const fingerprint = (cause) => (cause || '').replace(VARIES, GAP);

/** Messages that failed in the same way, the most frequent first. */
export function grouped(rows) {
  const groups = new Map();
  for (const parked of rows) {
    const print = fingerprint(parked.cause);
    const key = `${parked.type ?? ''} ${print}`;
    const group = groups.get(key) || { key, print, type: parked.type, actors: [], ids: [] };
    if (!group.actors.includes(parked.actor)) group.actors.push(parked.actor);
    group.ids.push(parked.id);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.ids.length - a.ids.length || (a.key < b.key ? -1 : 1));
}

/** Filter of the REST interface that matches a group, and maybe more. */
function filterOf(group) {
  const cause = group.print.split(GAP).sort((a, b) => b.length - a.length)[0].slice(0, LONGEST_CAUSE);
  return { ...(group.type && { type: group.type }), ...(cause && { cause }), ...(group.actors.length === 1 && { actor: group.actors[0] }) };
}

function matches(filter, parked) {
  return (!filter.type || parked.type === filter.type) && (!filter.cause || (parked.cause || '').includes(filter.cause))
    && (!filter.actor || parked.actor === filter.actor || parked.actor.startsWith(`${filter.actor}/`));
}

const inWords = (filter) => [filter.type && `of type ${filter.type}`, filter.actor && `for ${filter.actor} and below`, filter.cause && `whose cause contains “${filter.cause}”`].filter(Boolean).join(', ') || 'in the cell';

/** Asks how fast, and replays all that a filter matches. */
async function replayMany(filter, rows, cut, say, busy, pressed) {
  const known = rows.filter((parked) => matches(filter, parked)).length;
  const given = await ask({ title: 'Replay parked messages?', bad: false, yes: 'Replay',
    text: [`Every parked message ${inWords(filter)} is put back into its mailbox, in order for each actor: ${messages(known)}${cut ? ' of those shown, and there may be more' : ''}.`,
      'One that fails again is parked again.'],
    fields: [{ name: 'rate', label: 'Messages a second', type: 'number', min: 0.01, max: MOST_RATE, step: 'any', required: true, value: RATE }] });
  if (!given) return refocus(pressed);
  return say.run(busy, 'Not replayed', async () => {
    const { matched } = await api.post('deadletters/replay', { filter, ratePerSecond: Number(given.rate) });
    return `${messages(matched)} ${matched === 1 ? 'is' : 'are'} replayed, ${given.rate} a second.`;
  });
}

/** Discards one after the other until the view is left, or several in a row failed; returns, or throws, what became of them. */
async function discardAll(ids, say) {
  const n = { done: 0, gone: 0, failed: 0 };
  let inRow = 0;
  let cause = '';
  const why = api.reasonGiven(); // another button may be pressed meanwhile
  for (const id of ids) {
    if (say.left.aborted || inRow === MOST_FAILED) break;
    try {
      await api.post(`deadletters/${encodeURIComponent(id)}/discard`, undefined, why);
      n.done++;
      inRow = 0;
    } catch (wrong) {
      const gone = wrong.status === 404; // replayed or discarded by another
      n[gone ? 'gone' : 'failed']++;
      inRow = gone ? 0 : inRow + 1;
      if (!gone) cause = wrong.message;
    }
    say.say(`${count(n.done)} of ${messages(ids.length)} discarded.`);
  }
  const left = ids.length - n.done - n.gone - n.failed;
  const words = [`${messages(n.done)} discarded`, n.gone && `${count(n.gone)} gone already`, n.failed && `${count(n.failed)} failed and still parked`,
    left && `${count(left)} not tried`].filter(Boolean).join(', ');
  if (cause) throw new Error(`${words}. ${cause}`);
  return `${words}.`;
}

/** Groups of parked messages, each acted on as a whole. */
function groups(say) {
  let all = [];
  let cut = false;
  const list = table({
    caption: 'Parked messages by cause', testid: 'groups', key: (group) => group.key,
    columns: [
      { head: 'Cause', main: true, class: 'cause', by: (group) => group.print, cell: (group) => h('span', { class: 'clamp', title: group.print }, group.print || none()) },
      { head: 'Message', by: (group) => group.type, cell: (group) => group.type ?? none() },
      { head: 'Actors', number: true, by: (group) => group.actors.length, cell: (group) => h('span', { title: group.actors.slice(0, 10).join('\n') }, count(group.actors.length)) },
      { head: 'Messages', number: true, by: (group) => group.ids.length, cell: (group) => count(group.ids.length) },
      { head: 'Actions', class: 'act', cell: (group) => h('span', { class: 'actions' },
        h('button', { type: 'button', 'data-verb': 'replay-group', onclick: (event) => replayMany(filterOf(group), all, cut, say, list.busy(group.key), event.currentTarget) }, 'Replay these'),
        h('button', { type: 'button', class: 'bad', 'data-verb': 'discard-group', onclick: (event) => discard(group, event.currentTarget) }, 'Discard these')) },
    ],
  });
  const el = h('div', { class: 'groups', hidden: true }, list.el);

  async function discard(group, pressed) {
    const text = `${messages(group.ids.length)} for ${group.actors.length === 1 ? group.actors[0] : `${count(group.actors.length)} actors`} will be deleted permanently, one after the other. Leaving this page ends it.`;
    if (!(await confirm('Discard these messages?', text, `Discard ${count(group.ids.length)}`))) return refocus(pressed);
    return say.run(list.busy(group.key), 'Not all were discarded', () => discardAll([...group.ids], say));
  }

  function update(rows, isCut) {
    all = rows;
    cut = isCut;
    const found = grouped(rows);
    show(el, found.some((group) => group.ids.length > 1));
    list.update(found);
  }

  return { el, update };
}

/** Parked messages, each with what can be done about it, and groups of them. */
export function parkedMessages(say, most) {
  const gone = new Set();
  let rows = new Map();
  const heading = h('h2', { tabindex: -1 }, 'Parked messages');
  const total = h('span', { class: 'note', 'data-testid': 'parked-total' });
  const groupList = groups(say);
  const all = h('button', { type: 'button', hidden: true, 'data-testid': 'replay-all', onclick: (event) => replayMany({}, left(), rows.size >= most, say, (on) => hold(all.parentNode, on), event.currentTarget) }, 'Replay all');

  function button(parked, verb, label, act, bad) {
    return h('button', { type: 'button', class: bad && 'bad', 'data-verb': verb, 'aria-label': `${label} ${parked.type ?? 'message'} of ${parked.actor}`,
      onclick: (event) => act(parked, event.currentTarget) }, label);
  }

  const list = table({
    caption: 'Messages that kept failing', testid: 'deadletters', key: (parked) => parked.id, empty: 'No parked messages.',
    columns: [
      { head: 'Actor', main: true, by: (parked) => parked.actor, cell: (parked) => h('a', { href: address(parked.actor) }, h('code', {}, parked.actor)) },
      { head: 'Message', by: (parked) => parked.type, cell: (parked) => h('a', { href: messageAddress(parked.id) }, parked.type ?? 'unreadable') },
      { head: 'Attempts', number: true, by: (parked) => parked.attempts, cell: (parked) => parked.attempts ?? none() },
      { head: 'Cause', class: 'cause', by: (parked) => parked.cause, cell: (parked) => (parked.cause ? h('span', { class: 'clamp', title: parked.cause }, parked.cause) : none()) },
      { head: 'Actions', class: 'act', cell: (parked) => h('span', { class: 'actions' },
        button(parked, 'replay', 'Replay', replay), button(parked, 'discard', 'Discard', discard, true)) },
    ],
  });

  const left = () => [...rows.values()].filter((parked) => !gone.has(parked.id)).sort((a, b) => (a.id < b.id ? -1 : 1));

  function draw() {
    const shown = left();
    list.update(shown);
    groupList.update(shown, rows.size >= most);
    show(all, shown.length > 1);
    setText(total, rows.size >= most ? `the first ${count(most)}` : shown.length ? messages(shown.length) : '');
  }

  async function replay(parked, pressed) {
    const sure = await confirm(...replayQuestion(parked));
    if (sure) await act(parked, pressed, 'replay', `The message was put back into the mailbox of ${parked.actor}.`);
    else refocus(pressed);
  }

  async function discard(parked, pressed) {
    const sure = await confirm('Discard the message?', `This message for ${parked.actor} will be deleted permanently.`, 'Discard');
    if (sure) await act(parked, pressed, 'discard', `A message for ${parked.actor} was discarded.`);
    else refocus(pressed);
  }

  async function act(parked, pressed, verb, done) {
    const tr = pressed.closest('tr'); // null if its row was drawn anew while the question was open
    const next = tr?.nextElementSibling || tr?.previousElementSibling;
    const ended = await say.run(list.busy(parked.id), `Failed for ${parked.actor}`, async () => {
      await api.post(`deadletters/${encodeURIComponent(parked.id)}/${verb}`);
      return done;
    });
    if (ended) {
      gone.add(parked.id);
      draw();
    }
    if (document.activeElement !== document.body) return; // else the focus went with the row
    const there = ended && next?.isConnected && next.querySelector(`button[data-verb=${verb}]`);
    (there || heading).focus();
  }

  function update(read) {
    rows = read;
    [...gone].filter((id) => !read.has(id)).forEach((id) => gone.delete(id));
    draw();
  }

  const el = h('section', { class: 'card flush' }, h('div', { class: 'headline' }, h('div', { class: 'actions' }, heading, total), h('div', { class: 'actions' }, say.done, all)), groupList.el, list.el);
  return { el, update, unread: list.unread };
}
