import { none } from './cell.js';
import { ask, confirm } from './dialog.js';
import { h, hold, refocus, setText, show } from './dom.js';
import { bytes, copied, count } from './format.js';
import { notice } from './notice.js';
import { byNames, replayQuestion } from './parked.js';
import { member, pretty } from './rawjson.js';
import { address } from './tree.js';
import * as api from './api.js';

const ROWS = 12;

function notJson(text) {
  try {
    JSON.parse(text);
    return null;
  } catch (wrong) {
    return `This is not JSON: ${wrong.message}`;
  }
}

/** One parked message: why it failed, what is in it, and replay as it is or changed. */
export function deadletter(id) {
  const say = notice('letter');
  const path = `deadletters/${encodeURIComponent(id)}`;
  const title = h('h1', { tabindex: -1 }, 'Parked message');
  const actions = h('p', { class: 'actions' });
  const facts = h('dl', { class: 'facts', 'data-testid': 'letter-facts' });
  const cause = h('pre', { class: 'code', tabindex: 0, 'data-testid': 'letter-cause' });
  const body = h('pre', { class: 'code', tabindex: 0, 'data-testid': 'letter-body' });
  const named = byNames('the message', 'letter-by-names');
  const cards = h('div', { class: 'cards', hidden: true },
    h('div', { class: 'wide' }, h('section', { class: 'card' }, h('h2', {}, 'Cause'), cause), h('section', { class: 'card' }, h('h2', {}, 'Content'), named, body)),
    h('section', { class: 'card' }, h('h2', {}, 'Facts'), facts));
  const el = h('div', { class: 'mail' },
    h('p', { class: 'crumb' }, h('a', { href: '#/mailboxes' }, 'Mailboxes')),
    h('div', { class: 'headline' }, title, h('div', {}, actions, say.done)), say.problem, cards);

  let draft = null;

  async function act(verb, content, done) {
    const ended = await say.run((on) => hold(actions, on), 'Failed', async () => {
      await api.postText(`${path}/${verb}`, content);
      return done;
    });
    if (!ended) return;
    show(actions, false);
    title.focus();
  }

  /** Asks for another content, as text: what was typed is there again after going back, and after a refusal. */
  async function edit(parked, pressed) {
    const given = await ask({ title: 'Replay it changed?', bad: false, yes: 'Replay', text: `The message is put back into the mailbox of ${parked.actor} with this content; its type stays.`,
      fields: [{ name: 'body', label: 'Content, as JSON', rows: ROWS, required: true, value: draft ?? parked.body, check: notJson, oninput: (event) => { draft = event.target.value; } }] });
    if (!given) return refocus(pressed);
    return act('replay', `{"body":${given.body}}`, `The changed message was put back into the mailbox of ${parked.actor}.`);
  }

  async function replay(parked, pressed) {
    const sure = await confirm(...replayQuestion(parked));
    return sure ? act('replay', undefined, `The message was put back into the mailbox of ${parked.actor}.`) : refocus(pressed);
  }

  async function discard(parked, pressed) {
    const sure = await confirm('Discard the message?', `This message for ${parked.actor} will be deleted permanently.`, 'Discard');
    return sure ? act('discard', undefined, 'The message was discarded.') : refocus(pressed);
  }

  function buttons(parked) {
    const button = (verb, label, onclick, bad) => h('button', { type: 'button', class: bad && 'bad', 'data-testid': `letter-${verb}`, onclick: (event) => onclick(event.currentTarget) }, label);
    return [button('replay', 'Replay', (pressed) => replay(parked, pressed)),
      parked.body !== undefined && button('edit', 'Change and replay', (pressed) => edit(parked, pressed)),
      button('discard', 'Discard', (pressed) => discard(parked, pressed), true)].filter(Boolean);
  }

  async function look() {
    try {
      const sent = await api.text(path);
      const text = (name) => member(sent, name) && pretty(member(sent, name));
      const parked = { ...JSON.parse(sent), body: text('body') };
      setText(title, parked.type || 'Parked message');
      const lines = [['Actor', h('a', { href: address(parked.actor) }, h('code', {}, parked.actor))], ['Message', parked.type ?? none()], parked.from && ['From', copied(parked.from)],
        ['Attempts', parked.attempts === undefined ? none() : count(parked.attempts)], ['Size', bytes(parked.size)], ['Id', copied(parked.id)]];
      facts.replaceChildren(...lines.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
      cause.replaceChildren(h('span', {}, parked.cause || 'not known'));
      const content = parked.body ?? text('segment');
      body.replaceChildren(h('span', {}, content === undefined ? 'This node does not show the contents of messages.' : content));
      show(named, Boolean(parked.maskedByNames));
      actions.replaceChildren(...buttons(parked));
      show(cards, true);
    } catch (wrong) {
      say.fail(wrong.message);
    }
  }

  look();
  return { el, title: 'Parked message', nav: 'mailboxes', leave: () => {} };
}
