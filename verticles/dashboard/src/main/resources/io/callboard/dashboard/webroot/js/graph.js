import { h, s, show } from './dom.js';
import { shortened } from './format.js';
import { layers } from './layers.js';
import { glyph, tone, word } from './states.js';

const WIDTH = 168;
const HEIGHT = 40;
const ALONG = 56;
const ACROSS = 16;
const EDGE = 12;
const MOST_DRAWN = 400;
const NARROW = 680;
const LEAST_SCALE = 0.7;
const NARROW_WIDTH = 132;

/** Steps and edges of a definition as the node answers it; finally steps come behind all others. */
function parts(definition) {
  const depth = Math.max(0, ...definition.graph.filter((step) => !step.last).map((step) => step.level + 1));
  const steps = definition.graph.map((step) => ({ id: step.step, level: step.level + (step.last ? depth : 0), last: step.last }));
  const edges = [];
  for (const section of [definition.definition.steps, definition.definition.finally || {}]) {
    for (const [to, step] of Object.entries(section)) {
      for (const [from, on] of Object.entries(step.after || {})) edges.push({ from, to, on });
    }
  }
  return { steps, edges, depth };
}

/**
 * Picture of a graph: levels from left to right, on a narrow page from top to bottom.
 *
 * @param definition as the node answers it
 * @param select called with the id of a step that is clicked
 */
export function graph(definition, select) {
  const { steps, edges, depth } = parts(definition);
  const note = h('p', { class: 'note', hidden: true });
  const frame = h('div', { class: 'graph', 'data-testid': 'graph', tabindex: 0, role: 'group', 'aria-label': `Graph with ${steps.length} steps; the table below lists them` });
  const el = h('div', {}, note, frame);
  const boxes = new Map();
  const lines = [];
  if (steps.length > MOST_DRAWN) {
    note.textContent = `The graph has ${steps.length} steps on ${Math.max(...steps.map((step) => step.level)) + 1} levels; up to ${MOST_DRAWN} are drawn.`;
    show(note, true);
    show(frame, false);
    return { el, update: () => {}, choose: () => {} };
  }
  const plan = layers(steps, edges);
  const vertical = innerWidth < NARROW;
  const wide = vertical ? NARROW_WIDTH : WIDTH;
  const along = (vertical ? HEIGHT : wide) + ALONG * (vertical ? 0.7 : 1);
  const across = (vertical ? wide : HEIGHT) + ACROSS;
  const length = plan.levels * along - ALONG * (vertical ? 0.7 : 1) + 2 * EDGE;
  const breadth = plan.width * across - ACROSS + 2 * EDGE;
  const size = vertical ? [breadth, length] : [length, breadth];
  const corner = ({ level, row }) => (vertical ? [EDGE + row * across, EDGE + level * along] : [EDGE + level * along, EDGE + row * across]);

  function drawing() {
    const picture = s('svg', { width: size[0], height: size[1], viewBox: `0 0 ${size[0]} ${size[1]}` },
      s('defs', {}, s('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, s('path', { d: 'M0 0.8L7.5 4L0 7.2z', class: 'tip' }))));
    if (steps.some((step) => step.last)) {
      const at = EDGE + depth * along - ALONG * (vertical ? 0.35 : 0.5);
      picture.append(s('path', { class: 'border', d: vertical ? `M0 ${at}H${breadth}` : `M${at} 0V${breadth}` }));
    }
    edges.forEach((edge, index) => picture.append(line(edge, plan.ways[index])));
    steps.forEach((step) => picture.append(box(step)));
    return picture;
  }

  /** An edge: curves from level to level, and its condition, unless it is success. */
  function line(edge, way) {
    const points = way.map((place, index) => {
      const [x, y] = corner(place);
      const first = index === 0;
      const last = index === way.length - 1;
      if (vertical) return [x + wide / 2, first ? y + HEIGHT : last ? y : y + HEIGHT / 2];
      return [first ? x + wide : last ? x : x + wide / 2, y + HEIGHT / 2];
    });
    let d = `M${points[0].join(' ')}`;
    for (let i = 1; i < points.length; i++) {
      const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
      d += vertical ? `C${x0} ${(y0 + y1) / 2} ${x1} ${(y0 + y1) / 2} ${x1} ${y1}` : `C${(x0 + x1) / 2} ${y0} ${(x0 + x1) / 2} ${y1} ${x1} ${y1}`;
    }
    const path = s('path', { d, class: 'edge', 'data-on': edge.on, 'marker-end': 'url(#arrow)' }, s('title', {}, `${edge.to} after ${edge.on} of ${edge.from}`));
    lines.push({ edge, path });
    if (edge.on === 'success') return path;
    const [[x0, y0], [x1, y1]] = points.slice(-2);
    return s('g', {}, path, s('text', { class: 'on', x: (x0 + x1) / 2, y: (y0 + y1) / 2 - 4, 'text-anchor': 'middle' }, edge.on));
  }

  function box(step) {
    const [x, y] = corner(plan.places.get(step.id));
    const mark = s('g', { transform: 'translate(10 12)' });
    const title = s('title', {}, step.id);
    const node = s('g', { class: 'step', transform: `translate(${x} ${y})`, tabindex: 0, role: 'button', 'aria-label': step.id, 'data-testid': 'graph-step', 'data-step': step.id,
      onclick: () => select(step.id), onkeydown: (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        select(step.id);
      } },
    title, s('rect', { width: wide, height: HEIGHT, rx: 9 }), mark, s('text', { x: 34, y: 25 }, shortened(step.id, wide - 40)));
    boxes.set(step.id, { node, mark, title });
    return node;
  }

  const drawn = drawing();
  drawn.style.minWidth = `${Math.round(size[0] * LEAST_SCALE)}px`; // then it is scrolled
  frame.append(drawn);

  /** Shows the states of the steps, by their ids. */
  function update(states) {
    for (const [id, { node, mark, title }] of boxes) {
      const state = states[id]?.state;
      if (!state || node.dataset.state === state) continue;
      node.dataset.state = state;
      node.setAttribute('class', `step tone-${tone(state)}${node.classList.contains('chosen') ? ' chosen' : ''}`);
      node.setAttribute('aria-label', `${id}: ${word(state)}`);
      title.textContent = `${id}: ${word(state)}`;
      mark.replaceChildren(glyph(state));
    }
    for (const { edge, path } of lines) {
      const source = states[edge.from]?.state;
      path.classList.toggle('taken', isSatisfied(edge.on, source));
      path.classList.toggle('closed', isSettled(source) && !isSatisfied(edge.on, source));
    }
  }

  /** Marks one step as chosen. */
  function choose(id) {
    boxes.forEach(({ node }, other) => node.classList.toggle('chosen', other === id));
  }

  return { el, update, choose };
}

function isSettled(state) {
  return ['SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED'].includes(state);
}

function isSatisfied(on, state) {
  return { success: state === 'SUCCEEDED', failure: state === 'FAILED', any: isSettled(state), ok: state === 'SUCCEEDED' || state === 'SKIPPED' }[on];
}
