import { cellViews, none } from './cell.js';
import { h } from './dom.js';
import { stamp } from './format.js';
import { unreadSince } from './fresh.js';
import { notice } from './notice.js';
import { repeat } from './repeat.js';
import { table } from './table.js';
import * as api from './api.js';

const AGAIN_MS = 5000;
const MOST = 200;

/** The last writes that this node was asked for: by whom, why, and what came of it. */
export function audit() {
  const say = notice('audit');
  const list = table({
    caption: 'Writes', testid: 'audit', key: (entry) => entry.key, empty: 'Nobody has asked this node to change anything since it started.',
    columns: [
      { head: 'At', by: (entry) => entry.at, cell: (entry) => stamp(entry.at) },
      { head: 'User', main: true, by: (entry) => entry.user, cell: (entry) => entry.user },
      { head: 'Role', by: (entry) => entry.role, cell: (entry) => entry.role },
      { head: 'From', by: (entry) => entry.from, cell: (entry) => entry.from },
      { head: 'Operation', by: (entry) => entry.operation, cell: (entry) => entry.operation },
      { head: 'Subject', class: 'cause', cell: (entry) => [h('code', {}, entry.subject), entry.detail && h('span', { class: 'note' }, entry.detail)] },
      { head: 'Outcome', by: (entry) => entry.status, cell: (entry) => `${entry.status || 'no answer'} ${entry.code}` },
      { head: 'Reason', class: 'cause', cell: (entry) => entry.reason || none() },
    ],
  });
  const el = h('div', { class: 'cell' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Audit')), cellViews('audit'), say.problem,
    h('p', { class: 'note' }, 'Of this node since it started; its log has all.'), h('section', { class: 'card flush' }, list.el));
  const leave = repeat(AGAIN_MS, async (signal) => {
    const { items } = await api.get(`audit?limit=${MOST}`, signal);
    say.say('');
    const times = new Map();
    list.update(items.reverse().map((entry) => {
      const same = (times.get(entry.at) || 0) + 1;
      times.set(entry.at, same);
      return { ...entry, key: `${entry.at} ${same}` };
    }).reverse());
  }, (cause, failedAt) => {
    say.fail(unreadSince(cause.message, failedAt));
    list.unread();
  });
  return { el, title: 'Audit', nav: 'cell', leave };
}
