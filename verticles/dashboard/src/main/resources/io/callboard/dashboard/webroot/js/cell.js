import { h } from './dom.js';

const VIEWS = [['roles', 'Roles'], ['hosts', 'Hosts', 'of-jobs'], ['zones', 'Zones'], ['audit', 'Audit', 'of-operator'], ['settings', 'Settings', 'of-operator']];

/** Links between the views of the cell and its machines. */
export function cellViews(current) {
  return h('nav', { class: 'chips', 'aria-label': 'Views of the cell' }, VIEWS.map(([name, label, only]) =>
    h('a', { href: `#/${name}`, class: ['chip', only].filter(Boolean).join(' '), 'data-testid': `cell-${name}`, 'aria-current': name === current && 'page' }, label)));
}

const DASH = '–';

/** What stands for a value that there is not. */
export const none = () => h('span', { class: 'none' }, DASH);

/** Bar of how much of something is in use, with the figures beside it. */
export function meter(used, of, words) {
  const share = of ? Math.min(1, used / of) : 0;
  const fill = h('span', {});
  fill.style.width = `${share * 100}%`;
  return h('span', { class: 'slots' }, h('span', { class: share >= 1 ? 'meter full' : 'meter', 'aria-hidden': 'true' }, fill), h('span', { class: 'of' }, words));
}
