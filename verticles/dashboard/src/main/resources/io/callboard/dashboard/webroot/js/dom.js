// Elements without markup in strings: data of jobs is only ever inserted as text.

import { visible } from './foreign.js';

const SVG = 'http://www.w3.org/2000/svg';

const SAID = new Set(['title', 'aria-label', 'data-label']);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : SAID.has(name) ? visible(value) : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : visible(child))));
  return node;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Sets the text only where it differs, so that selections and screen readers are not disturbed. */
export function setText(node, text) {
  const value = visible(text ?? '');
  if (node.textContent !== value) node.textContent = value;
}

export function show(node, visible) {
  node.hidden = !visible;
}

/** Switches the buttons in `node` off while an action is under way: they keep the focus, and a click does nothing. */
export function hold(node, on) {
  for (const button of node.querySelectorAll('button')) {
    if (on) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
  }
}

/** Keeps clicks from buttons that are switched off. */
export function ignoreHeld() {
  document.addEventListener('click', (event) => {
    if (event.target.closest('[aria-disabled=true]')) event.stopImmediatePropagation();
  }, { capture: true });
}

const LONG_TITLE = 300;

/** Heading of a text of any length: one that would fill the screen is cut until it is asked for. */
export function longTitle(text, testid) {
  const title = h('h1', { tabindex: -1, class: 'command', 'data-testid': testid }, text);
  const whole = h('button', { type: 'button', class: 'link', hidden: true, 'aria-expanded': 'false', onclick: () => {
    const cut = title.classList.toggle('cut');
    whole.setAttribute('aria-expanded', !cut);
    setText(whole, cut ? 'show all' : 'show less');
  } }, 'show all');
  function update(now) {
    setText(title, now);
    if (whole.hidden && now.length > LONG_TITLE) {
      title.classList.add('cut');
      show(whole, true);
    }
  }
  return { el: h('div', {}, title, whole), title, update };
}

/** Focuses what was pressed before a question, or the heading of the view if that was drawn anew meanwhile. */
export function refocus(pressed) {
  (pressed.isConnected ? pressed : document.querySelector('main h1'))?.focus();
}
