import { brakeCard } from './brake.js';
import { none } from './cell.js';
import { confirm } from './dialog.js';
import { h, hold, longTitle, refocus, show } from './dom.js';
import { ago, count, rate, stamp } from './format.js';
import { notice } from './notice.js';
import { keepFocus, refill } from './patch.js';
import { badge } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const DEAD = { directory: '.callboard/dead', feed: 'the log of the node', jdbc: 'its rows with dead_at', kafka: 'topic ….callboard.dead', rabbitmq: 'queue ….callboard.dead',
  'redis-list': '…:callboard:dead', 'redis-stream': '…:callboard:dead', sqs: 'its deadLetterQueue' };

const sourceAddress = (name) => `#/sources/${encodeURIComponent(name)}`;

/** Why a source does not poll, and what went wrong last. */
const reasons = (source) => [source.why && h('div', { class: 'note' }, ` ${source.why}`),
  source.lastError && h('div', { class: 'note' }, ' Last error, ', ago(source.lastErrorAt), `: ${source.lastError}`)];

const lag = (source) => (source.lag === undefined ? none() : count(source.lag));
const inFlight = (source) => (source.mode ? `${count(source.inFlight)} / ${count(source.credit)}` : none());

/** Buttons of a source; none if it takes requests, or no node answers for it. */
function actions(source, say, busy) {
  const button = (verb, label, bad) => h('button', { type: 'button', class: bad && 'bad', 'data-verb': verb, 'aria-label': `${label} ${source.name}`, onclick: (event) => act(source, verb, say, busy, event.currentTarget) }, label);
  if (!source.mode) return none();
  return source.mode === 'RUN' ? [button('pause', 'Pause'), button('drain', 'Drain', true)] : [button('resume', 'Resume')];
}

const messages = (n, one, many) => `${count(n)} ${n === 1 ? `message ${one}` : `messages ${many}`}`;

/** What is asked before: title, how much it reaches, and whether it stops something. */
const QUESTIONS = {
  pause: ['Pause', (source) => `It takes no more messages until it is resumed. ${messages(source.inFlight, 'that was taken is', 'that were taken are')} done.`, true],
  drain: ['Drain', (source) => `It takes no more messages until it is resumed. ${messages(source.inFlight, 'was', 'were')} taken: those that were not begun are given back, the others are done.`, true],
  resume: ['Resume', (source) => `It takes messages again, up to ${count(source.credit)} at a time${source.lag === undefined ? '' : `: ${messages(source.lag, 'waits', 'wait')}`}.`, false],
};

async function act(source, verb, say, busy, pressed) {
  const [label, question, bad] = QUESTIONS[verb];
  if (!(await confirm(`${label} ${source.name}?`, question(source), label, bad))) return refocus(pressed);
  return say.run(busy, `Failed for ${source.name}`, async () => {
    await api.post(`sources/${encodeURIComponent(source.name)}/${verb}`);
    return `${source.name}: ${verb} was accepted.`;
  });
}

