import { confirm } from './dialog.js';
import { h, hold, setText, show } from './dom.js';
import { ago, count, shortId } from './format.js';
import { notice } from './notice.js';
import { arrange, keepFocus, patch } from './patch.js';
import { icon, tone as toneOf } from './states.js';
import { address } from './tree.js';
import * as api from './api.js';

const RULES = {
  STORE_UNREACHABLE: 'Store away',
  NOT_A_MEMBER: 'Not a member',
  NODE_LOST: 'Node lost',
  NODE_SUSPECT: 'Node suspect',
  NODE_SILENT: 'Node silent',
  LEASE_UNREADABLE: 'Lease damaged',
  ROLE_WITHOUT_HOLDER: 'Role without holder',
  ROLE_WITHOUT_STANDBY: 'Role without standby',
  FAILURE_ZONE_FAILED: 'Failure zone failed',
  ACTOR_FAILED: 'Actor failed',
  KEEPS_FAILING: 'Keeps failing',
  STAYS_INTERRUPTED: 'Stays interrupted',
  LONG_WAIT: 'Waits long',
  CIRCUIT_OPEN: 'Circuit open',
  THREAD_BLOCKED: 'Thread blocked',
  SCHEDULING_ZONE_FULL: 'Zone full',
  HOST_FAULT: 'Host broken',
  NO_HOST: 'No host',
  GATE_FULL: 'Gate full',
  TYPE_PAUSED: 'Type paused',
  JOBS_DEAD: 'Jobs dead',
  JOBS_STALLED: 'Jobs stalled',
  KILL_FAILED: 'Kill failed',
  MESSAGES_PARKED: 'Messages parked',
  MAIL_STUCK: 'Messages stuck',
  OLD_MAIL: 'Mail waits',
  BRAKE_ON: 'Brake on',
  STEPS_WAIT: 'Steps wait',
  SOURCE_STOPPED: 'Source does not poll',
  SOURCE_TROUBLED: 'Messages stuck in a source',
  ARCHIVE_AWAY: 'Archive away',
  PART_TROUBLED: 'Part of the node',
  GRID_FINDING: 'Grid',
  GRID_UNWATCHED: 'Grid unwatched',
  NOT_READ: 'Not read',
};

/** States that the words of rules name: such a word has the colour that its state has anywhere, the icon that of its severity. */
const STATES = { JOBS_DEAD: 'DEAD', JOBS_STALLED: 'STALLED' };

// an icon, a word and a colour: never the colour alone
const SEVERITIES = { CRITICAL: ['cross', 'bad', 'critical'], WARNING: ['warning', 'warn', 'warning'], NOTICE: ['pause', 'held', 'notice'] };

const nodeAddress = (name) => `#/nodes/${encodeURIComponent(name)}`;

/** Addresses of subjects by their kind; of one that is on another node by the name of that, too. */
export const PLACES = {
  NODE: nodeAddress,
  ROLE: (name) => `#/roles/${encodeURIComponent(name)}`,
  ACTOR: (path, node) => address(path, { node }),
  ZONE: (name, node) => (node ? nodeAddress(node) : '#/zones'),
  HOST: () => '#/hosts',
  TYPE: (name) => `#/jobs${api.query({ type: name })}`,
  JOB: (name) => `#/jobs/${encodeURIComponent(name)}`,
  DEAD_JOBS: (name) => `#/jobs${api.query({ state: 'DEAD', type: name })}`,
  PARKED: () => '#/mailboxes',
  DEFINITION: (name) => `#/definitions/${encodeURIComponent(name)}`,
  SOURCE: (name) => `#/sources/${encodeURIComponent(name)}`,
};

function link({ kind, name, node }, text) {
  const to = PLACES[kind];
  return to ? h('a', { href: to(name, node) }, text) : h('span', {}, text);
}

const named = ({ name, node }) => (node ? `${name} on ${node}` : name);

/** Watches what is wrong; `changed(troubles, omitted, error, read)` gets it, and what was read in words, whenever it changes. */
export function watchAttention(live, changed) {
  return live.watch('attention', undefined, (rows, error) => {
    const troubles = [...rows.values()].filter((row) => row.rule);
    const severities = Object.keys(SEVERITIES);
    const rules = Object.keys(RULES);
    troubles.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || rules.indexOf(a.rule) - rules.indexOf(b.rule)
      || String(a.since).localeCompare(String(b.since)) || (a.id < b.id ? -1 : 1));
    changed(troubles, rows.get('omitted')?.omitted || 0, error, rows.get('read')?.read);
  });
}

/** Number of troubles for a title, and what of them concerns the header: the store, the membership. */
export function summary(troubles, omitted) {
  const of = (rule) => troubles.find((trouble) => trouble.rule === rule);
  return { total: troubles.length + omitted, away: of('STORE_UNREACHABLE') || of('NOT_A_MEMBER') || null, error: null };
}

