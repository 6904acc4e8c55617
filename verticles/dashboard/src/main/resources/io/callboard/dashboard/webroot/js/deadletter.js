import { none } from './cell.js';
import { ask, confirm } from './dialog.js';
import { h, hold, setText, show } from './dom.js';
import { bytes, copied, count } from './format.js';
import { notice } from './notice.js';
import { address } from './tree.js';
import * as api from './api.js';

const ROWS = 12;

/** One parked message: why it failed, what is in it, and replay as it is or changed. */
export function deadletter(id) {
  const say = notice('letter');
  const path = `deadletters/${encodeURIComponent(id)}`;
  const title = h('h1', { tabindex: -1 }, 'Parked message');
  const actions = h('p', { class: 'actions' });
  const facts = h('dl', { class: 'facts', 'data-testid': 'letter-facts' });
  const cause = h('pre', { class: 'code', tabindex: 0, 'data-testid': 'letter-cause' });
  const body = h('pre', { class: 'code', tabindex: 0, 'data-testid': 'letter-body' });
  const cards = h('div', { class: 'cards', hidden: true },
    h('div', { class: 'wide' }, h('section', { class: 'card' }, h('h2', {}, 'Cause'), cause), h('section', { class: 'card' }, h('h2', {}, 'Content'), body)),
    h('section', { class: 'card' }, h('h2', {}, 'Facts'), facts));
  const el = h('div', { class: 'mail' },
    h('p', { class: 'crumb' }, h('a', { href: '#/mailboxes' }, 'Mailboxes')),
    h('div', { class: 'headline' }, title, h('div', {}, actions, say.done)), say.problem, cards);

  async function act(verb, content, done) {
    const ended = await say.run((on) => hold(actions, on), 'Failed', async () => {
      await api.post(`${path}/${verb}`, content);
      return done;
    });
    if (!ended) return;
    show(actions, false);
    title.focus();
  }

  async function edit(parked, pressed) {
    const given = await ask({ title: 'Replay it changed?', bad: false, yes: 'Replay', text: `The message is put back into the mailbox of ${parked.actor} with this content; its type stays.`,
      fields: [{ name: 'body', label: 'Content, as JSON', rows: ROWS, required: true, value: JSON.stringify(parked.body, null, 2) }] });
    if (!given) return pressed.focus();
    let content;
    try {
      content = JSON.parse(given.body);
    } catch (wrong) {
      say.fail(`Not replayed: the content is not JSON: ${wrong.message}`);
      return pressed.focus();
    }
    return act('replay', { body: content }, `The changed message was put back into the mailbox of ${parked.actor}.`);
  }

  async function discard(parked, pressed) {
    const sure = await confirm('Discard the message?', `This message for ${parked.actor} will be deleted permanently.`, 'Discard');
    return sure ? act('discard', undefined, 'The message was discarded.') : pressed.focus();
  }

  function buttons(parked) {
    const button = (verb, label, onclick, bad) => h('button', { type: 'button', class: bad && 'bad', 'data-testid': `letter-${verb}`, onclick: (event) => onclick(event.currentTarget) }, label);
    return [button('replay', 'Replay', () => act('replay', undefined, `The message was put back into the mailbox of ${parked.actor}.`)),
      parked.body !== undefined && button('edit', 'Change and replay', (pressed) => edit(parked, pressed)),
      button('discard', 'Discard', (pressed) => discard(parked, pressed), true)].filter(Boolean);
  }

  async function look() {
    try {
      const parked = await api.get(path);
      setText(title, parked.type || 'Parked message');
      const lines = [['Actor', h('a', { href: address(parked.actor) }, h('code', {}, parked.actor))], ['Message', parked.type ?? none()], parked.from && ['From', copied(parked.from)],
        ['Attempts', parked.attempts === undefined ? none() : count(parked.attempts)], ['Size', bytes(parked.size)], ['Id', copied(parked.id)]];
      facts.replaceChildren(...lines.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
      cause.replaceChildren(h('span', {}, parked.cause || 'not known'));
      const content = parked.body ?? parked.segment;
      body.replaceChildren(h('span', {}, content === undefined ? 'This node does not show the contents of messages.' : JSON.stringify(content, null, 2)));
      actions.replaceChildren(...buttons(parked));
      show(cards, true);
    } catch (wrong) {
      say.fail(wrong.message);
    }
  }

  look();
  return { el, title: 'Parked message', nav: 'mailboxes', leave: () => {} };
}