export function sources(live) {
  const say = notice('sources');
  const list = table({
    caption: 'Sources of the cell', testid: 'sources', key: (source) => source.name, href: (source) => sourceAddress(source.name), empty: 'No sources: the key sources of the configuration file names them.',
    columns: [
      { head: 'Source', main: true, cell: (source) => h('div', {}, h('a', { href: sourceAddress(source.name) }, h('code', {}, source.name)), h('div', { class: 'note' }, ` ${source.kind} → ${source.target}`)) },
      { head: 'Status', class: 'cause', cell: (source) => h('div', {}, badge(source.status), reasons(source)) },
      { head: 'Lag', number: true, cell: lag },
      { head: 'In flight', number: true, cell: inFlight },
      { head: 'Per second', number: true, cell: (source) => rate(source.rates.completed) },
      { head: 'Done', number: true, cell: (source) => count(source.totals.completed) },
      { head: 'Failed', number: true, cell: (source) => count(source.totals.failed) },
      { head: 'Dead', number: true, cell: (source) => count(source.totals.dead) },
      { head: 'Last done', cell: (source) => ago(source.lastAckAt) },
      { head: 'Actions', class: 'act', cell: (source) => h('span', { class: 'actions' }, actions(source, say, list.busy(source.name))) },
    ],
  });
  const el = h('div', { class: 'mail sources' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Sources'), say.done), say.problem,
    h('section', { class: 'card flush' }, list.el));
  // without what changes at each reading and is not shown, or each row would be redrawn
  const quiet = ({ lastPollAt, ...source }) => source;
  const end = live.watch('sources', undefined, say.reader((rows) => list.update([...rows.values()].map(quiet).sort((a, b) => (a.name < b.name ? -1 : 1))), list.unread));
  return { el, title: 'Sources', nav: 'sources', leave: end };
}

/** What a message becomes, with a link to it. */
function target({ target: words }) {
  const [kind, name] = words.split(/ (.*)/);
  const to = { workflow: '#/definitions/', job: '#/jobs?type=' }[kind];
  return to ? [`${kind} `, h('a', { href: to + encodeURIComponent(name) }, name)] : words;
}

function figures(source) {
  const { totals, rates } = source;
  const and = (total, perSecond) => `${count(total)}, ${rate(perSecond)}/s`;
  return [['Becomes', target(source)], ['Kind', source.kind], ['Acknowledged', source.ack], ['Polled by', source.node ?? none()],
    source.modeBy && ['Set by', [`${source.modeBy}, `, stamp(source.modeAt)]], ['Lag', lag(source)], ['Taken of credit', inFlight(source)],
    ['Taken', and(totals.taken, rates.taken)], ['Done', and(totals.completed, rates.completed)], ['Failed', and(totals.failed, rates.failed)],
    ['Set aside', [and(totals.dead, rates.dead), DEAD[source.kind] && h('span', { class: 'note' }, ` in ${DEAD[source.kind]}`)]],
    ['Given back', count(totals.released)], ['Lease lost', count(totals.lost)], ['Sent', count(totals.emitted)],
    ['Last poll', ago(source.lastPollAt)], ['Last acknowledgement', ago(source.lastAckAt)]].filter(Boolean);
}

/** One source: what it does and why, its figures, and the brake of its workflow. */
export function source(live, name) {
  const say = notice('source');
  const state = h('div', { 'data-testid': 'source-state' });
  const buttons = h('p', { class: 'actions' });
  const facts = h('dl', { class: 'facts spread', 'data-testid': 'source-facts' });
  const card = h('section', { class: 'card' }, h('h2', {}, 'Now'), state, facts);
  const el = h('div', {}, h('p', { class: 'crumb' }, h('a', { href: '#/sources' }, 'Sources')),
    h('div', { class: 'headline' }, longTitle(name, 'source-name').el, h('div', {}, buttons, say.done)), say.problem, card);
  let brake = null;
  let drawn = '';
  const now = {}; // the buttons stay while the figures in their questions change
  let under = false;
  const busy = (on) => hold(buttons, under = on);

  function update(rows) {
    const current = rows.get(name);
    card.classList.remove('old');
    show(buttons, Boolean(current));
    if (!current) return say.fail('There is no source of this name.');
    refill(state, badge(current.status), ...reasons(current).filter(Boolean));
    refill(facts, ...figures(current).map(([field, value]) => h('div', {}, h('dt', {}, field), h('dd', {}, value))));
    Object.assign(now, { lag: undefined }, current);
    if (drawn !== current.mode) {
      keepFocus(buttons, () => buttons.replaceChildren(...[actions(now, say, busy)].flat()));
      hold(buttons, under);
      drawn = current.mode;
    }
    const [kind, definition] = current.target.split(/ (.*)/);
    if (!brake && kind === 'workflow' && !current.why?.startsWith('there is no workflow')) {
      brake = brakeCard(definition);
      el.append(brake.el);
    }
  }

  const end = live.watch('sources', undefined, say.reader(update, () => card.classList.add('old')));
  return { el, title: name, nav: 'sources', leave: () => { end(); brake?.stop(); } };
}
