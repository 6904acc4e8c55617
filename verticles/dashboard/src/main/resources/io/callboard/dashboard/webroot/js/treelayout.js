// Layout of a supervision tree as boxes in boxes, without drawing: what has a box, and where.

import { ACTOR_STATES } from './states.js';
import { WELL } from './tree.js';

export const HEIGHT = 46;
export const HEAD = 52;
const WIDTH = 176;
const NARROW = 480;
const NARROW_WIDTH = 140; // two of them in a zone in a zone, on a phone
const GAP = 10;
const PAD = 10;
const MANY = 12; // of more siblings those that are well share boxes
const MOST_EACH = 40;
const MOST = 300;

const isZone = (row) => row.kind !== 'actor' && row.kind !== 'more';
const rank = (state) => (ACTOR_STATES.includes(state) ? ACTOR_STATES.indexOf(state) : ACTOR_STATES.indexOf('STARTING'));
const present = (byState) => Object.keys(byState).filter((state) => byState[state] > 0);

/** Worst state of a row and of what is in it; none for the toolkit's own part if all of it is well. */
export function worst(row) {
  const states = [row.state, ...present(row.inside?.byState ?? {}).filter((state) => !WELL.has(state))].filter(Boolean);
  return states.sort((a, b) => rank(a) - rank(b))[0];
}

const urgency = (row) => Math.min(rank(worst(row) ?? 'RUNNING'), rank('RUNNING'));

/** Children that were not read, by state; all under an empty name where their states are not known. */
function unread(zone, children) {
  const hidden = children.find((row) => row.kind === 'more')?.hidden ?? 0;
  if (!hidden) return {};
  const rest = { ...zone?.inside?.byState };
  const take = (state, n) => { rest[state] = (rest[state] ?? 0) - n; };
  for (const row of children) {
    if (row.kind === 'actor') take(row.state, 1);
    else if (row.inside) Object.entries(row.inside.byState).forEach(([state, n]) => take(state, n));
  }
  const known = Object.values(rest).every((n) => n >= 0) && Object.values(rest).reduce((sum, n) => sum + n, 0) === hidden;
  return known ? rest : { '': hidden }; // else there are zones among them
}

/** Rows below each open zone, by its place in the list; the top is at -1. */
function nest(rows) {
  const below = new Map([[-1, []]]);
  const path = [-1];
  rows.forEach((row, i) => {
    path.length = row.depth + 1;
    below.get(path[row.depth]).push(i);
    below.set(i, []);
    path.push(i);
  });
  return below;
}

/**
 * What has a box: the worst first, each actor and zone up to a limit; those beyond it, and siblings that are well
 * where there are many, share one box for each state.
 *
 * @param rows as in the treegrid, each with its depth
 * @param top path of the zone whose contents the rows are; a slash for all
 * @param keep keys of rows that keep boxes of their own: one has the focus, the others are around it
 * @returns { items: [{ key, kind: actor, zone or group, row, items of an open zone, path, state and n of a group }], grouped: number of those without a box }
 */
export function boxes(rows, top, keep) {
  const below = nest(rows);
  let left = MOST;
  let grouped = 0;

  const worstFirst = (a, b) => urgency(rows[a]) - urgency(rows[b]) || isZone(rows[a]) - isZone(rows[b]) || a - b;

  function within(at) {
    const zone = rows[at];
    const ids = below.get(at);
    const children = ids.map((i) => rows[i]);
    const counts = unread(zone, children);
    const crowd = children.filter((row) => row.kind === 'actor').length + Object.values(counts).reduce((sum, n) => sum + n, 0) > MANY;
    const own = [];
    let zones = 0;
    for (const i of ids.filter((id) => rows[id].kind !== 'more').sort(worstFirst)) {
      const row = rows[i];
      const shared = row.kind === 'actor' && crowd && WELL.has(row.state);
      if (keep.has(row.key) || (!shared && left > 0 && own.length < MOST_EACH)) {
        left--;
        own.push({ key: row.key, kind: isZone(row) ? 'zone' : 'actor', row, items: row.open ? within(i) : null });
      } else if (isZone(row)) zones++;
      else counts[row.state] = (counts[row.state] ?? 0) + 1;
    }
    const path = zone?.path ?? top;
    const group = (state) => ({ key: `group:${path}:${state}`, kind: 'group', row: zone, path, state, n: counts[state] });
    const groups = present(counts).sort((a, b) => rank(a) - rank(b)).map(group);
    if (zones) groups.push({ key: `zones:${path}`, kind: 'group', row: zone, path, state: 'zones', n: zones });
    groups.forEach(({ n }) => { grouped += n; });
    const after = own.findIndex(({ kind, row }) => kind === 'zone' && urgency(row) === rank('RUNNING'));
    own.splice(after < 0 ? own.length : after, 0, ...groups); // beside the other actors
    return own;
  }

  return { items: within(-1), grouped };
}

/**
 * Gives each item its x, y, width and height within what it is in: on shelves from left to right, as wide as there is
 * room; open zones are on shelves of their own. What is wider than the room stays so.
 *
 * @returns { width, height } of all
 */
export function layOut(items, room, box = room < NARROW ? NARROW_WIDTH : WIDTH) {
  let [x, y, shelf, width] = [0, 0, 0, 0];
  let before = null;
  for (const item of items) {
    Object.assign(item, size(item, room, box));
    if (before && (x + item.width > room || Boolean(item.items) !== Boolean(before.items))) {
      y += shelf + GAP;
      x = shelf = 0;
    }
    Object.assign(item, { x, y });
    x += item.width + GAP;
    shelf = Math.max(shelf, item.height);
    width = Math.max(width, x - GAP);
    before = item;
  }
  return { width, height: y + shelf };
}

function size(item, room, box) {
  if (item.kind !== 'zone') return { width: box, height: HEIGHT };
  const least = Math.max(box, Math.min(2 * box + GAP, room));
  if (!item.items?.length) return { width: least, height: HEAD };
  const inner = layOut(item.items, room - 2 * PAD, box);
  return { width: Math.max(least, inner.width + 2 * PAD), height: HEAD + inner.height + PAD };
}

/** Where the contents of an open zone begin within it. */
export const INNER = { x: PAD, y: HEAD };
