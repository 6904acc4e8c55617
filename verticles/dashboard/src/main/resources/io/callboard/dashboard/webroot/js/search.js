// Search over everything: a combobox in a dialog, from every view.

import { PLACES } from './attention.js';
import { h, setText, show } from './dom.js';
import { count, shortId } from './format.js';
import { badge } from './states.js';
import * as api from './api.js';

const PAUSE_MS = 200;
const EACH = 5;

const KINDS = { JOB: 'Jobs', WORKFLOW: 'Workflows', ACTOR: 'Actors and failure zones', DEFINITION: 'Definitions', TYPE: 'Types', SOURCE: 'Sources', ROLE: 'Roles', NODE: 'Nodes', ZONE: 'Scheduling zones' };
const TO = { ...PLACES, WORKFLOW: (id) => `#/workflows/${encodeURIComponent(id)}` };

let opened = null;

/** Opens the search; when it is closed, the browser gives the focus back to where it was. */
export function search() {
  if (opened) return;
  let options = [];
  let active = -1;
  let timer = 0;
  let drawn = '';
  let asked = new AbortController();
  const field = h('input', { type: 'text', id: 'find-text', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'find-hits', 'aria-autocomplete': 'list',
    'aria-label': 'Search ids, paths, names and labels', placeholder: 'Id, path, name, command, argument or label', maxlength: 200, autocomplete: 'off', spellcheck: 'false', 'data-testid': 'find-text', oninput: later, onkeydown: key });
  const hits = h('div', { id: 'find-hits', role: 'listbox', 'aria-label': 'Found', hidden: true, 'data-testid': 'find-hits' });
  const said = h('p', { class: 'note', role: 'status', 'data-testid': 'find-said' }, 'Enter opens, arrow keys choose, Escape closes.');
  const missing = h('ul', { class: 'note', 'data-testid': 'find-missing' });
  const dialog = h('dialog', { class: 'everywhere', 'aria-label': 'Search', 'data-testid': 'find', onclose: gone,
    onclick: (event) => event.target === dialog && dialog.close() }, field, hits, said, missing);
  opened = dialog;
  document.body.append(dialog);
  dialog.showModal();

  function gone() {
    clearTimeout(timer);
    asked.abort();
    opened = null;
    dialog.remove();
  }

  function mark(to) {
    options[active]?.el.setAttribute('aria-selected', 'false');
    active = options.length ? (to + options.length) % options.length : -1;
    const now = options[active]?.el;
    now?.setAttribute('aria-selected', 'true');
    now?.scrollIntoView({ block: 'nearest' });
    if (now) field.setAttribute('aria-activedescendant', now.id);
    else field.removeAttribute('aria-activedescendant');
  }

  function open(option) {
    if (!option) return;
    dialog.close();
    location.hash = option.to;
  }

  function key(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) mark(active < 0 && step < 0 ? -1 : active + step);
    else if (event.key === 'Enter' && active >= 0 && drawn === field.value.trim()) open(options[active]);
    else if (event.key === 'Enter') look();
    else return;
    event.preventDefault();
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  }

  async function look() {
    clearTimeout(timer);
    asked.abort();
    const text = field.value.trim();
    if (!text) return draw([], '');
    asked = new AbortController();
    const { signal } = asked;
    setText(said, 'looking');
    try {
      const { groups } = await api.get(`search${api.query({ q: text, limit: EACH })}`, signal);
      if (!signal.aborted) draw(groups, text);
    } catch (cause) {
      if (!signal.aborted) {
        draw([], text);
        setText(said, `Not searched: ${cause.message}`);
      }
    }
    return undefined;
  }

  function optionOf({ subject: { kind, name }, label, state, node, exact }) {
    const option = { to: TO[kind](name) };
    option.el = h('div', { role: 'option', id: `find-${options.length}`, 'aria-selected': 'false', 'data-name': name, 'data-kind': kind, onclick: () => open(option) },
      h('code', { title: name }, kind === 'JOB' || kind === 'WORKFLOW' ? shortId(name) : name), state && badge(state),
      h('span', { class: 'note' }, [label, node, exact && 'exactly this'].filter(Boolean).join(' · ')));
    options.push(option);
    return option.el;
  }

  function draw(groups, text) {
    drawn = text;
    options = [];
    const found = groups.filter(({ items }) => items.length);
    hits.replaceChildren(...found.map(({ kind, items, more }) => h('div', { role: 'group', 'aria-label': KINDS[kind] },
      h('p', { 'aria-hidden': 'true' }, more ? `${KINDS[kind]}, the first ${items.length}` : KINDS[kind]), items.map(optionOf))));
    show(hits, found.length);
    field.setAttribute('aria-expanded', Boolean(found.length));
    const more = found.filter((group) => group.more).map(({ kind }) => KINDS[kind].toLowerCase());
    setText(said, !text ? '' : options.length ? `${count(options.length)} found${more.length ? `; there are more ${more.join(', ')}` : ''}.` : 'Nothing found.');
    missing.replaceChildren(...groups.filter(({ incomplete }) => incomplete).map(({ kind, incomplete }) => h('li', {}, `${KINDS[kind]}: ${incomplete}`)));
    mark(0);
  }
}
