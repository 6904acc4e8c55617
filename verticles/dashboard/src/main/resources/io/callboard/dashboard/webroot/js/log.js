import { Terminal } from './ansi.js';
import { h, setText, show } from './dom.js';
import { bytes } from './format.js';
import { LogReader } from './logreader.js';
import { lasting } from './storage.js';

const MOST_SHOWN = 2 * 1024 * 1024;
const WRAP = 'callboard.log.wrap';

const run = ({ text, style }) => (style ? h('span', { class: style }, text) : text);
const line = (runs) => h('span', { class: 'line' }, runs.map(run), '\n');

/** Lines of a text as a terminal draws them. */
export function drawn(text) {
  const terminal = new Terminal();
  return [...terminal.write(text), terminal.open()].map(line);
}

/** Search in the lines of a log, newest first. */
function finder(text, unfollow) {
  let hits = [];
  let at = -1;
  const field = h('input', { type: 'search', placeholder: 'Find in the log', 'aria-label': 'Find in the log', autocomplete: 'off', 'data-testid': 'log-find' });
  const found = h('span', { class: 'note', role: 'status', 'data-testid': 'log-found' });
  const el = h('form', { class: 'find', role: 'search', onsubmit: (event) => {
    event.preventDefault();
    look();
    move(-1);
  } }, field, h('button', { type: 'submit', title: 'Enter', 'aria-label': 'Find the one before' }, '↑'),
  h('button', { type: 'button', 'aria-label': 'Find the next', onclick: () => { look(); move(1); } }, '↓'), found);
  let sought = '';

  function look() {
    const wanted = field.value.toLowerCase();
    const before = hits[at];
    hits.forEach((each) => each.classList.remove('hit', 'here'));
    hits = wanted ? [...text.children].filter((each) => each.textContent.toLowerCase().includes(wanted)) : [];
    hits.forEach((each) => each.classList.add('hit'));
    at = wanted === sought ? hits.indexOf(before) : -1;
    sought = wanted;
  }

  function move(step) {
    if (!hits.length) return setText(found, sought ? 'not in what is shown' : '');
    at = at < 0 ? hits.length - 1 : (at + step + hits.length) % hits.length;
    hits[at].classList.add('here');
    unfollow();
    hits[at].scrollIntoView({ block: 'nearest' });
    return setText(found, `${at + 1} of ${hits.length}`);
  }

  return el;
}

function save(parts, name) {
  const address = URL.createObjectURL(new Blob(parts, { type: 'text/plain' }));
  const link = h('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** Log of one run, while it grows. */
export function logPane(id) {
  let reader = null;
  let watched = 0;
  let size = null;
  let terminal = new Terminal();
  let open = null;
  let length = 0;
  let atEnd = true;
  const text = h('pre', { class: 'log', tabindex: 0, role: 'log', 'aria-live': 'off', 'aria-label': 'Log', 'data-testid': 'log', onscroll: () => {
    setFollow(text.scrollTop + text.clientHeight >= text.scrollHeight - 24);
  } });
  const state = h('span', { class: 'note', 'data-testid': 'log-state' }, 'no output yet');
  const extent = h('p', { class: 'note', 'data-testid': 'log-extent' });
  const choice = h('select', { 'aria-label': 'Run', onchange: () => follow(Number(choice.value)) });
  const button = (label, testid, onclick) => h('button', { type: 'button', class: 'quiet', 'data-testid': testid, onclick }, label);
  const earlier = button('Load earlier', 'log-earlier', loadEarlier);
  const followed = button('Follow', 'log-follow', () => toEnd());
  const wrap = button('Wrap', 'log-wrap', () => setWrap(text.classList.contains('long')));
  const download = button('Download', 'log-download', loadWhole);
  const tools = h('div', { class: 'log-tools' }, finder(text, () => setFollow(false)), h('span', { class: 'actions' }, earlier, followed, wrap, download));
  const el = h('section', { class: 'card' }, h('div', { class: 'headline' }, h('h2', {}, 'Log'), h('p', { class: 'actions' }, state, choice)), tools, extent, text);
  [choice, text, tools, extent].forEach((part) => show(part, false));
  setWrap(lasting.get(WRAP) !== 'no');
  setFollow(true);

  function setFollow(on) {
    atEnd = on;
    followed.setAttribute('aria-pressed', on);
  }

  function toEnd() {
    setFollow(true);
    text.scrollTop = text.scrollHeight;
  }

  function setWrap(on) {
    text.classList.toggle('long', !on);
    wrap.setAttribute('aria-pressed', on);
    lasting.keep(WRAP, on ? 'yes' : 'no');
  }

  function append(piece) {
    length += piece.length;
    const ended = terminal.write(piece).map(line);
    const rest = terminal.open();
    open?.remove();
    open = rest.length ? line(rest) : null;
    text.append(...ended, ...(open ? [open] : []));
    if (atEnd) toEnd();
    if (length > MOST_SHOWN && atEnd) reader.restart();
  }

  function reset(piece) {
    terminal = new Terminal();
    open = null;
    length = 0;
    text.replaceChildren();
    append(piece);
  }

  function sized(now) {
    size = now;
    const all = now.first === 0 && now.written === now.kept;
    show(extent, !all);
    const kept = now.written > now.kept ? ` kept of ${bytes(now.written)} written` : '';
    setText(extent, all ? '' : now.first ? `Showing the last ${bytes(now.next - now.first)} of ${bytes(now.kept)}${kept}.` : `Showing all ${bytes(now.kept)}${kept}.`);
    show(earlier, now.first > 0);
    earlier.disabled = length > MOST_SHOWN;
    earlier.title = length > MOST_SHOWN ? `At most ${bytes(MOST_SHOWN)} are shown: download it` : '';
  }

  async function loadEarlier() {
    const asked = reader;
    earlier.disabled = true;
    try {
      const piece = await asked.earlier();
      if (asked !== reader) return;
      length += piece.length;
      const before = text.scrollHeight - text.scrollTop;
      setFollow(false);
      const lines = drawn(piece);
      if (piece.endsWith('\n')) lines.pop(); // the empty one after its end
      text.prepend(...lines);
      text.scrollTop = text.scrollHeight - before;
      sized(size);
    } catch (cause) {
      setText(state, cause.message);
      asked.restart();
    }
  }

  async function loadWhole() {
    download.disabled = true;
    try {
      save(await reader.whole(), `${id}-run-${watched}.log`);
    } catch (cause) {
      setText(state, `not downloaded: ${cause.message}`);
    }
    download.disabled = false;
  }

  function follow(chosen) {
    reader?.stop();
    watched = chosen;
    [text, tools].forEach((part) => show(part, true));
    choice.value = String(chosen);
    reset('');
    setFollow(true);
    reader = new LogReader(id, chosen, { reset, append, size: sized, say: (words) => setText(state, words) });
  }

  function update(runs) {
    if (!runs.length) return;
    const last = runs[runs.length - 1].runId;
    show(choice, runs.length > 1);
    if (choice.options.length !== runs.length) {
      const wasLast = !watched || watched === Number(choice.options[choice.options.length - 1]?.value || watched);
      choice.replaceChildren(...runs.map((each) => h('option', { value: each.runId }, `run ${each.runId}`)));
      if (wasLast) follow(last);
      else choice.value = String(watched);
    }
  }

  return { el, update, stop: () => reader?.stop() };
}
