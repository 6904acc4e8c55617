import { confirm } from './dialog.js';
import { h, setText, show } from './dom.js';
import { ago, count, rate } from './format.js';
import { badge } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const MOST = 100;
const MOST_BOXES = 40;
const nothing = () => h('span', { class: 'none' }, '–');

function boxes() {
  const list = table({
    caption: 'Durable mailboxes of this node, the deepest first', testid: 'mailboxes', key: (box) => box.path, empty: 'This node owns no durable mailbox.',
    columns: [
      { head: 'Actor', main: true, cell: (box) => h('code', {}, box.path) },
      { head: 'State', cell: (box) => badge(box.state) },
      { head: 'Waiting', number: true, cell: (box) => count(box.depth) },
      { head: 'Oldest', cell: (box) => ago(box.oldestAt) },
      { head: 'Per second', number: true, cell: (box) => rate(box.perSecond) },
      { head: 'Attempts', number: true, cell: (box) => box.attempts },
      { head: 'Parked', number: true, cell: (box) => count(box.parked) },
    ],
  });
  // the page updates ages itself; with the age each row would be redrawn each second
  const quiet = ({ age, ...box }) => box;
  const order = (a, b) => b.depth - a.depth || b.perSecond - a.perSecond || (a.path < b.path ? -1 : 1);
  return { el: list.el, update: (rows) => list.update([...rows.values()].map(quiet).sort(order)) };
}

/** Parked messages, each with what can be done about it. */
function parkedMessages(heading, say, problem) {
  const gone = new Set();
  let rows = new Map();

  function button(parked, verb, label, act, bad) {
    return h('button', { type: 'button', class: bad && 'bad', 'data-verb': verb, 'aria-label': `${label} ${parked.type ?? 'message'} of ${parked.actor}`,
      onclick: (event) => act(parked, event.currentTarget) }, label);
  }

  const list = table({
    caption: 'Messages that kept failing', testid: 'deadletters', key: (parked) => parked.id, empty: 'No parked messages.',
    columns: [
      { head: 'Actor', main: true, cell: (parked) => h('code', {}, parked.actor) },
      { head: 'Message', cell: (parked) => parked.type ?? nothing() },
      { head: 'Attempts', number: true, cell: (parked) => parked.attempts ?? nothing() },
      { head: 'Cause', class: 'cause', cell: (parked) => parked.cause ?? nothing() },
      { head: 'Actions', class: 'act', cell: (parked) => h('span', { class: 'actions' },
        button(parked, 'replay', 'Replay', replay), button(parked, 'discard', 'Discard', discard, true)) },
    ],
  });

  function draw() {
    list.update([...rows.values()].filter((parked) => !gone.has(parked.id)).sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  const replay = (parked, pressed) => act(parked, pressed, 'replay', `The message was put back into the mailbox of ${parked.actor}.`);

  async function discard(parked, pressed) {
    const sure = await confirm('Discard the message?', `This message for ${parked.actor} will be deleted permanently.`, 'Discard');
    if (sure) await act(parked, pressed, 'discard', `A message for ${parked.actor} was discarded.`);
    else pressed.focus();
  }

  async function act(parked, pressed, verb, done) {
    const both = [...pressed.parentNode.querySelectorAll('button')];
    const next = pressed.closest('tr').nextElementSibling || pressed.closest('tr').previousElementSibling;
    both.forEach((one) => { one.disabled = true; });
    show(problem, false);
    try {
      await api.post(`deadletters/${encodeURIComponent(parked.id)}/${verb}`);
      gone.add(parked.id);
      draw();
      setText(say, done);
      (next?.querySelector(`button[data-verb=${verb}]`) || heading).focus();
    } catch (cause) {
      setText(problem, `Failed for ${parked.actor}: ${cause.message}`);
      show(problem, true);
      both.forEach((one) => { one.disabled = false; });
      if (pressed.isConnected) pressed.focus();
      else heading.focus();
    }
  }

  function update(read) {
    rows = read;
    [...gone].filter((id) => !read.has(id)).forEach((id) => gone.delete(id));
    draw();
  }

  return { el: list.el, update };
}

export function mailboxes(live) {
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'mail-problem' });
  const say = h('p', { class: 'note', role: 'status', 'data-testid': 'mail-done' });
  const heading = h('h2', { tabindex: -1 }, 'Parked messages');
  const parkedList = parkedMessages(heading, say, problem);
  const all = boxes();
  const el = h('div', { class: 'mail' },
    h('h1', { tabindex: -1 }, 'Mailboxes'), problem,
    h('section', { class: 'card flush' }, h('div', { class: 'headline' }, heading, say), parkedList.el),
    h('section', { class: 'card flush' }, h('h2', {}, 'Waiting'), all.el));
  const orProblem = (update) => (rows, error) => {
    if (error) {
      setText(problem, error.detail);
      show(problem, true);
    } else update(rows);
  };
  const ends = [
    live.watch('deadletters', { limit: MOST }, orProblem(parkedList.update)),
    live.watch('mailboxes', { limit: MOST_BOXES }, orProblem(all.update)),
  ];
  return { el, title: 'Mailboxes', nav: 'mailboxes', leave: () => ends.forEach((end) => end()) };
}
