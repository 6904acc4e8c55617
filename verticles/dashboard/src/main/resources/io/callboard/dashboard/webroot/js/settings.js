import { cellViews } from './cell.js';
import { h } from './dom.js';
import { count } from './format.js';
import { notice } from './notice.js';
import { badge } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const NAMES = { name: 'Node', boot: 'Boot', cell: 'Cell', version: 'Callboard', java: 'Java', system: 'System', processors: 'Processors', heap: 'Heap', process: 'Process' };

/** How this node is set up: settings with where they come from, what is on, limits. */
export function settings() {
  const say = notice('settings');
  const facts = h('dl', { class: 'facts', 'data-testid': 'settings-node' });
  const features = h('ul', { class: 'legend', 'data-testid': 'features' });
  const list = table({
    caption: 'Settings', testid: 'settings', key: (each) => each.name, empty: 'An application has started this node: its settings are in the program.',
    columns: [
      { head: 'Setting', main: true, by: (each) => each.name, cell: (each) => h('code', {}, each.name) },
      { head: 'Value', class: 'cause', by: (each) => each.value, cell: (each) => each.value },
      { head: 'From', by: (each) => each.source, cell: (each) => each.source },
    ],
  });
  const limits = table({
    caption: 'Limits', testid: 'limits', key: (each) => each.name,
    columns: [
      { head: 'Limit', main: true, cell: (each) => each.name },
      { head: 'Value', number: true, by: (each) => each.value, cell: (each) => count(each.value) },
      { head: 'Of', cell: (each) => each.unit },
    ],
  });
  const el = h('div', { class: 'cell' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Settings')), cellViews('settings'), say.problem,
    h('p', { class: 'note' }, 'Of this node, as they take effect, without secrets. They are changed where they come from, and need a new start.'),
    h('div', { class: 'cards' }, h('section', { class: 'card wide' }, h('h2', {}, 'Node'), facts), h('section', { class: 'card' }, h('h2', {}, 'On and off'), features)),
    h('section', { class: 'card flush' }, h('h2', {}, 'Settings'), list.el), h('section', { class: 'card flush' }, h('h2', {}, 'Limits'), limits.el));

  async function read() {
    try {
      const found = await api.get('settings');
      facts.replaceChildren(...Object.entries(found.node).map(([name, value]) => h('div', {}, h('dt', {}, NAMES[name] || name), h('dd', {}, value))));
      features.replaceChildren(...Object.entries(found.features).map(([name, on]) => h('li', {}, h('span', {}, name), badge(on ? 'IS_ON' : 'IS_OFF'))));
      list.update(found.settings);
      limits.update(found.limits);
    } catch (cause) {
      say.fail(cause.message);
      list.unread();
      limits.unread();
    }
  }

  read();
  return { el, title: 'Settings', nav: 'cell', leave: () => {} };
}
