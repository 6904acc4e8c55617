import { cellViews, meter, none } from './cell.js';
import { h, show } from './dom.js';
import { count, isoMs, isoSpan } from './format.js';
import { notice } from './notice.js';
import { badge } from './states.js';
import { table } from './table.js';
import { address } from './tree.js';

const percent = (share) => `${Math.round(share * 100)} %`;
const state = (zone) => (zone.blocked.length ? 'BLOCKED_THREADS' : zone.full ? 'FULL_ZONE' : 'WELL');

function threads(zone) {
  const size = zone.size || zone.maxSize;
  const words = zone.size ? `${count(zone.busy)} of ${count(zone.size)}${zone.maxSize > zone.size ? `, up to ${count(zone.maxSize)}` : ''}` : count(zone.busy);
  return meter(zone.busy, size, words);
}

/** Threads that are blocked, with their stacks; one that is read stays open. */
function blockedThreads() {
  const list = h('ul', { class: 'events history', 'data-testid': 'blocked' });
  const el = h('section', { class: 'card', hidden: true }, h('h2', {}, 'Blocked threads'), list);
  const reading = new Set();
  let drawn = '';

  function entry(zone, thread) {
    const id = `${zone} ${thread.thread}`;
    return h('li', {}, h('code', {}, thread.thread), h('div', {},
      h('p', {}, `of zone ${zone}, for ${isoSpan(thread.blockedFor)}`, thread.actor && [', by ', h('a', { href: address(thread.actor) }, h('code', {}, thread.actor))]),
      h('details', { open: reading.has(id), ontoggle: (event) => (event.target.open ? reading.add(id) : reading.delete(id)) },
        h('summary', {}, thread.stack[0] ? ['Stack: ', h('code', {}, thread.stack[0])] : 'No stack'), h('pre', { class: 'code', tabindex: 0 }, thread.stack.join('\n')))));
  }

  function update(zones) {
    const all = zones.flatMap((zone) => zone.blocked.map((thread) => [zone.name, thread]));
    const text = JSON.stringify(all);
    show(el, all.length > 0);
    if (text === drawn) return;
    drawn = text;
    list.replaceChildren(...all.map(([zone, thread]) => entry(zone, thread)));
  }

  return { el, update };
}

export function zones(live) {
  const say = notice('zones');
  const blocked = blockedThreads();
  const list = table({
    caption: 'Scheduling zones of this node', testid: 'zones', key: (zone) => zone.name, empty: 'None.',
    columns: [
      { head: 'Zone', main: true, by: (zone) => zone.name, cell: (zone) => [h('code', {}, zone.name), h('div', { class: 'note' }, zone.kind)] },
      { head: 'State', by: state, cell: (zone) => badge(state(zone)) },
      { head: 'Threads busy', class: 'bar-cell', by: (zone) => zone.busy, cell: threads },
      { head: 'Utilisation', number: true, by: (zone) => zone.utilisation, cell: (zone) => (zone.utilisation === undefined ? none() : percent(zone.utilisation)) },
      { head: 'Queued', number: true, by: (zone) => zone.queued, cell: (zone) => count(zone.queued) },
      { head: 'Half wait', number: true, by: (zone) => isoMs(zone.queueWait.p50), cell: (zone) => isoSpan(zone.queueWait.p50) },
      { head: '99 % wait', number: true, by: (zone) => isoMs(zone.queueWait.p99), cell: (zone) => isoSpan(zone.queueWait.p99) },
      { head: 'Actors', number: true, by: (zone) => zone.actors, cell: (zone) => count(zone.actors) },
      { head: 'Rejected', number: true, by: (zone) => zone.rejected, cell: (zone) => count(zone.rejected) },
      { head: 'Blockages', number: true, by: (zone) => zone.blockages, cell: (zone) => count(zone.blockages) },
    ],
  });
  const el = h('div', { class: 'cell' },
    h('h1', { tabindex: -1 }, 'Zones'), cellViews('zones'), say.problem, blocked.el,
    h('section', { class: 'card flush' }, list.el),
    h('p', { class: 'note' }, 'Of this node. Waits are those of turns for a thread, over about the last minute; the rest counts since the node started.'));
  // the number of slices changes with each turn and is not shown
  const quiet = ({ slices, ...zone }) => zone;
  const end = live.watch('zones', undefined, say.reader((rows) => {
    const all = [...rows.values()];
    blocked.update(all);
    list.update(all.map(quiet));
  }, list.unread));
  return { el, title: 'Zones', nav: 'cell', leave: end };
}
