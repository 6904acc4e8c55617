import { meter, none } from './cell.js';
import { h, show } from './dom.js';
import { ago, count } from './format.js';
import { notice } from './notice.js';
import { refill } from './patch.js';
import { badge } from './states.js';
import { table } from './table.js';
import { address, quiet, supervised } from './tree.js';
import * as api from './api.js';

const isMember = (row) => row.state !== 'GONE' && row.state !== 'LOST';
const link = (name) => `#/nodes/${encodeURIComponent(name)}`;

/** Figure of a node: that of one which does not answer is an old one. */
function figure(row, field, bad) {
  if (row[field] === undefined) return none();
  if (row.state === 'SILENT') return h('span', { class: 'past', title: row.error }, count(row[field]));
  return bad && row[field] ? h('strong', {}, count(row[field])) : count(row[field]);
}

const number = (field, head, bad) => ({ head, number: true, by: (row) => row[field], cell: (row) => figure(row, field, bad) });

/** Nodes of the cell. */
export function nodeTable(testid) {
  const list = table({
    caption: 'Nodes of the cell', testid, key: (row) => row.name, empty: 'None.',
    columns: [
      { head: 'Node', main: true, by: (row) => row.name, cell: (row) => [isMember(row) ? h('a', { href: link(row.name) }, row.name) : row.name, row.here && ' (this)'] },
      { head: 'State', class: 'wide-cell', by: (row) => row.state, cell: (row) => [badge(row.state), row.error && h('div', { class: 'note' }, row.error)] },
      { head: 'Since', by: (row) => row.since, cell: (row) => ago(row.since) },
      { head: 'Slots', class: 'bar-cell', by: (row) => row.used, cell: (row) => (row.slots ? meter(row.used, row.slots, `${count(row.used)} of ${count(row.slots)}`) : none()) },
      number('actors', 'Actors'), number('failed', 'Failed', true), number('mail', 'Mail'),
      { head: 'Version', by: (row) => row.version, cell: (row) => row.version ?? none() },
      { head: 'Address', cell: (row) => (row.http && isMember(row) ? h('a', { href: row.http }, row.http) : none()) },
    ],
  });
  return { ...list, update: (rows) => list.update([...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) };
}

/** Roll-up of one node. */
export function node(live, name) {
  const say = notice('node');
  const actorLink = (row) => h('a', { href: address(row.path, { node: name }) }, h('code', {}, row.path));
  const worst = supervised({ caption: 'Do not run', testid: 'worst', empty: 'All run.', name: actorLink });
  const fullest = table({ caption: 'Fullest mailboxes', testid: 'node-mail', key: (row) => row.path, empty: 'No messages wait.',
    columns: [{ head: 'Fullest', main: true, cell: actorLink }, { head: 'Waiting', number: true, cell: (row) => count(row.queued) }] });
  const oldest = table({ caption: 'Oldest mail of actors that run', testid: 'node-oldest', key: (row) => row.path, empty: 'No mail waits for actors that run.',
    columns: [{ head: 'Oldest mail', main: true, cell: actorLink }, { head: 'Since', cell: (row) => ago(row.oldestAt) }] });
  const circuits = table({ caption: 'Open circuits', testid: 'node-circuits', key: (row) => row.path, empty: 'All circuits are closed.',
    columns: [{ head: 'Guard', main: true, cell: actorLink }, { head: 'Since', cell: (row) => ago(row.openedAt) }, { head: 'Held', number: true, cell: (row) => count(row.held) }] });
  const state = (row) => {
    if (row.blocked) return badge('BLOCKED_THREADS');
    return row.full === undefined ? none() : badge(row.full ? 'FULL_ZONE' : 'WELL'); // an older node does not tell
  };
  const threads = table({ caption: 'Threads by scheduling zone', testid: 'node-threads', key: (row) => row.name, empty: 'None.',
    columns: [{ head: 'Zone', main: true, by: (row) => row.name, cell: (row) => h('code', {}, row.name) },
      { head: 'State', cell: state },
      { head: 'Threads busy', class: 'bar-cell', by: (row) => row.busy, cell: (row) => meter(row.busy, row.size, row.size ? `${count(row.busy)} of ${count(row.size)}` : count(row.busy)) },
      { head: 'Queued', number: true, by: (row) => row.queued, cell: (row) => count(row.queued) },
      { head: 'Blocked', number: true, by: (row) => row.blocked, cell: (row) => (row.blocked ? h('strong', {}, count(row.blocked)) : count(0)) },
      { head: 'Held by', cell: (row) => (row.holders ? row.holders.join(', ') : none()) }] });
  const states = h('ul', { class: 'legend', 'data-testid': 'node-states' });
  const all = [worst, fullest, oldest, circuits, threads];
  const cards = h('div', { class: 'cards' },
    h('section', { class: 'card wide' }, h('h2', {}, 'Do not run'), worst.el), h('section', { class: 'card' }, h('h2', {}, 'Actors'), states),
    h('section', { class: 'card wide flush' }, h('h2', {}, 'Threads'), threads.el),
    h('section', { class: 'card' }, h('h2', {}, 'Mailboxes'), fullest.el, oldest.el),
    h('section', { class: 'card' }, h('h2', {}, 'Circuits'), circuits.el));
  const el = h('div', { class: 'cell' }, h('h1', { tabindex: -1 }, `Node ${name}`), say.problem, cards);
  let told = false;
  const unread = () => {
    el.classList.add('old');
    all.forEach((each) => each.unread());
  };
  const end = live.watch(`node/${name}`, undefined, say.reader((rows) => {
    const row = rows.get(name);
    if (!row) {
      show(cards, told); // of one that has left, what was told last
      return unread(say.fail(`No node ${name} is a member of the cell.`));
    }
    told = true;
    show(cards, true);
    say.say('');
    el.classList.remove('old');
    const counted = Object.entries(row.actors.byState);
    refill(states, ...(counted.length ? counted.map(([state, n]) => h('li', {}, badge(state), h('span', { class: 'number' }, count(n)))) : [h('li', { class: 'empty' }, 'No actors.')]));
    worst.update([...row.failedZones, ...row.worst].map((one) => quiet({ ...one, key: one.path })));
    fullest.update(row.fullest);
    // an older node does not tell these: nothing is known of them then
    if (row.oldest) oldest.update(row.oldest.map(({ path, mailbox }) => ({ path, oldestAt: mailbox.oldestAt })));
    else oldest.unread();
    if (row.circuits) circuits.update(row.circuits);
    else circuits.unread();
    return threads.update(row.threads);
  }, unread));
  return { el, title: `Node ${name}`, nav: 'cell', leave: end };
}

/** Switch to another node. */
export function nodeSwitch(select, here) {
  const option = (name, http) => h('option', { 'data-http': http, selected: name === here }, name);
  select.replaceChildren(option(here));
  select.onfocus = () => api.get('nodes').then(({ items }) => {
    const members = items.filter(isMember);
    const now = members.map((row) => row.name + row.http).join();
    if (select.dataset.now !== now) select.replaceChildren(...members.map((row) => option(row.name, row.http)));
    select.dataset.now = now;
  }).catch(() => {});
  select.onchange = () => {
    const { value, dataset } = select.selectedOptions[0];
    if (dataset.http) location.href = `${dataset.http.replace(/\/$/, '')}/${location.hash}`;
    else location.hash = link(value);
    select.value = here;
  };
}
