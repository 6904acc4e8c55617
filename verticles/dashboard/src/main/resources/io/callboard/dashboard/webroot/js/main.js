import { ignoreHeld, setText, show } from './dom.js';
import { keepTime } from './format.js';
import { Live } from './live.js';
import { summary, watchAttention } from './attention.js';
import { copyOnClick } from './copy.js';
import { visible } from './foreign.js';
import { keepPlace, restorePlace } from './place.js';
import { nodeSwitch } from './nodes.js';
import { loading, nowhere, renew, unloaded } from './placeholder.js';
import { load, loadAhead, route } from './routes.js';
import { because } from './api.js';
import { boundary } from './boundary.js';
import { login, mustLogIn, showSession } from './session.js';
import { lasting } from './storage.js';

const WORDS = { connecting: 'connecting', live: 'live', stale: 'stale', offline: 'offline', paused: 'paused', away: 'store away', outside: 'not a member', unread: 'not checked' };
const THEMES = ['auto', 'light', 'dark'];

const main = document.getElementById('view');
const banner = document.getElementById('banner');
let view = null;
let visits = 0;
let everLive = false;
let connection = ['connecting', 0];
let troubles = { total: 0, away: null, error: null };
let cell = '';

showSession();
const live = mustLogIn ? null : new Live(showStatus, (welcome) => {
  nodeSwitch(document.getElementById('node'), welcome.node);
  setText(document.getElementById('cell'), `cell ${welcome.cell}`);
  cell = welcome.cell;
  title();
  setText(document.getElementById('version'), welcome.version);
  document.body.classList.toggle('no-jobs', welcome.jobs === false);
  document.body.classList.toggle('no-workflows', welcome.workflows === false);
  document.body.classList.toggle('no-sources', welcome.sources === false);
});

/** The header shows the worst of the connection, the node's store and its membership. */
function showStatus(socket, failures) {
  connection = [socket, failures];
  const away = socket === 'live' ? troubles.away : null;
  const known = away ? (away.rule === 'NOT_A_MEMBER' ? 'outside' : 'away') : socket;
  const status = known === 'live' && troubles.error ? 'unread' : known;
  const mark = document.getElementById('live');
  if (mark.dataset.status !== status) mark.dataset.status = status;
  setText(document.getElementById('live-word'), WORDS[status]);
  everLive ||= socket === 'live';
  const old = status === 'stale' || status === 'offline' || (status === 'connecting' && failures > 0);
  show(banner, old || Boolean(away));
  document.body.classList.toggle('stale', old && everLive);
  if (away) setText(banner, `${away.subject.name}: ${away.cause}. What may be old is grey on the overview; the lists of jobs are what this node knew last.`);
  if (old) setText(banner, everLive ? 'No connection to the node: these figures are out of date. Reconnecting.' : 'The node cannot be reached. Reconnecting.');
}

/** The title tells the cell, and how much needs attention: tabs of several cells look different. */
function title() {
  const parts = [view && visible(view.title), cell, 'Callboard'].filter(Boolean).join(' – ');
  document.title = troubles.error ? `(?) ${parts}` : troubles.total ? `(${troubles.total}) ${parts}` : parts;
}

/** The view that is opened; what it throws leaves the page with its header and a way on. */
function guarded(open) {
  try {
    return open();
  } catch (cause) {
    const wrong = cause instanceof URIError ? 'It has a % that is not followed by two hexadecimal digits.' : `The page failed: ${cause.message}`;
    return nowhere('This address cannot be shown', `${location.hash}: ${wrong}`);
  }
}

/** Gives a view a better title once it has read it. */
function retitle(text) {
  this.title = text;
  title();
}

function present(next) {
  view = next;
  view.retitle = retitle;
  main.replaceChildren(view.el);
  title();
}

/** Presents a view that is whole; the focus goes to its title if one came from `from`, and has not moved on. */
function arrive(next, from) {
  present(next);
  for (const link of document.querySelectorAll('[data-nav]')) {
    if (link.dataset.nav === view.nav) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const now = document.activeElement;
  if (from && (now === from || now === document.body)) main.querySelector('h1')?.focus({ preventScroll: true });
}

function leave() {
  try {
    view?.leave();
  } catch (cause) {
    reportError(cause); // the way to the next view stays open
  }
}

function go(from) {
  leave();
  const visit = ++visits;
  const found = guarded(() => (mustLogIn ? login() : route(location.hash, live) || nowhere('Page not found')));
  if (found instanceof Promise) {
    present(loading());
    found.then((open) => visit === visits && arrive(guarded(open), from), (cause) => {
      if (visit !== visits) return;
      arrive(unloaded(cause, again), from);
      renew();
    });
  } else arrive(found, from);
  restorePlace(main);
}

async function again() {
  const visit = visits;
  await load(location.hash);
  if (visit === visits) go(document.activeElement);
}

function theme() {
  const button = document.getElementById('theme');
  const root = document.documentElement;
  const say = () => {
    setText(button, `${{ auto: '◐', light: '○', dark: '●' }[root.dataset.theme]} ${root.dataset.theme}`);
    button.setAttribute('aria-label', `Colours: ${root.dataset.theme}. Change`);
  };
  button.addEventListener('click', () => {
    root.dataset.theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
    lasting.keep('callboard.theme', root.dataset.theme);
    say();
  });
  say();
}

/** Opens the search over everything, which is loaded when it is first used. */
function find() {
  import('./search.js').then(({ search }) => search(), (cause) => {
    setText(banner, `The search could not be loaded: ${cause.message}`);
    show(banner, true);
    renew();
  });
}

document.getElementById('find').addEventListener('click', find);
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, select, textarea, dialog');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !mustLogIn) {
    event.preventDefault();
    find();
  }
});
window.addEventListener('hashchange', () => go(document.activeElement));
boundary(main, () => go(document.activeElement));
theme();
keepTime();
keepPlace(main);
copyOnClick();
if (live) loadAhead();
ignoreHeld();
document.addEventListener('click', (event) => event.target.closest('button') && because(''), { capture: true });
go(null);
if (live) watchAttention(live, (found, omitted, error) => {
  troubles = error ? { total: 0, away: null, error: error.detail } : summary(found, omitted);
  title();
  showStatus(...connection);
});
