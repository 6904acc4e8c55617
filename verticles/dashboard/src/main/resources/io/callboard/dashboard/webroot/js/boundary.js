import { h } from './dom.js';

/**
 * Says in a view what of it has thrown, and how to go on. Header, feed and the other views live on.
 *
 * again: draws the view anew
 */
export function boundary(main, again) {
  let said = null;

  function failed(cause) {
    if (!cause || cause.name === 'AbortError' || said?.isConnected) return; // the first says most; without a cause it is the browser's own remark
    said = h('section', { class: 'alert failed', role: 'alert', 'data-testid': 'view-failed' },
      h('p', {}, h('strong', {}, 'A part of this view failed'), `: ${cause.message || cause}. What it shows may be old or incomplete; other views are not affected.`),
      cause.stack && h('details', {}, h('summary', {}, 'Where'), h('pre', { class: 'code', tabindex: 0 }, cause.stack)),
      h('p', { class: 'actions' }, h('button', { type: 'button', onclick: again }, 'Draw it again'), h('a', { class: 'button', href: '#/' }, 'Go to the overview')));
    main.prepend(said);
  }

  window.addEventListener('error', (event) => failed(event.error));
  window.addEventListener('unhandledrejection', (event) => failed(event.reason));
}
