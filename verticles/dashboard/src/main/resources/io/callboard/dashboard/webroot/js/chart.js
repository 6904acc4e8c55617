// One chart: curves over time with gaps, marks of events, a read-out by pointer and keys, and a table.

import { h, s, setText } from './dom.js';
import { count, rate, span, clock, zoneOf } from './format.js';

const HEIGHT = 150;
const FOOT = 18;
const HEAD = 12;
const LEFT = 46;
const TIMES = 4;
const TONES = { NODE_LOST: 'bad', ZONE_FAILED: 'bad', ROLE_MOVED: 'run', TYPE_PAUSED: 'held', BRAKE_ON: 'held', NOTES_LOST: 'warn' };
const UNITS = { 'per second': (n) => `${rate(n)}/s`, seconds: (n) => span(n * 1000), jobs: rate, 'per step': count };
const ROUND_MS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600].map((seconds) => seconds * 1000);

/** Round figure above n: 1, 2, 5, 10, 20, … */
function roundUp(n) {
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= n * 0.999);
}

export const eventWord = (event) => `${event.kind.replaceAll('_', ' ').toLowerCase()} ${event.subject}`;

/** Times of the axis: as round as there is room for. */
function ticks(from, until, most) {
  const each = ROUND_MS.find((ms) => (until - from) / ms <= most) || ROUND_MS[ROUND_MS.length - 1];
  const shift = new Date(from).getTimezoneOffset() * 60000;
  const found = [];
  for (let at = Math.ceil((from - shift) / each) * each + shift; at < until; at += each) found.push(at);
  return found;
}

