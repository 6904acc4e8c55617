import { h, ignoreHeld, setText, show } from './dom.js';
import { keepTime } from './format.js';
import { Live } from './live.js';
import { summary, watchAttention } from './attention.js';
import { overview } from './overview.js';
import { jobs } from './jobs.js';
import { copyOnClick } from './copy.js';
import { deadletter } from './deadletter.js';
import { visible } from './foreign.js';
import { hosts } from './hosts.js';
import { mailbox, mailboxes } from './mailboxes.js';
import { keepPlace, restorePlace } from './place.js';
import { node, nodeSwitch } from './nodes.js';
import { role, roles } from './roles.js';
import { types } from './types.js';
import { zones } from './zones.js';
import { job } from './job.js';
import { actors } from './actors.js';
import { actor, cellNode } from './actor.js';
import { workflows } from './workflows.js';
import { workflow } from './workflow.js';
import { definition } from './definition.js';
import { source, sources } from './sources.js';
import { audit } from './audit.js';
import { because } from './api.js';
import { checkSession, login, mustLogIn, showSession } from './session.js';

const WORDS = { connecting: 'connecting', live: 'live', stale: 'stale', offline: 'offline', paused: 'paused', away: 'store away', outside: 'not a member', unread: 'not checked' };
const THEMES = ['auto', 'light', 'dark'];

const main = document.getElementById('view');
const banner = document.getElementById('banner');
let view = null;
let everLive = false;
let connection = ['connecting', 0];
let troubles = { total: 0, away: null, error: null };
let cell = '';

showSession();
const live = mustLogIn ? null : new Live(showStatus, (welcome) => {
  nodeSwitch(document.getElementById('node'), welcome.node);
  cellNode(welcome.node);
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
  if (socket === 'offline') checkSession();
  const old = status === 'stale' || status === 'offline' || (status === 'connecting' && failures > 0);
  show(banner, old || Boolean(away));
  document.body.classList.toggle('stale', old && everLive);
  if (away) setText(banner, `${away.subject.name}: ${away.cause}. Figures that cannot be read are grey.`);
  if (old) setText(banner, everLive ? 'No connection to the node: these figures are out of date. Reconnecting.' : 'The node cannot be reached. Reconnecting.');
}

/** The title tells the cell, and how much needs attention: tabs of several cells look different. */
function title() {
  const parts = [view && visible(view.title), cell, 'Callboard'].filter(Boolean).join(' – ');
  document.title = troubles.error ? `(?) ${parts}` : troubles.total ? `(${troubles.total}) ${parts}` : parts;
}

function route() {
  if (mustLogIn) return login();
  const [path, search] = (location.hash.slice(1) || '/').split('?');
  const parts = path.split('/').filter(Boolean);
  const q = Object.fromEntries(new URLSearchParams(search));
  if (parts.length === 0) return overview(live);
  if (parts[0] === 'jobs' && parts.length === 1) return jobs(live, q);
  if (parts[0] === 'jobs' && parts.length === 2) return job(live, decodeURIComponent(parts[1]));
  if (parts[0] === 'workflows' && parts.length === 1) return workflows(live, q);
  if (parts[0] === 'workflows' && parts.length === 2) return workflow(live, decodeURIComponent(parts[1]));
  if (parts[0] === 'definitions' && parts.length === 2) return definition(decodeURIComponent(parts[1]));
  if (parts[0] === 'sources' && parts.length === 1) return sources(live);
  if (parts[0] === 'sources' && parts.length === 2) return source(live, decodeURIComponent(parts[1]));
  if (parts[0] === 'types' && parts.length === 1) return types(live);
  if (parts[0] === 'hosts' && parts.length === 1) return hosts(live);
  if (parts[0] === 'audit' && parts.length === 1) return audit();
  if (parts[0] === 'zones' && parts.length === 1) return zones(live);
  if (parts[0] === 'nodes' && parts.length === 2) return node(live, decodeURIComponent(parts[1]));
  if (parts[0] === 'roles' && parts.length === 1) return roles(live);
  if (parts[0] === 'roles' && parts.length === 2) return role(live, decodeURIComponent(parts[1]));
  if (parts[0] === 'mailboxes') return parts.length === 1 ? mailboxes(live) : mailbox(`/${parts.slice(1).map(decodeURIComponent).join('/')}`);
  if (parts[0] === 'deadletters') return parts.length === 2 ? deadletter(decodeURIComponent(parts[1])) : mailboxes(live);
  if (parts[0] === 'actors') return parts.length === 1 ? actors(live, q) : actor(live, `/${parts.slice(1).map(decodeURIComponent).join('/')}`, q.node);
  return nowhere('Page not found', null);
}

function nowhere(title, detail) {
  return { el: h('div', {}, h('h1', { tabindex: -1 }, title), detail && h('p', { class: 'alert', role: 'alert', 'data-testid': 'view-problem' }, detail),
    h('p', {}, h('a', { href: '#/' }, 'Go to the overview'))), title, leave: () => {} };
}

/** The view of the address; what it throws leaves the page with its header and a way on. */
function routed() {
  try {
    return route();
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

function go(event) {
  view?.leave();
  view = routed();
  view.retitle = retitle;
  main.replaceChildren(view.el);
  title();
  for (const link of document.querySelectorAll('[data-nav]')) {
    if (link.dataset.nav === view.nav) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (event) main.querySelector('h1')?.focus({ preventScroll: true });
  restorePlace(main);
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
    localStorage.setItem('callboard.theme', root.dataset.theme);
    say();
  });
  say();
}

document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, select, textarea, dialog');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && document.getElementById('search')) {
    event.preventDefault();
    document.getElementById('search').focus();
  }
});
window.addEventListener('hashchange', go);
theme();
keepTime();
keepPlace(main);
copyOnClick();
ignoreHeld();
document.addEventListener('click', (event) => event.target.closest('button') && because(''), { capture: true });
go(null);
if (live) watchAttention(live, (found, omitted, error) => {
  troubles = error ? { total: 0, away: null, error: error.detail } : summary(found, omitted);
  title();
  showStatus(...connection);
});
