import { h, s, setText } from './dom.js';
import { rate } from './format.js';

const SECONDS = 300;
const HEIGHT = 190;
const FOOT = 20;
const PITCH = 5;

/** Round figures just above n: 1, 2, 5, 10, 20, … */
function roundUp(n) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, n)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= n);
}

/** Runs per second in the last five minutes: started above the line, ended below it. */
export function throughputChart() {
  let points = new Map();
  let latest = 0;
  let width = 600;
  const up = s('path', { class: 'started' });
  const down = s('path', { class: 'ended' });
  const axis = s('line', { class: 'axis', x1: 0 });
  const top = s('text', { class: 'scale', x: 2, y: 11 });
  const bottom = s('text', { class: 'scale', x: 2, y: HEIGHT - FOOT - 4 });
  const marks = s('g', {});
  const cursor = s('line', { class: 'cursor', y1: 0, y2: HEIGHT - FOOT, visibility: 'hidden' });
  const drawing = s('svg', { height: HEIGHT, role: 'img', 'data-testid': 'throughput-chart' }, axis, up, down, marks, top, bottom, cursor);
  const readout = h('p', { class: 'readout' });
  const rows = h('tbody', {});
  const asTable = h('details', { class: 'as-table' }, h('summary', {}, 'As a table'),
    h('table', {}, h('caption', { class: 'unseen' }, 'Runs started and ended, by half minute'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Until'), h('th', { scope: 'col', class: 'number' }, 'Started'), h('th', { scope: 'col', class: 'number' }, 'Ended'))), rows));
  const el = h('div', { class: 'chart' }, drawing, readout, asTable);

  new ResizeObserver(() => {
    width = Math.max(200, drawing.parentElement.clientWidth);
    draw();
  }).observe(el);
  drawing.addEventListener('pointermove', (event) => point(event.offsetX));
  drawing.addEventListener('pointerleave', () => point(-1));
  asTable.addEventListener('toggle', fillTable);

  function load(history) {
    points = new Map();
    history.started.forEach((started, i) => points.set(history.from + i, [started, history.ended[i]]));
    latest = history.from + history.started.length - 1;
    draw();
  }

  function push(second, started, ended) {
    if (second <= latest && points.has(second)) return;
    points.set(second, [started, ended]);
    latest = Math.max(latest, second);
    for (const old of points.keys()) if (old <= latest - SECONDS) points.delete(old);
    draw();
  }

  /** Rate per second, over the last whole seconds. */
  function average(seconds) {
    const sum = { started: 0, ended: 0 };
    for (let t = latest - seconds + 1; t <= latest; t++) {
      const [started, ended] = points.get(t) || [0, 0];
      sum.started += started / seconds;
      sum.ended += ended / seconds;
    }
    return sum;
  }

  function buckets() {
    const each = Math.max(1, Math.ceil(SECONDS / Math.floor(width / PITCH)));
    const last = Math.floor(latest / each);
    const first = Math.floor((latest - SECONDS) / each) + 1;
    const list = [];
    for (let b = first; b <= last; b++) {
      let started = 0;
      let ended = 0;
      let known = 0;
      for (let t = b * each; t < (b + 1) * each; t++) {
        const pair = points.get(t);
        if (pair) { started += pair[0]; ended += pair[1]; known++; }
      }
      list.push({ at: (b + 1) * each - 1, started: known ? started / known : 0, ended: known ? ended / known : 0 });
    }
    return list;
  }

  function draw() {
    if (!latest) return;
    const list = buckets();
    const step = width / list.length;
    const middle = (HEIGHT - FOOT) / 2;
    const most = roundUp(Math.max(1, ...list.map((b) => Math.max(b.started, b.ended))));
    const bar = (i, size, sign) => {
      const high = Math.max(size > 0 ? 1.5 : 0, (size / most) * (middle - 6));
      const x = (i * step + 0.5).toFixed(1);
      const w = Math.max(1, step - 1.5).toFixed(1);
      return high ? `M${x} ${middle + sign}h${w}v${(sign * high).toFixed(1)}h-${w}z` : '';
    };
    drawing.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    drawing.setAttribute('width', width);
    up.setAttribute('d', list.map((b, i) => bar(i, b.started, -1)).join(''));
    down.setAttribute('d', list.map((b, i) => bar(i, b.ended, 1)).join(''));
    axis.setAttribute('x2', width);
    axis.setAttribute('y1', middle);
    axis.setAttribute('y2', middle);
    setText(top, `${most}/s started`);
    setText(bottom, `${most}/s ended`);
    marks.replaceChildren(...(width < 420 ? [5, 3] : [5, 4, 3, 2, 1]).map((minutes) => s('text', {
      class: 'scale', x: Math.max(0, width - (minutes * 60 * width) / SECONDS), y: HEIGHT - 5,
    }, `−${minutes} min`)), s('text', { class: 'scale end', x: width - 2, y: HEIGHT - 5, 'text-anchor': 'end' }, 'now'));
    const sum = (which) => list.reduce((total, b) => total + b[which], 0) / list.length;
    drawing.setAttribute('aria-label', `Runs per second in the last five minutes: ${rate(sum('started'))} started and ${rate(sum('ended'))} ended on average`);
    if (asTable.open) fillTable();
  }

  function point(x) {
    const list = buckets();
    const bucket = x < 0 ? null : list[Math.floor((x / width) * list.length)];
    cursor.setAttribute('visibility', bucket ? 'visible' : 'hidden');
    if (!bucket) return setText(readout, '');
    cursor.setAttribute('x1', x);
    cursor.setAttribute('x2', x);
    return setText(readout, `${new Date(bucket.at * 1000).toLocaleTimeString()} · ${rate(bucket.started)}/s started · ${rate(bucket.ended)}/s ended`);
  }

  function fillTable() {
    if (!asTable.open) return;
    const lines = [];
    for (let until = latest; until > latest - SECONDS; until -= 30) {
      let started = 0;
      let ended = 0;
      for (let t = until - 29; t <= until; t++) {
        const pair = points.get(t) || [0, 0];
        started += pair[0];
        ended += pair[1];
      }
      lines.push(h('tr', {}, h('td', {}, new Date(until * 1000).toLocaleTimeString()), h('td', { class: 'number' }, started), h('td', { class: 'number' }, ended)));
    }
    rows.replaceChildren(...lines);
  }

  return { el, load, push, average };
}
