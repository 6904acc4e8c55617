import { h, setText, show } from './dom.js';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/**
 * Mark of a card whose content could not be read: it keeps what it shows, grey, and says since when and why.
 * Returns a function of the error, null for none, and of the time of the last reading.
 */
export function freshness(card) {
  const note = h('p', { class: 'unread', role: 'status', 'data-testid': 'unread', hidden: true });
  card.querySelector('h2').after(note);
  return (error, asOf) => {
    card.classList.toggle('old', Boolean(error));
    show(note, Boolean(error));
    if (error) setText(note, `Not read ${asOf ? `since ${clock.format(new Date(asOf))}` : 'yet'}: ${error}`);
  };
}
