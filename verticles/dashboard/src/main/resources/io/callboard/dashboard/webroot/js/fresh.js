import { h, setText, show } from './dom.js';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Says since when something is not read, and why; `at` is a time or null if it never was. */
export const unreadSince = (error, at) => `Not read ${at ? `since ${clock.format(new Date(at))}` : 'yet'}: ${error}`;

/**
 * Mark of a card whose content could not be read: it keeps what it shows, grey, and says since when and why.
 * Returns a function of the error, null for none, and of the time of the last reading.
 */
export function freshness(card) {
  const note = h('p', { class: 'unread', role: 'status', 'data-testid': 'unread', hidden: true });
  const heading = card.querySelector('h2');
  if (heading) heading.after(note);
  else card.prepend(note);
  return (error, asOf) => {
    card.classList.toggle('old', Boolean(error));
    show(note, Boolean(error));
    if (error) setText(note, unreadSince(error, asOf));
  };
}
