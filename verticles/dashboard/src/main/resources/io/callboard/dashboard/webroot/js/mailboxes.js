import { none } from './cell.js';
import { h, longTitle, setText, show } from './dom.js';
import { ago, bytes, count, rate } from './format.js';
import { unreadSince } from './fresh.js';
import { notice } from './notice.js';
import { byNames, parkedMessages } from './parked.js';
import { repeat } from './repeat.js';
import { badge } from './states.js';
import { table } from './table.js';
import { address } from './tree.js';
import * as api from './api.js';

const MOST = 200;
const MOST_BOXES = 40;
const MOST_PEEKED = 100;
const AGAIN_MS = 3000;

const peekAddress = (path) => `#/mailboxes${path.split('/').map(encodeURIComponent).join('/')}`;

function boxes() {
  const list = table({
    caption: 'Durable mailboxes of this node, the deepest first', testid: 'mailboxes', key: (box) => box.path, empty: 'This node owns no durable mailbox.',
    columns: [
      { head: 'Actor', main: true, by: (box) => box.path, cell: (box) => h('a', { href: peekAddress(box.path) }, h('code', {}, box.path)) },
      { head: 'State', by: (box) => box.state, cell: (box) => badge(box.state) },
      { head: 'Waiting', number: true, by: (box) => box.depth, cell: (box) => count(box.depth) },
      { head: 'Oldest', by: (box) => box.oldestAt, cell: (box) => ago(box.oldestAt) },
      { head: 'Per second', number: true, by: (box) => box.perSecond, cell: (box) => rate(box.perSecond) },
      { head: 'Attempts', number: true, by: (box) => box.attempts, cell: (box) => box.attempts },
      { head: 'Parked', number: true, by: (box) => box.parked, cell: (box) => count(box.parked) },
    ],
  });
  // the page updates ages itself; with the age each row would be redrawn each second
  const quiet = ({ age, ...box }) => box;
  const order = (a, b) => b.depth - a.depth || b.perSecond - a.perSecond || (a.path < b.path ? -1 : 1);
  return { el: list.el, unread: list.unread, update: (rows) => list.update([...rows.values()].map(quiet).sort(order)) };
}

export function mailboxes(live) {
  const say = notice('mail');
  const parked = parkedMessages(say, MOST);
  const all = boxes();
  const el = h('div', { class: 'mail' },
    h('h1', { tabindex: -1 }, 'Mailboxes'), say.problem, parked.el,
    h('section', { class: 'card flush' }, h('h2', {}, 'Waiting'), all.el));
  const ends = [
    live.watch('deadletters', { limit: MOST }, say.reader(parked.update, parked.unread)),
    live.watch('mailboxes', { limit: MOST_BOXES }, say.reader(all.update, all.unread)),
  ];
  return { el, title: 'Mailboxes', nav: 'mailboxes', leave: () => [...ends, say.leave].forEach((end) => end()) };
}

/** What waits in one mailbox, read from the store without taking it. */
export function mailbox(path) {
  const say = notice('peek');
  const title = longTitle(path, 'mailbox-path');
  const unhosted = h('p', { class: 'alert', hidden: true });
  const more = h('p', { class: 'note', hidden: true }, `Only the first ${MOST_PEEKED} are shown.`);
  const named = byNames('some messages', 'peek-by-names');
  const list = table({
    caption: `Messages that wait for ${path}`, testid: 'waiting', key: (each) => String(each.place), empty: 'No message waits.',
    columns: [
      { head: 'Place', main: true, by: (each) => each.place, cell: (each) => count(each.place) },
      { head: 'Message', by: (each) => each.type, cell: (each) => each.type ?? each.unreadable ?? none() },
      { head: 'From', class: 'cause', by: (each) => each.from, cell: (each) => (each.from ? [h('code', {}, each.from), each.number === undefined ? '' : ` no. ${count(each.number)}`] : none()) },
      { head: 'Waits since', by: (each) => each.since, cell: (each) => ago(each.since) },
      { head: 'Size', number: true, by: (each) => each.size, cell: (each) => bytes(each.size) },
      { head: 'Content', class: 'cause', cell: (each) => (each.body === undefined ? h('span', { class: 'none' }, 'not shown') : h('code', { class: 'clamp', title: JSON.stringify(each.body) }, JSON.stringify(each.body))) },
    ],
  });
  const el = h('div', { class: 'mail' },
    h('p', { class: 'crumb' }, h('a', { href: '#/mailboxes' }, 'Mailboxes')),
    h('div', { class: 'headline' }, h('div', { class: 'title' }, title.el), h('p', { class: 'actions' }, h('a', { class: 'button', href: address(path) }, 'Actor'))),
    say.problem, unhosted, h('section', { class: 'card flush' }, h('h2', {}, 'Waiting'), list.el), more, named);

  async function look(signal) {
    const read = await api.get(`mailboxes${path.split('/').map(encodeURIComponent).join('/')}/messages${api.query({ limit: MOST_PEEKED })}`, signal);
    show(say.problem, false);
    setText(unhosted, read.why);
    show(unhosted, Boolean(read.why));
    show(named, read.items.some((each) => each.maskedByNames));
    show(more, read.items.length >= MOST_PEEKED);
    list.update(read.items);
  }

  function unread(cause, failedAt) {
    say.fail(unreadSince(cause.message, failedAt));
    list.unread();
  }

  return { el, title: path, nav: 'mailboxes', leave: repeat(AGAIN_MS, look, unread) };
}
