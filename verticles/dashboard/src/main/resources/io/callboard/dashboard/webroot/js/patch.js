// Changes of what is shown that touch only what differs, so that selections and focus stay.

const SENSITIVE = 'a, button, input, select, details, svg';

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === 'style') old.style.cssText = value; // as an attribute, the policy of the page refuses it
    else old.setAttribute(name, value);
  }
}

function node(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType === Node.TEXT_NODE && fresh.nodeType === Node.TEXT_NODE) {
    old.nodeValue = fresh.nodeValue;
  } else if (old.nodeName !== fresh.nodeName || old.nodeType === Node.TEXT_NODE || old.matches(SENSITIVE)) {
    old.replaceWith(fresh); // what is listened to has other listeners, too
  } else {
    patch(old, fresh);
  }
}

/** Makes `old` look like `fresh`, which is used up. */
export function patch(old, fresh) {
  attributes(old, fresh);
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  if (before.length === after.length) before.forEach((child, i) => node(child, after[i]));
  else old.replaceChildren(...after);
}

/** Makes the content of `el` look like `fresh`, which is used up; selections, and the focus, stay. */
export function refill(el, ...fresh) {
  const wanted = el.cloneNode(false);
  wanted.append(...fresh);
  keepFocus(el, () => patch(el, wanted));
}

/** Does a change of what is in `el`; a link or button that it replaces leaves the focus to the one in its place. */
export function keepFocus(el, change) {
  const inside = () => [...el.querySelectorAll('a, button')];
  const focused = inside().indexOf(document.activeElement);
  change();
  if (focused >= 0 && !el.contains(document.activeElement)) inside()[focused]?.focus();
}

/** Puts exactly `wanted` into `parent`, in this order, moving as few as may be, and none with the focus or the selection. */
export function arrange(parent, wanted) {
  const all = new Set(wanted);
  for (const child of [...parent.children]) if (!all.has(child)) child.remove();
  if (wanted.every((child, i) => parent.children[i] === child)) return;
  const staying = resting(parent, wanted);
  let next = null;
  for (const child of [...wanted].reverse()) {
    if (!staying.has(child)) parent.insertBefore(child, next);
    next = child;
  }
}

/** The most children that can stay where they are: a moved one loses focus and selection, and these come first. */
function resting(parent, wanted) {
  const at = new Map([...parent.children].map((child, i) => [child, i]));
  const { anchorNode, focusNode } = getSelection();
  let rest = wanted.filter((child) => at.has(child));
  for (const node of [document.activeElement, anchorNode, focusNode]) {
    const i = rest.findIndex((child) => child.contains(node));
    if (i >= 0) rest = rest.filter((child, j) => (at.get(child) - at.get(rest[i])) * (j - i) >= 0);
  }
  return rising(rest, (child) => at.get(child));
}

/** The longest part of a list whose values rise, as a set. */
function rising(list, value) {
  const ends = []; // of the parts found so far, by length, those that end lowest
  const before = new Map();
  for (const each of list) {
    const found = ends.findIndex((end) => value(end) > value(each));
    const length = found < 0 ? ends.length : found;
    before.set(each, ends[length - 1]);
    ends[length] = each;
  }
  const part = new Set();
  for (let each = ends.at(-1); each !== undefined; each = before.get(each)) part.add(each);
  return part;
}
