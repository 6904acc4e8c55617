import { because } from './api.js';
import { h, setText, show } from './dom.js';

/**
 * Asks before an action; resolves to what was filled in, and to null if it was given up.
 *
 * fields: [{ name, label, type, value, min, max, step, required, rows, check }]
 * check: returns what is wrong with what was filled in, null if nothing; the dialog says so and stays
 */
export function ask({ title, text, yes, bad = true, fields = [] }) {
  return new Promise((resolve) => {
    const inputs = fields.map(({ label, rows, value, check, ...field }) => {
      const input = h(rows ? 'textarea' : 'input', { ...field, rows, id: `ask-${field.name}`, value: rows ? null : value, autocomplete: 'off', 'data-testid': `ask-${field.name}` });
      if (rows) input.value = value;
      return { input, check, el: h('div', { class: 'field' }, h('label', { for: `ask-${field.name}` }, label), input) };
    });
    const answer = (given) => {
      dialog.close();
      dialog.remove(); // now: the close event comes later, and the next dialog may be there before
      resolve(given);
    };
    const reason = h('input', { id: 'ask-reason', maxlength: 200, autocomplete: 'off', 'data-testid': 'ask-reason' });
    const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'ask-problem' });
    const form = h('form', { method: 'dialog', onsubmit: (event) => {
      event.preventDefault();
      for (const { input, check } of inputs) {
        const wrong = check?.(input.value);
        input.setAttribute('aria-invalid', Boolean(wrong));
        if (!wrong) continue;
        setText(problem, wrong);
        show(problem, true);
        input.focus();
        return;
      }
      because(reason.value);
      answer(Object.fromEntries(inputs.map(({ input }) => [input.name, input.value])));
    } },
    h('h2', {}, title), [text].flat().filter(Boolean).map((each) => h('p', {}, each)), inputs.map(({ el }) => el),
    h('div', { class: 'field' }, h('label', { for: 'ask-reason' }, 'Reason, for the audit (optional)'), reason), problem,
    h('div', { class: 'actions' }, h('button', { type: 'button', autofocus: !inputs.length, onclick: () => answer(null) }, 'Go back'),
      h('button', { type: 'submit', class: bad && 'bad', 'data-testid': 'confirm-yes' }, yes)));
    const dialog = h('dialog', { 'aria-label': title, 'data-testid': 'confirm' }, form);
    for (const escaped of ['cancel', 'close']) {
      dialog.addEventListener(escaped, () => answer(null)); // after an answer it changes nothing
    }
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks for confirmation of an action that may be irreversible; resolves to true if it was confirmed. */
export async function confirm(title, text, yes, bad = true) {
  return (await ask({ title, text, yes, bad })) !== null;
}
