// A supervision tree as a table or as a picture: which of both the address of its view says, and the switch between them.

import { h } from './dom.js';
import { picture } from './treepicture.js';

const PICTURE = 'picture';

/** Shape that an address asks for; undefined for a table. */
export const shapeOf = (as) => (as === PICTURE ? PICTURE : undefined);

/** What shows the rows of a tree in that shape; null for a table. */
export const drawnAs = (shape) => (shape === PICTURE ? picture : null);

/**
 * Switch between the shapes.
 *
 * to: makes the address of the view in a shape
 */
export function shapes(shape, to) {
  const link = (name, as) => h('a', { href: to(as), class: 'chip', 'data-testid': `as-${name.toLowerCase()}`, 'aria-current': shape === as && 'true' }, name);
  return h('nav', { class: 'chips', 'aria-label': 'Tree as' }, link('Table', undefined), link('Picture', PICTURE));
}
