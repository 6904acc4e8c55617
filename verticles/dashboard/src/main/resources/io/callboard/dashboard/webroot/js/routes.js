// Views by address. The overview comes with the page; the others are loaded when they are first looked at.

import { overview } from './overview.js';

const path = (parts) => `/${parts.join('/')}`;

// address (* is one part, ** all that follow), module, view of it
const ROUTES = [
  ['jobs', () => import('./jobs.js'), (of, live, parts, q) => of.jobs(live, q)],
  ['jobs/*', () => import('./job.js'), (of, live, [id]) => of.job(live, id)],
  ['types', () => import('./types.js'), (of, live) => of.types(live)],
  ['workflows', () => import('./workflows.js'), (of, live, parts, q) => of.workflows(live, q)],
  ['workflows/*', () => import('./workflow.js'), (of, live, [id]) => of.workflow(live, id)],
  ['definitions/*', () => import('./definition.js'), (of, live, [name]) => of.definition(name)],
  ['sources', () => import('./sources.js'), (of, live) => of.sources(live)],
  ['sources/*', () => import('./sources.js'), (of, live, [name]) => of.source(live, name)],
  ['mailboxes', () => import('./mailboxes.js'), (of, live) => of.mailboxes(live)],
  ['mailboxes/**', () => import('./mailboxes.js'), (of, live, parts) => of.mailbox(path(parts))],
  ['deadletters', () => import('./mailboxes.js'), (of, live) => of.mailboxes(live)],
  ['deadletters/*', () => import('./deadletter.js'), (of, live, [id]) => of.deadletter(id)],
  ['actors', () => import('./actors.js'), (of, live, parts, q) => of.actors(live, q)],
  ['actors/**', () => import('./actor.js'), (of, live, parts, q) => of.actor(live, path(parts), q)],
  ['roles', () => import('./roles.js'), (of, live) => of.roles(live)],
  ['roles/*', () => import('./roles.js'), (of, live, [name]) => of.role(live, name)],
  ['hosts', () => import('./hosts.js'), (of, live) => of.hosts(live)],
  ['zones', () => import('./zones.js'), (of, live) => of.zones(live)],
  ['audit', () => import('./audit.js'), (of) => of.audit()],
  ['settings', () => import('./settings.js'), (of) => of.settings()],
  ['nodes/*', () => import('./nodes.js'), (of, live, [name]) => of.node(live, name)],
].map(([pattern, load, open]) => ({ pattern: pattern.split('/'), load, open }));

const loaded = new Map();

function fits(pattern, parts) {
  const rest = pattern[pattern.length - 1] === '**';
  return (rest ? parts.length >= pattern.length : parts.length === pattern.length)
    && pattern.every((part, i) => part.startsWith('*') || part === parts[i]);
}

const split = (address) => address.split('/').filter(Boolean);
const routeOf = (parts) => ROUTES.find(({ pattern }) => fits(pattern, parts));

async function moduleOf(route) {
  const module = await route.load();
  loaded.set(route, module);
  return module;
}

/**
 * View of an address; a promise of a function that opens it if its module has to come first; null if there is none.
 * Throws URIError for an address that cannot be read.
 */
export function route(hash, live) {
  const [address, search] = hash.slice(1).split('?');
  const parts = split(address);
  if (parts.length === 0) return overview(live);
  const found = routeOf(parts);
  if (!found) return null;
  const names = parts.slice(1).map(decodeURIComponent);
  const open = (module) => found.open(module, live, names, Object.fromEntries(new URLSearchParams(search)));
  return loaded.has(found) ? open(loaded.get(found)) : moduleOf(found).then((module) => () => open(module));
}

/** Loads the module of an address, if it needs one that is not there. */
export async function load(hash) {
  const found = routeOf(split(hash.slice(1).split('?')[0]));
  if (found && !loaded.has(found)) await moduleOf(found);
}

/** Loads the module of a link that is pointed at or has the focus, so that its view is there when it is followed. */
export function loadAhead() {
  const ahead = ({ target }) => {
    const hash = target.closest?.('a[href^="#/"]')?.hash;
    if (hash) load(hash).catch(() => {}); // whoever follows the link is told
  };
  document.addEventListener('pointerover', ahead);
  document.addEventListener('focusin', ahead);
}
