import { h } from './dom.js';

/** Asks before something is done, which may not be taken back; resolves to whether to go on. */
export function confirm(title, text, yes, bad = true) {
  return new Promise((resolve) => {
    const dialog = h('dialog', { 'aria-label': title, 'data-testid': 'confirm' },
      h('h2', {}, title), h('p', {}, text),
      h('form', { method: 'dialog', class: 'actions' },
        h('button', { value: 'no' }, 'Leave it'), h('button', { value: 'yes', class: bad && 'bad', 'data-testid': 'confirm-yes' }, yes)));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
