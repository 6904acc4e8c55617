import { h, s, setText, show } from './dom.js';
import { count, shortened } from './format.js';
import { arrange, patch } from './patch.js';
import { glyph, tone, word } from './states.js';
import { HEAD, HEIGHT, INNER, boxes, layOut, worst } from './treelayout.js';
import { address, elsewhere, listing, summary } from './tree.js';

const EDGE = 12;
const TOGGLE = 30;
const SMALL_LETTER = 6.4;

const at = (x, y) => `translate(${x} ${y})`;
const local = (row) => (row.supervisor && row.supervisor !== 'system' ? row.path.slice(row.supervisor.length + 1) : row.path);

/** As many parts as fit, with dots between. */
function fitting(parts, width) {
  const text = (n) => parts.slice(0, n).join(' · ');
  let n = parts.length;
  while (n > 1 && text(n).length * SMALL_LETTER > width) n--;
  return text(n);
}

const mark = (state, x, y) => s('g', { class: `tone-${tone(state)}`, transform: at(x, y) }, glyph(state));

function actorBox({ row, width }, node) {
  const label = `${row.path}: ${word(row.state)}`;
  return s('a', { href: address(row.path, { node }), class: `box tone-${tone(row.state)}`, 'aria-label': label, 'data-state': row.state },
    s('title', {}, row.lastFailure ? `${label}\n${row.lastFailure}` : label), s('rect', { width, height: HEIGHT, rx: 8 }),
    s('text', { class: 'name', x: 10, y: 19 }, shortened(local(row), width - 20)), mark(row.state, 10, 25), s('text', { class: 'word', x: 31, y: 37 }, word(row.state)));
}

/** What one box for many says. */
function many({ state, n }) {
  if (state === 'zones') return `${count(n)} more ${n === 1 ? 'zone' : 'zones'}`;
  return state ? `${count(n)} ${word(state).toLowerCase()}` : `${count(n)} more`;
}

function groupBox(item, node) {
  const { row, path, state, width } = item;
  const known = Boolean(state) && state !== 'zones';
  const listed = known && !node && row?.kind !== 'system';
  const within = path === '/' ? undefined : path;
  const where = within ? ` in ${within}` : '';
  return s(listed ? 'a' : 'g', { class: known ? `box many tone-${tone(state)}` : 'box many', 'data-state': known && state,
    href: listed && listing({ prefix: within, state }), 'aria-label': listed && `${many(item)}${where}: list them` },
  s('title', {}, `${many(item)}${where}${listed ? ': list them' : `: ${elsewhere(node)}`}`),
  s('rect', { x: 5, y: 5, width: width - 5, height: HEIGHT - 5, rx: 8 }), s('rect', { width: width - 5, height: HEIGHT - 5, rx: 8 }),
  known && mark(state, 10, 13), s('text', { class: 'word', x: known ? 31 : 12, y: 25 }, many(item)));
}

/** What a zone says of itself: the worst first. */
function told(row) {
  const [how, size, ...bad] = summary(row);
  const own = row.state && word(row.state);
  return [...(worst(row) === row.state ? [own, ...bad] : [...bad, own]), size, how].filter(Boolean);
}

/** Head of a zone: its name, and what is in it; the toolkit's own part has no view. */
function zoneHead({ row, width }, node) {
  const parts = told(row);
  const text = `${row.path}: ${parts.join(', ')}`;
  const state = worst(row);
  const inner = [s('title', {}, text), s('rect', { class: 'hit', x: TOGGLE, width: width - TOGGLE, height: HEAD - 4 }),
    s('text', { class: 'name', x: TOGGLE + 4, y: 21 }, shortened(local(row), width - TOGGLE - 12)), state && mark(state, TOGGLE + 4, 27),
    s('text', { class: 'word', x: TOGGLE + (state ? 25 : 4), y: 39 }, fitting(parts, width - TOGGLE - 32))];
  return row.kind === 'system' ? s('g', { class: 'head' }, inner) : s('a', { href: address(row.path, { node }), class: 'head', 'aria-label': text, 'data-state': row.state }, inner);
}

/** Zone with what is in it; `turn` opens or closes it. */
function zoneBox(item, turn, node) {
  const flip = () => turn(item.row.path);
  const parts = { rect: s('rect', { class: 'room', rx: 10 }), head: zoneHead(item, node), inside: s('g', { transform: at(INNER.x, INNER.y) }) };
  parts.toggle = s('g', { class: 'flip', role: 'button', tabindex: 0, 'aria-label': `Contents of ${item.row.path}`, onclick: flip, onkeydown: (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    flip();
  } }, s('rect', { class: 'hit', x: 3, y: 9, width: 26, height: 26, rx: 6 }), s('path', {}));
  return parts;
}

