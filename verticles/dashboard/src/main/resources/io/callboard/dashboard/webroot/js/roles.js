import { cellViews, none } from './cell.js';
import { ask } from './dialog.js';
import { h, hold, longTitle, refocus, show } from './dom.js';
import { ago, count, isoSpan, stamp } from './format.js';
import { notice } from './notice.js';
import { badge } from './states.js';
import { table } from './table.js';
import { address } from './tree.js';
import * as api from './api.js';

const CAUSES = {
  NONE_BEFORE: 'first holder', GIVEN_BACK: 'the holder gave it back', PROCESS_GONE: 'the process of the holder was gone',
  SILENT: 'the holder did not answer', SESSION_ENDED: 'the session of the holder ended', OWN: 'its own claim, whose answer was lost',
};

const cause = (failover) => CAUSES[failover.cause] || failover.cause;
const roleAddress = (name) => `#/roles/${encodeURIComponent(name)}`;
const last = (role) => role.failovers[role.failovers.length - 1];
const state = (role) => (!role.holder ? 'VACANT' : role.standby ? 'HELD_BY' : 'ALONE');
const gap = (failover) => (failover?.gap ? isoSpan(failover.gap) : none());

/** Asks before a role moves: what moves where, and for how long nobody held it the last time. */
async function failover(role, say, busy, pressed) {
  const before = [...role.failovers].reverse().find((each) => each.gap);
  const sure = await ask({
    title: `Fail ${role.name} over?`,
    text: [`${role.standby} takes it from ${role.holder}, with epoch ${role.epoch + 1}. What the role does is interrupted meanwhile, and its mail waits.`,
      before ? `The last time nobody held it for ${isoSpan(before.gap)}.` : null],
    yes: 'Fail over',
  });
  if (!sure) return refocus(pressed);
  const done = `${role.name}: the failover was accepted; ${role.holder} hands it over.`; // the row has another holder then
  return say.run(busy, `Failed for ${role.name}`, async () => {
    await api.post(`roles/${encodeURIComponent(role.name)}/failover`);
    return done;
  });
}

function button(role, say, busy) {
  const why = !role.holder ? 'No node holds it now' : role.standby ? null : `No other live node offers it than ${role.holder}`;
  return h('button', { type: 'button', 'data-verb': 'failover', 'aria-label': `Fail ${role.name} over`, disabled: Boolean(why), title: why,
    onclick: (event) => failover(role, say, busy, event.currentTarget) }, 'Fail over');
}

export function roles(live) {
  const say = notice('roles');
  const list = table({
    caption: 'Roles of the cell', testid: 'roles', key: (role) => role.name, href: (role) => roleAddress(role.name), empty: 'No node offers a role.',
    columns: [
      { head: 'Role', main: true, by: (role) => role.name, cell: (role) => h('a', { href: roleAddress(role.name) }, h('code', {}, role.name)) },
      { head: 'State', cell: (role) => badge(state(role)) },
      { head: 'Holder', by: (role) => role.holder, cell: (role) => role.holder ?? none() },
      { head: 'Standby', by: (role) => role.standby, cell: (role) => role.standby ?? none() },
      { head: 'Epoch', number: true, by: (role) => role.epoch, cell: (role) => count(role.epoch) },
      { head: 'Since', by: (role) => role.since, cell: (role) => ago(role.since) },
      { head: 'Last change', class: 'cause', cell: (role) => (last(role) ? cause(last(role)) : none()) },
      { head: 'Gap', number: true, cell: (role) => gap(last(role)) },
      { head: 'Actions', class: 'act', cell: (role) => h('span', { class: 'actions' }, button(role, say, list.busy(role.name))) },
    ],
  });
  const el = h('div', { class: 'cell' },
    h('div', { class: 'headline' }, h('h1', { tabindex: -1 }, 'Roles'), say.done), cellViews('roles'), say.problem,
    h('section', { class: 'card flush' }, list.el));
  const end = live.watch('roles', undefined, say.reader((rows) => list.update([...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1))), list.unread));
  return { el, title: 'Roles', nav: 'cell', leave: end };
}

/** One role with its last failovers. */
export function role(live, name) {
  const say = notice('role');
  const title = longTitle(name, 'role-name');
  const mark = h('span', { 'data-testid': 'role-state' });
  const actions = h('p', { class: 'actions' });
  const facts = h('dl', { class: 'facts', 'data-testid': 'role-facts' });
  const past = table({
    caption: `Failovers of ${name}`, testid: 'failovers', key: (each) => String(each.epoch), empty: 'It was never held.',
    columns: [
      { head: 'Epoch', main: true, by: (each) => each.epoch, cell: (each) => count(each.epoch) },
      { head: 'At', by: (each) => each.at, cell: (each) => stamp(each.at) },
      { head: 'From', by: (each) => each.from, cell: (each) => each.from || none() },
      { head: 'To', by: (each) => each.to, cell: (each) => each.to },
      { head: 'Cause', class: 'cause', cell: cause },
      { head: 'Nobody held it for', number: true, cell: gap },
    ],
  });
  const el = h('div', { class: 'cell' },
    h('p', { class: 'crumb' }, h('a', { href: '#/roles' }, 'Roles')),
    h('div', { class: 'headline' }, h('div', { class: 'title' }, mark, title.el), h('div', {}, actions, say.done)), say.problem,
    h('div', { class: 'cards' }, h('section', { class: 'card wide flush' }, h('h2', {}, 'Failovers'), past.el),
      h('section', { class: 'card' }, h('h2', {}, 'Facts'), facts)));
  let drawn = '';
  let under = false;
  let missing = false;

  /** Switch of the buttons, which are drawn anew with each change of the role. */
  function busy(on) {
    under = on;
    hold(actions, on);
  }

  function shown(current) {
    if (missing) show(say.problem, false);
    missing = false;
    show(actions, true);
    const text = JSON.stringify(current);
    if (text === drawn) return;
    drawn = text;
    mark.replaceChildren(badge(state(current)));
    const hadFocus = actions.contains(document.activeElement);
    actions.replaceChildren(button(current, say, busy));
    hold(actions, under);
    if (hadFocus) actions.querySelector('button').focus();
    const lines = [['Holder', current.holder ?? none()], ['Standby', current.standby ?? none()], ['Epoch', count(current.epoch)],
      current.since && ['Since', stamp(current.since)], ['Can hold it', current.candidates.join(', ') || none()], ['Actor', h('a', { href: address(`/roles/${name}`) }, h('code', {}, `/roles/${name}`))]];
    facts.replaceChildren(...lines.filter(Boolean).map(([field, value]) => h('div', {}, h('dt', {}, field), h('dd', {}, value))));
    past.update([...current.failovers].reverse());
  }

  const end = live.watch('roles', undefined, say.reader((rows) => {
    el.classList.remove('old');
    if (rows.has(name)) {
      shown(rows.get(name));
      return;
    }
    missing = true;
    drawn = '';
    show(actions, false);
    past.unread();
    say.fail('There is no role of this name.');
  }, () => {
    el.classList.add('old');
    past.unread();
  }));
  return { el, title: name, nav: 'cell', leave: end };
}
