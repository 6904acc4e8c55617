// Views that stand for one that is not there, or not yet.

import { h } from './dom.js';
import { ofTab } from './storage.js';
import * as api from './api.js';

const none = (title, ...content) => ({ el: h('div', {}, h('h1', { tabindex: -1 }, title), content), title, leave: () => {} });

export function nowhere(title, detail) {
  return none(title, detail && h('p', { class: 'alert', role: 'alert', 'data-testid': 'view-problem' }, detail),
    h('p', {}, h('a', { href: '#/' }, 'Go to the overview')));
}

export function loading() {
  return { el: h('div', {}, h('div', { class: 'card skeleton', role: 'status', 'aria-label': 'The view is loading', 'data-testid': 'view-loading' },
    Array.from({ length: 3 }, () => h('span', {})))), title: 'Loading', leave: () => {} };
}

const RENEW_AGAIN_MS = 60000;

/** Whether an answer is no file of this version: it is missing, or what a proxy answers instead. */
const foreign = (answer) => answer.status === 404 || (answer.ok && !/javascript/.test(answer.headers.get('content-type') ?? ''));

/** Notes that the page is loaded anew; false if it was a moment ago, or if the browser keeps no such note: it might go on for ever. */
function mayRenew() {
  return Date.now() - Number(ofTab.get('callboard.renewed')) >= RENEW_AGAIN_MS && ofTab.keep('callboard.renewed', Date.now());
}

/**
 * Loads the page anew if the node has another version of it by now, whose files have other addresses; once a minute at
 * most: behind a balancer, nodes of two versions may answer in turn. Never throws.
 */
export async function renew() {
  const mine = await fetch(import.meta.url, { cache: 'no-store' }).catch(() => null);
  if (mine && foreign(mine) && mayRenew()) location.reload();
}

/** Button that tries once more what failed: `again` throws if it fails again. */
function againButton(again) {
  const button = h('button', { type: 'button', 'data-testid': 'view-again', onclick: async () => {
    button.setAttribute('aria-disabled', 'true');
    try {
      await again();
    } catch {
      // browsers may keep a failure: a node that answers gets a page that is loaded anew
      await api.get('session').then(() => location.reload()).catch(() => button.removeAttribute('aria-disabled'));
    }
  } }, 'Try again');
  return button;
}

const failed = (cause) => h('p', { class: 'alert', role: 'alert', 'data-testid': 'view-problem' }, `The node may be away, or was restarted with another version: ${cause.message}`);

/**
 * View of an address whose module could not be loaded.
 *
 * again: tries it once more; throws if it fails again
 */
export function unloaded(cause, again) {
  return none('This view could not be loaded', failed(cause), h('p', { class: 'actions' }, againButton(again)));
}

/** Part of a view whose module comes later; `open` makes its element of the module. */
export function part(classes, title, load, open) {
  const el = h('section', { class: classes }, h('h2', {}, title), h('div', { class: 'skeleton', role: 'status', 'aria-label': `${title}: loading` }, Array.from({ length: 3 }, () => h('span', {}))));
  const come = async () => el.replaceWith(open(await load()));
  come().catch((cause) => {
    el.replaceChildren(h('h2', {}, title), failed(cause), h('p', { class: 'actions' }, againButton(come)));
    return renew();
  });
  return el;
}