/** name: of the chart, for tests; title: above it. */
export function chart(name, title) {
  let data = null;
  let events = [];
  let width = 400;
  let chosen = -1;
  const drawing = s('svg', { height: HEIGHT, 'aria-hidden': 'true' });
  const plot = h('div', { class: 'plot', role: 'slider', tabindex: 0, 'aria-label': `${title}: time of the read-out`, 'aria-valuemin': 0, 'data-testid': `plot-${name}` }, drawing);
  const readout = h('p', { class: 'readout', 'data-testid': `readout-${name}` });
  const key = h('ul', { class: 'key' });
  const scope = h('span', { class: 'note' });
  const head = h('tr', {});
  const rows = h('tbody', {});
  const asTable = h('details', { class: 'as-table', 'data-testid': `table-${name}` }, h('summary', {}, 'As a table'),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${title} as a table` },
      h('table', {}, h('caption', { class: 'unseen' }, title), h('thead', {}, head), rows)));
  const el = h('section', { class: 'chart', 'data-testid': `chart-${name}` }, h('h3', {}, title, ' ', scope), key, plot, readout, asTable);

  const seen = new ResizeObserver(() => {
    width = Math.max(200, plot.clientWidth);
    draw();
  });
  seen.observe(plot);

  const x = (at) => LEFT + ((at - data.from) * (width - LEFT - 2)) / (data.steps * data.stepMs);
  const value = (n) => (n === null ? '–' : UNITS[data.curves[0].unit](n));
  const within = (i) => events.filter((event) => Math.floor((event.at - data.from) / data.stepMs) === i);
  const time = (i) => clock(data.from + i * data.stepMs, data.stepMs < 60000);

  function line(values, top) {
    const y = (n) => (HEAD + (1 - n / top) * (HEIGHT - HEAD - FOOT)).toFixed(1);
    let open = false;
    return values.map((n, i) => {
      if (n === null) {
        open = false;
        return '';
      }
      const to = `${x(data.from + (i + 0.5) * data.stepMs).toFixed(1)} ${y(n)}`;
      const part = open ? `L${to}` : `M${to}h.1`;
      open = true;
      return part;
    }).join('');
  }

  /** Where nothing was measured: not zero, but nothing. */
  function gaps() {
    const wide = x(data.from + data.stepMs) - LEFT;
    return data.measured.map((seconds, i) => (seconds ? '' : `M${x(data.from + i * data.stepMs).toFixed(1)} ${HEAD}h${(wide + 0.3).toFixed(1)}V${HEIGHT - FOOT}h-${(wide + 0.3).toFixed(1)}z`)).join('');
  }

  function axis(top) {
    const marks = [0, 0.5, 1].map((share) => {
      const y = HEAD + (1 - share) * (HEIGHT - HEAD - FOOT);
      return [s('line', { class: 'axis', x1: LEFT, x2: width, y1: y, y2: y }), s('text', { class: 'scale', x: LEFT - 5, y: y + 4, 'text-anchor': 'end' }, value(share * top))];
    });
    const until = data.from + data.steps * data.stepMs;
    const times = ticks(data.from, until, Math.max(2, Math.min(TIMES, Math.floor(width / 90)))).filter((at) => x(at) < width - 16)
      .map((at) => [s('line', { class: 'axis', x1: x(at), x2: x(at), y1: HEIGHT - FOOT, y2: HEIGHT - FOOT + 3 }),
        s('text', { class: 'scale', x: x(at), y: HEIGHT - 4, 'text-anchor': 'middle' }, clock(at, false))]);
    return [marks, times];
  }

  const mark = (event) => s('g', { class: `event tone-${TONES[event.kind] || 'off'}`, 'data-kind': event.kind },
    s('path', { d: `M${x(event.at).toFixed(1)} ${HEAD}V${HEIGHT - FOOT}` }), s('path', { class: 'tip', d: `M${(x(event.at) - 4).toFixed(1)} 2h8l-4 7z` }),
    s('title', {}, `${clock(event.at, true)} ${eventWord(event)}: ${event.detail}`));

  function draw() {
    if (!data) return;
    const all = data.curves.flatMap((curve) => curve.values).filter((n) => n !== null);
    const top = roundUp(Math.max(data.curves[0].unit === 'seconds' ? 1e-6 : 1, ...all));
    drawing.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    drawing.setAttribute('width', width);
    const shown = events.filter((event) => event.at >= data.from && event.at < data.from + data.steps * data.stepMs);
    drawing.replaceChildren(s('path', { class: 'gap', d: gaps() }), ...axis(top).flat(Infinity), ...shown.map(mark),
      ...data.curves.map((curve, i) => s('path', { class: `curve c${i}`, 'data-name': curve.name, d: line(curve.values, top) })));
    point(chosen);
  }

  /** What was at a step, in words. */
  function words(i) {
    const figures = data.measured[i] ? data.curves.map((curve) => `${curve.label} ${value(curve.values[i])}`).join(', ') : 'not measured';
    return [`${time(i)} ${data.zone}`, figures, ...within(i).map(eventWord)].join(' · ');
  }

  function point(i) {
    chosen = data && i >= 0 ? Math.min(data.steps - 1, i) : -1;
    drawing.querySelector('.cursor')?.remove();
    const at = chosen < 0 ? data.steps - 1 : chosen;
    plot.setAttribute('aria-valuemax', data.steps - 1);
    plot.setAttribute('aria-valuenow', at);
    plot.setAttribute('aria-valuetext', words(at));
    setText(readout, chosen < 0 ? '' : words(chosen));
    if (chosen < 0) return;
    const middle = x(data.from + (chosen + 0.5) * data.stepMs);
    drawing.append(s('line', { class: 'cursor', x1: middle, x2: middle, y1: HEAD, y2: HEIGHT - FOOT }));
  }

  const under = (event) => Math.max(0, Math.floor(((event.clientX - plot.getBoundingClientRect().left - LEFT) / (width - LEFT - 2)) * data.steps));
  const KEYS = { ArrowLeft: (i) => i - 1, ArrowRight: (i) => i + 1, PageUp: (i) => i - 10, PageDown: (i) => i + 10, Home: () => 0, End: () => data.steps - 1 };
  plot.addEventListener('pointermove', (event) => data && point(under(event)));
  plot.addEventListener('pointerdown', (event) => data && point(under(event)));
  plot.addEventListener('pointerleave', () => data && point(-1));
  plot.addEventListener('blur', () => data && point(-1));
  plot.addEventListener('keydown', (event) => {
    if (!data || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    point(Math.max(0, KEYS[event.key](chosen < 0 ? data.steps : chosen)));
  });
  asTable.addEventListener('toggle', fill);

  function fill() {
    if (!asTable.open || !data) return;
    head.replaceChildren(h('th', { scope: 'col' }, `From (${data.zone})`), ...data.curves.map((curve) => h('th', { scope: 'col', class: 'number' }, curve.label)), h('th', { scope: 'col' }, 'Events'));
    const lines = [];
    for (let i = data.steps - 1; i >= 0; i--) {
      const its = within(i);
      if (!data.measured[i] && !its.length) continue;
      lines.push(h('tr', {}, h('th', { scope: 'row' }, time(i)), data.curves.map((curve) => h('td', { class: 'number' }, value(curve.values[i]))), h('td', {}, its.map(eventWord).join(', '))));
    }
    rows.replaceChildren(...lines);
  }

  /** given: { from, stepMs, steps, measured, curves: [{ name, label, unit, values }], scope } */
  function update(given) {
    data = { ...given, zone: zoneOf(given.from) };
    setText(scope, data.scope);
    const labels = JSON.stringify(data.curves.map((curve) => curve.label));
    if (key.dataset.of !== labels) {
      key.dataset.of = labels;
      key.replaceChildren(...data.curves.map((curve, i) => h('li', {}, s('svg', { width: 22, height: 8, 'aria-hidden': 'true' }, s('path', { class: `curve c${i}`, d: 'M1 4H21' })), curve.label)));
    }
    draw();
    fill();
  }

  function happened(now) {
    events = now;
    draw();
    fill();
  }

  return { el, update, happened, leave: () => seen.disconnect() };
}
