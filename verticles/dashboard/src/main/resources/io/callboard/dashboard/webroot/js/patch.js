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

/** Does a change of what is in `el`; a link or button that it replaces leaves the focus to the one in its place. */
export function keepFocus(el, change) {
  const inside = () => [...el.querySelectorAll('a, button')];
  const focused = inside().indexOf(document.activeElement);
  change();
  if (focused >= 0 && !el.contains(document.activeElement)) inside()[focused]?.focus();
}
