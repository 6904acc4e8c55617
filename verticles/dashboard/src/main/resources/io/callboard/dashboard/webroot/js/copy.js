import { h, setText } from './dom.js';

const SAID_MS = 2500;
const LONGEST = 60;

/** Copies also where the browser has no clipboard: over http from another machine. */
async function put(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = h('textarea', { class: 'unseen', readonly: true });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('the browser refused');
  return undefined;
}

/** Copies what bears `data-copy` when it is clicked, and says so. */
export function copyOnClick() {
  const say = h('p', { class: 'toast', role: 'status', 'data-testid': 'copied', hidden: true });
  let timer = 0;
  document.body.append(say);
  document.addEventListener('click', async (event) => {
    const from = event.target.closest('[data-copy]');
    const chosen = getSelection();
    if (!from || (String(chosen) && from.contains(chosen.anchorNode))) return; // a part of it is selected
    const text = from.dataset.copy;
    say.hidden = false;
    try {
      await put(text);
      setText(say, `Copied ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`);
    } catch (cause) {
      setText(say, `Not copied: ${cause.message}`);
    }
    clearTimeout(timer);
    timer = setTimeout(() => { say.hidden = true; }, SAID_MS);
  });
}