function drawZone(g, parts, item, node) {
  const { row, width, height } = item;
  const state = worst(row);
  g.setAttribute('class', `zone tone-${state ? tone(state) : 'off'}`);
  g.setAttribute('aria-label', row.path);
  parts.rect.setAttribute('width', width);
  parts.rect.setAttribute('height', height);
  patch(parts.head, zoneHead(item, node));
  parts.toggle.setAttribute('aria-expanded', String(row.open));
  parts.toggle.lastChild.setAttribute('d', row.open ? 'M10 19l6 6 6-6' : 'M13 16l6 6-6 6');
}

/**
 * Picture of a supervision tree: zones as boxes with what is in them, the worst first. It shows the rows of the
 * treegrid, and keeps what it has drawn over updates, so that the focus stays.
 *
 * top: path of the zone whose contents the rows are; a slash for all
 * turn: opens or closes a zone, by its path
 * node: name of the node, if it is another one
 */
export function picture({ caption, empty, top, turn, node }) {
  const known = new Map();
  let rows = null;
  let drawnWidth = 0;
  const svg = s('svg', {});
  const all = s('g', { transform: at(EDGE, EDGE) });
  svg.append(all);
  const loading = h('div', { class: 'skeleton', role: 'status', 'aria-label': `${caption}: loading` }, h('span', {}), h('span', {}), h('span', {}));
  const nothing = h('p', { class: 'empty', hidden: true });
  const note = h('p', { class: 'note', hidden: true, 'data-testid': 'picture-note' });
  const frame = h('div', { class: 'picture', tabindex: 0, role: 'group', 'aria-label': `${caption}, as a picture`, 'data-testid': 'picture' }, svg);
  show(frame, false);
  const el = h('div', { class: 'pictured' }, loading, nothing, note, frame);
  new ResizeObserver(() => frame.clientWidth !== drawnWidth && draw()).observe(frame);

  function create(item) {
    const g = s('g', { 'data-key': item.key, role: item.kind === 'zone' && 'group' });
    const drawn = { g };
    if (item.kind === 'zone') {
      drawn.parts = zoneBox(item, turn, node);
      g.append(drawn.parts.rect, drawn.parts.toggle, drawn.parts.head, drawn.parts.inside);
    } else {
      drawn.parts = { box: item.kind === 'actor' ? actorBox(item, node) : groupBox(item, node) };
      g.append(drawn.parts.box);
    }
    return drawn;
  }

  function renew({ g, parts }, item) {
    if (item.kind === 'zone') drawZone(g, parts, item, node);
    else patch(parts.box, item.kind === 'actor' ? actorBox(item, node) : groupBox(item, node));
  }

  function place(parent, items, seen) {
    arrange(parent, items.map((item) => {
      if (!known.has(item.key)) known.set(item.key, create(item));
      const drawn = known.get(item.key);
      seen.add(item.key);
      drawn.g.setAttribute('transform', at(item.x, item.y));
      const text = JSON.stringify([item.row, item.n, item.width, item.height, elsewhere(node)]);
      if (drawn.text !== text) renew(drawn, item);
      drawn.text = text;
      if (item.kind === 'zone') place(drawn.parts.inside, item.items ?? [], seen);
      return drawn.g;
    }));
  }

  function draw() {
    const width = frame.clientWidth;
    if (!rows || !width) return; // as soon as it has a width
    drawnWidth = width;
    const focused = all.contains(document.activeElement) ? document.activeElement : null;
    const its = focused?.closest('[data-key]');
    const above = its?.parentNode.closest('[data-key]');
    const keep = new Set();
    for (let box = its; box; box = box.parentNode.closest('[data-key]')) keep.add(box.dataset.key);
    const { items, grouped } = boxes(rows, top, keep);
    const size = layOut(items, width - 2 * EDGE);
    svg.setAttribute('width', Math.max(width, size.width + 2 * EDGE));
    svg.setAttribute('height', size.height + 2 * EDGE);
    const seen = new Set();
    place(all, items, seen);
    for (const key of [...known.keys()]) if (!seen.has(key)) known.delete(key);
    setText(note, `${count(grouped)} are not drawn one by one: boxes with a number stand for them.`);
    show(note, grouped > 0);
    if (focused && !focused.isConnected) (above?.isConnected ? above.querySelector('.flip') : frame).focus({ preventScroll: true });
  }

  function update(given) {
    rows = given;
    setText(nothing, empty);
    show(loading, false);
    show(nothing, rows.length === 0);
    show(frame, rows.length > 0);
    el.classList.remove('old');
    draw();
  }

  /** Says that the rows could not be read: what was drawn stays, grey. */
  function unread() {
    el.classList.add('old');
    show(loading, false);
    if (rows) return;
    setText(nothing, 'Not read.');
    show(nothing, true);
    show(frame, false);
  }

  return { el, update, unread };
}
