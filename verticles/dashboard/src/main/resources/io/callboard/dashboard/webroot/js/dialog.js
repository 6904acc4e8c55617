import { h } from './dom.js';

/** Asks for confirmation of an action that may be irreversible; resolves to true if it was confirmed. */
export function confirm(title, text, yes, bad = true) {
  return new Promise((resolve) => {
    const answer = (sure) => {
      dialog.close();
      dialog.remove(); // now: the close event comes later, and the next dialog may be there before
      resolve(sure);
    };
    const button = (label, sure, more) => h('button', { type: 'button', onclick: () => answer(sure), ...more }, label);
    const dialog = h('dialog', { 'aria-label': title, 'data-testid': 'confirm' },
      h('h2', {}, title), h('p', {}, text),
      h('div', { class: 'actions' },
        button('Go back', false), button(yes, true, { class: bad && 'bad', 'data-testid': 'confirm-yes' })));
    for (const escaped of ['cancel', 'close']) {
      dialog.addEventListener(escaped, () => answer(false)); // after an answer it changes nothing
    }
    document.body.append(dialog);
    dialog.showModal();
  });
}
