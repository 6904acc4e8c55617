import { confirm } from './dialog.js';
import { h } from './dom.js';
import { ago, count, rate } from './format.js';
import { notice } from './notice.js';
import { badge } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const nothing = () => h('span', { class: 'none' }, '–');

/** What a source does, why if it does not poll, and what went wrong last. */
function status(source) {
  return h('div', {}, badge(source.status), source.why && h('div', { class: 'note' }, ` ${source.why}`),
    source.lastError && h('div', { class: 'note' }, ' Last error, ', ago(source.lastErrorAt), `: ${source.lastError}`));
}

export function sources(live) {
  const say = notice('sources');

  function button(source, verb, label, bad) {
    return h('button', { type: 'button', class: bad && 'bad', 'data-verb': verb, 'aria-label': `${label} ${source.name}`, onclick: (event) => act(source, verb, event.currentTarget) }, label);
  }

  function actions(source) {
    if (!source.mode) return nothing(); // it takes requests, or no node answers for it
    return h('span', { class: 'actions' },
      source.mode === 'RUN' ? [button(source, 'pause', 'Pause'), button(source, 'drain', 'Drain', true)] : button(source, 'resume', 'Resume'));
  }

  const list = table({
    caption: 'Sources of the cell', testid: 'sources', key: (source) => source.name, empty: 'No sources: the key sources of the configuration file names them.',
    columns: [
      { head: 'Source', main: true, cell: (source) => h('div', {}, h('code', {}, source.name), h('div', { class: 'note' }, ` ${source.kind} → ${source.target}`)) },
      { head: 'Status', class: 'cause', cell: status },
      { head: 'Lag', number: true, cell: (source) => (source.lag === undefined ? nothing() : count(source.lag)) },
      { head: 'In flight', number: true, cell: (source) => (source.mode ? `${count(source.inFlight)} / ${count(source.credit)}` : nothing()) },
      { head: 'Per second', number: true, cell: (source) => rate(source.rates.completed) },
      { head: 'Done', number: true, cell: (source) => count(source.totals.completed) },
      { head: 'Failed', number: true, cell: (source) => count(source.totals.failed) },
      { head: 'Dead', number: true, cell: (source) => count(source.totals.dead) },
      { head: 'Last done', cell: (source) => ago(source.lastAckAt) },
      { head: 'Actions', class: 'act', cell: actions },
    ],
  });

  async function act(source, verb, pressed) {
    if (verb === 'drain' && !(await confirm(`Drain ${source.name}?`, 'It takes no more messages, and gives back those that were not begun, until it is resumed.', 'Drain'))) {
      return pressed.focus();
    }
    return say.run(list.busy(source.name), `Failed for ${source.name}`, async () => {
      await api.post(`sources/${encodeURIComponent(source.name)}/${verb}`);
      return `${source.name}: ${verb} was accepted.`;
    });
  }

  const el = h('div', { class: 'mail sources' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Sources'), say.done), say.problem,
    h('section', { class: 'card flush' }, list.el));
  // without what changes at each reading and is not shown, or each row would be redrawn
  const quiet = ({ lastPollAt, ...source }) => source;
  const end = live.watch('sources', undefined, say.reader((rows) => list.update([...rows.values()].map(quiet).sort((a, b) => (a.name < b.name ? -1 : 1))), list.unread));
  return { el, title: 'Sources', nav: 'sources', leave: end };
}
