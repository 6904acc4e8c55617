import { h } from './dom.js';
import { span } from './format.js';
import { tone, word } from './states.js';

const MOST_ROWS = 100;

/** Bars of the steps that have begun, from the first start to the last end or now. */
export function timeline() {
  const el = h('div', { class: 'timeline', 'data-testid': 'timeline' });

  function update(instance) {
    const begun = Object.entries(instance.steps).filter(([, step]) => step.startedAt)
      .sort(([, a], [, b]) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
    if (!begun.length) {
      el.replaceChildren(h('p', { class: 'empty' }, 'No step has begun.'));
      return;
    }
    const from = Date.parse(begun[0][1].startedAt);
    const ends = begun.map(([, step]) => (step.endedAt ? Date.parse(step.endedAt) : Date.now()));
    const whole = Math.max(1, ...ends.map((end) => end - from));
    const rest = begun.length > MOST_ROWS ? [h('p', { class: 'note' }, `and ${begun.length - MOST_ROWS} more`)] : [];
    el.replaceChildren(...begun.slice(0, MOST_ROWS).map(([id, step], index) => {
      const start = Date.parse(step.startedAt) - from;
      const length = Math.max(0, ends[index] - from - start);
      const bar = h('span', { class: `bar-of tone-${tone(step.state)}` });
      bar.style.marginLeft = `${(100 * start) / whole}%`;
      bar.style.width = `${(100 * length) / whole}%`;
      return h('div', { class: 'lane', title: `${id}: ${word(step.state)}, ${span(length)}` },
        h('span', { class: 'lane-name' }, id), h('span', { class: 'lane-bar' }, bar), h('span', { class: 'note lane-time' }, span(length)));
    }), ...rest);
  }

  return { el, update };
}