/** The card; `judged({ critical, away })` gets whether something critical is wrong, and why figures of the cell may be old, whenever that is read. */
export function attention(live, judged) {
  const state = h('p', { class: 'note', 'data-testid': 'attention-state' }, 'looking');
  const list = h('ul', { class: 'troubles', 'data-testid': 'troubles' });
  const unread = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'attention-unread' });
  const heading = h('h2', { tabindex: -1 }, 'Needs attention');
  const say = notice('attention');
  // told are numbers and additions only: causes change with each figure in them
  const told = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite', 'data-testid': 'attention-told' });
  const el = h('section', { class: 'card attention', 'data-testid': 'attention' },
    h('div', { class: 'headline' }, heading, state), told, unread, say.problem, say.done, list);
  const known = new Map();
  const held = new Set();
  let last = null;

  function action(trouble) {
    const { label, command, post, open } = trouble.action;
    const name = named(trouble.subject);
    if (post) {
      return h('button', { type: 'button', 'data-verb': 'act', 'aria-label': `${label}: ${name}`, onclick: (event) => act(trouble.id, event.currentTarget) }, label);
    }
    if (open) return link(open, label);
    return command ? [link(trouble.subject, label), ' ', h('code', {}, command)] : h('span', {}, label);
  }

  async function act(id, pressed) {
    const { subject, action: { label, command, post } } = known.get(id).trouble;
    const name = named(subject);
    if (await confirm(`${name}: ${label}?`, `The same as ${command}.`, label, false)) {
      await say.run((on) => busy(id, on), `Failed for ${name}`, async () => {
        await api.post(post.slice(1));
        return `${name}: ${label} was accepted.`;
      });
    } else if (pressed.isConnected) pressed.focus();
    if (document.activeElement === document.body) heading.focus(); // the row went meanwhile
  }

  function busy(id, on) {
    if (on) held.add(id);
    else held.delete(id);
    if (known.has(id)) line(known.get(id).trouble);
  }

  function drawn(trouble) {
    const [shape, tone, word] = SEVERITIES[trouble.severity];
    const { kind, name, node } = trouble.subject;
    const row = h('li', { 'data-key': trouble.id, 'data-rule': trouble.rule, 'data-severity': trouble.severity },
      h('span', { class: `state tone-${tone}` }, icon(shape), h('span', { class: STATES[trouble.rule] && `tone-${toneOf(STATES[trouble.rule])}` }, RULES[trouble.rule] || trouble.rule), h('span', { class: 'unseen' }, `, ${word}`)),
      h('span', { class: 'subject' }, link(trouble.subject, h('code', {}, kind === 'JOB' ? shortId(name) : name)), node && [' on ', link({ kind: 'NODE', name: node }, node)]),
      h('span', { class: 'note since' }, trouble.seen && 'seen ', ago(trouble.since)), h('span', { class: 'cause' }, trouble.cause), h('span', { class: 'act' }, action(trouble)));
    hold(row, held.has(trouble.id));
    return row;
  }

  /** The row of a trouble; of one that is known only what differs is drawn. */
  function line(trouble) {
    const text = JSON.stringify([trouble, held.has(trouble.id)]);
    const old = known.get(trouble.id);
    if (old?.text === text) return old.row;
    const row = old?.row || drawn(trouble);
    if (old) keepFocus(row, () => patch(row, drawn(trouble)));
    known.set(trouble.id, { row, text, trouble });
    return row;
  }

  function update(troubles, omitted, error, read) {
    show(unread, Boolean(error));
    if (error) {
      el.classList.add('old');
      setText(unread, `What is wrong cannot be read: ${error.detail}`);
      judged({ away: null }); // as the banner
      return;
    }
    el.classList.remove('old');
    const ids = new Set(troubles.map((trouble) => trouble.id));
    for (const id of [...known.keys()]) if (!ids.has(id)) known.delete(id);
    const hadFocus = list.contains(document.activeElement);
    arrange(list, troubles.map(line));
    if (hadFocus && !list.contains(document.activeElement)) heading.focus();
    const total = troubles.length + omitted;
    judged({ critical: troubles.some((trouble) => trouble.severity === 'CRITICAL'), away: summary(troubles, omitted).away });
    const words = total ? `${count(total)} now${omitted ? `, of which ${count(omitted)} are not listed` : ''}` : `Nothing is wrong.${read ? ` Read were: ${read}.` : ''}`;
    setText(state, words);
    const added = last === null ? [] : troubles.filter((trouble) => !last.has(trouble.id));
    if (last === null || added.length || last.size !== ids.size) {
      setText(told, [words, ...added.slice(0, 3).map((trouble) => `New: ${RULES[trouble.rule] || trouble.rule}, ${named(trouble.subject)}`)].join('. '));
    }
    last = ids;
    el.dataset.count = total;
  }

  return { el, leave: watchAttention(live, update) };
}
