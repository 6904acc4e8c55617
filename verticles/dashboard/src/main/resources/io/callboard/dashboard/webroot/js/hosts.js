import { cellViews, meter, none } from './cell.js';
import { ask } from './dialog.js';
import { h, refocus } from './dom.js';
import { count } from './format.js';
import { notice } from './notice.js';
import { badge } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const DOUBTED = new Set(['SUSPECT', 'LOST']);
const state = (host) => host.doubt ?? (!host.live ? 'GONE' : host.draining ? 'DRAINING' : 'LIVE');
const number = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;

export function hosts(live) {
  const say = notice('hosts');
  let held = new Map();
  let doubts = new Map();

  function button(host, verb, label, bad) {
    return h('button', { type: 'button', class: bad && 'bad', 'data-verb': verb, 'aria-label': `${label} ${host.name}`, onclick: (event) => act(host, verb, event.currentTarget) }, label);
  }

  const list = table({
    caption: 'Hosts of job runs', testid: 'hosts', key: (host) => host.name, empty: 'No host has reported yet.',
    columns: [
      { head: 'Host', main: true, by: (host) => host.name, cell: (host) => h('code', {}, host.name) },
      { head: 'State', by: state, cell: (host) => badge(state(host)) },
      { head: 'Slots', class: 'bar-cell', by: (host) => host.used / host.slots, cell: (host) => meter(host.used, host.slots, `${count(host.used)} of ${count(host.slots)}`) },
      { head: 'Handlers', class: 'cause', cell: (host) => Object.entries(host.handlers || {}).map(([name, its]) => `${name} ${count(its.used)} of ${count(its.slots)}`).join(', ') || none() },
      { head: 'Roles', class: 'cause', cell: (host) => held.get(host.name)?.join(', ') ?? none() },
      { head: 'Version', by: (host) => host.version, cell: (host) => host.version ?? none() },
      { head: 'Machine', by: (host) => host.machine, cell: (host) => host.machine ?? none() },
      { head: 'Labels', class: 'cause', cell: (host) => Object.entries(host.labels || {}).map(([k, v]) => `${k}=${v}`).join(', ') || none() },
      { head: 'Actions', class: 'act', cell: (host) => h('span', { class: 'actions' }, host.draining ? button(host, 'undrain', 'Undrain') : button(host, 'drain', 'Drain', true)) },
    ],
  });

  /** What draining moves, and what stays. */
  function extent(host) {
    const roles = held.get(host.name) || [];
    return [`It takes no new job runs until it is undrained, also after a restart. ${host.used ? `The ${number(host.used, 'run', 'runs')} on it may end there.` : 'No run is on it now.'}`,
      `${roles.length ? `It holds ${roles.join(', ')}, which move, as do durable actors,` : 'Its durable actors move'} to other nodes that offer them; what no other node offers stays.`];
  }

  const QUESTIONS = {
    drain: (host) => ({ title: `Drain ${host.name}?`, text: extent(host), yes: 'Drain' }),
    undrain: (host) => ({ title: `Undrain ${host.name}?`, text: `It takes job runs again, up to ${count(host.slots)} at once, and may hold roles and durable actors again.`, yes: 'Undrain', bad: false }),
  };

  async function act(host, verb, pressed) {
    if (!(await ask(QUESTIONS[verb](host)))) return refocus(pressed);
    return say.run(list.busy(host.name), `Failed for ${host.name}`, async () => {
      await api.post(`hosts/${encodeURIComponent(host.name)}/${verb}`);
      return `${host.name}: ${verb} was accepted.`;
    });
  }

  let rows = new Map();
  let failed = false;
  function draw() {
    list.update([...rows.values()].map((host) => ({ ...host, roles: held.get(host.name), doubt: doubts.get(host.name) })).sort((a, b) => (a.name < b.name ? -1 : 1)));
    if (failed) list.unread(); // the rows are those that were read before
  }

  const el = h('div', { class: 'cell' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Hosts'), say.done), cellViews('hosts'), say.problem,
    h('section', { class: 'card flush' }, list.el));
  const ends = [
    live.watch('hosts', undefined, say.reader((read) => {
      rows = read;
      failed = false;
      draw();
    }, () => {
      failed = true;
      list.unread();
    })),
    live.watch('roles', undefined, (read, error) => {
      if (error) return;
      held = new Map();
      for (const role of read.values()) if (role.holder) held.set(role.holder, [...(held.get(role.holder) || []), role.name]);
      if (rows.size) draw();
    }),
    live.watch('nodes', undefined, (read, error) => {
      if (error) return;
      doubts = new Map([...read.values()].filter((node) => DOUBTED.has(node.state)).map((node) => [node.name, node.state]));
      if (rows.size) draw();
    }),
  ];
  return { el, title: 'Hosts', nav: 'cell', leave: () => ends.forEach((end) => end()) };
}
