import { h, setText, show } from './dom.js';
import { attention } from './attention.js';
import { count, moment, rate, stamp } from './format.js';
import { freshness } from './fresh.js';
import { nodeTable } from './nodes.js';
import { refill } from './patch.js';
import { part } from './placeholder.js';
import { badge, JOB_STATES, isAlive, isWaiting, tone, word } from './states.js';
import { table } from './table.js';
import { address } from './tree.js';
import * as api from './api.js';

const MOST_EVENTS = 8;
const RECENT_SECONDS = 10;

function card(title, testid, ...content) {
  return section('card', title, testid, content);
}

// hidden if the node has no job scheduler
function jobCard(title, testid, ...content) {
  return section('card of-jobs', title, testid, content);
}

function section(classes, title, testid, content) {
  return h('section', { class: classes, 'data-testid': testid }, h('h2', {}, title), content);
}

function jobTile(label, testid, href) {
  const made = tile(label, testid, href);
  made.el.classList.add('of-jobs');
  return made;
}

function tile(label, testid, href) {
  const value = h('span', { class: 'value', 'data-testid': testid }, '–');
  const note = h('span', { class: 'note' });
  const el = h(href ? 'a' : 'div', { class: 'tile', href }, h('span', { class: 'label' }, label), value, note);
  return {
    el,
    set: (text, remark, mark) => { setText(value, text); setText(note, remark || ''); el.dataset.mark = mark || ''; },
    old: (is) => el.classList.toggle('old', Boolean(is)),
  };
}

function jobStates() {
  const bar = h('div', { class: 'stack', 'aria-hidden': 'true' });
  const list = h('ul', { class: 'legend', 'data-testid': 'jobs-by-state' });
  function update(byState) {
    const present = JOB_STATES.filter((state) => byState[state]);
    refill(bar, ...present.map((state) => {
      const part = h('span', { class: `tone-${tone(state)}`, title: `${word(state)} ${byState[state]}` });
      part.style.flexGrow = byState[state];
      return part;
    }));
    const lines = present.map((state) => h('li', {}, h('a', { href: `#/jobs?state=${state}` }, badge(state), h('span', { class: 'number' }, count(byState[state])))));
    refill(list, ...(lines.length ? lines : [h('li', { class: 'empty' }, 'No jobs yet.')]));
  }
  return { el: [bar, list], update };
}

function firstJob() {
  const command = `curl -s -X POST ${new URL('api/v1/jobs', document.baseURI).href} -H 'Content-Type: application/json' -d '{"command":["sh","-c","echo hi"]}'`;
  return h('section', { class: 'card first', 'data-testid': 'first-job', hidden: true },
    h('h2', {}, 'No jobs yet'),
    h('p', {}, 'Submit a first job and watch it here:'),
    h('pre', { class: 'code', tabindex: 0 }, 'callboard submit -- sh -c "echo hi"'),
    h('pre', { class: 'code', tabindex: 0 }, command),
    h('p', {}, h('button', { type: 'button', 'data-copy': command }, 'Copy the request')));
}

/** Rates over the last seconds, of totals that are told every second. */
function recently() {
  const told = [];
  return (now) => {
    if (!told.length || told[told.length - 1].at < now.at) told.push(now);
    while (now.at - told[0].at > RECENT_SECONDS) told.shift();
    const seconds = now.at - told[0].at;
    return seconds ? { started: (now.started - told[0].started) / seconds, ended: (now.ended - told[0].ended) / seconds } : { started: now.startedPerSecond, ended: now.endedPerSecond };
  };
}

export function overview(live) {
  const running = jobTile('Running', 'tile-running', '#/jobs?state=RUNNING');
  const waiting = jobTile('Waiting', 'tile-waiting', '#/jobs?state=QUEUED');
  const started = jobTile('Started per second', 'tile-started');
  const ended = jobTile('Ended per second', 'tile-ended');
  const dead = jobTile('Dead', 'tile-dead', '#/jobs?state=DEAD');
  const mail = tile('Messages waiting', 'tile-mail', '#/mailboxes');
  const empty = firstJob();
  const seen = { critical: false, away: null, jobs: null };
  const wrong = attention(live, (news) => {
    invite(news);
    ageJobs();
  });
  const states = jobStates();
  const lying = h('dl', { class: 'facts spread', 'data-testid': 'messages-now' });
  const facts = h('dl', { class: 'facts spread', 'data-testid': 'messages' });
  const counted = h('h3', {}, 'Counted by this node');
  const actorStates = h('ul', { class: 'legend', 'data-testid': 'actors-by-state' });
  const fullest = table({ caption: 'Fullest mailboxes', testid: 'fullest', key: (row) => row.path, empty: 'No actor has messages waiting.',
    columns: [{ head: 'Fullest mailboxes', cell: (row) => h('a', { href: address(row.path) }, h('code', {}, row.path)), main: true }, { head: 'Waiting', cell: (row) => count(row.queued), number: true }] });
  const members = nodeTable('members');
  const average = recently();
  let curves = null;
  let events = [];
  let left = false;
  let unread = null;
  const happened = h('ol', { class: 'events', 'data-testid': 'events' });

  const cards = {
    actors: card('Actors of this node', 'actors-card', actorStates, fullest.el),
    messages: card('Messages', 'messages-card', lying, counted, facts),
    members: h('section', { class: 'card flush whole members', 'data-testid': 'members-card' }, h('h2', {}, 'Nodes'), members.el),
    events: h('section', { class: 'card whole', 'data-testid': 'events-card' }, h('h2', {}, 'What happened'), happened),
  };
  const jobsByState = jobCard('Jobs by state', 'jobs-card', states.el);
  const tiles = h('div', { class: 'tiles', 'data-testid': 'tiles' }, running.el, waiting.el, dead.el, started.el, ended.el, mail.el);
  const mark = Object.fromEntries(Object.entries({ ...cards, jobsByState, tiles }).map(([name, each]) => [name, freshness(each)]));
  const el = h('div', { class: 'overview' },
    h('h1', { tabindex: -1 }, 'Overview'),
    wrong.el,
    tiles,
    empty,
    h('div', { class: 'cards' },
      jobsByState, cards.actors, cards.messages,
      part('card charts', 'Over time', () => import('./charts.js'), overTime),
      cards.members, cards.events));

  /** The charts, whose module has come. */
  function overTime(module) {
    if (left) return h('div', {});
    curves = module.charts();
    curves.events(events);
    return curves.el;
  }

  function showJobs(section) {
    const by = section.byState;
    const others = JOB_STATES.filter((state) => isWaiting(state) && state !== 'QUEUED').reduce((sum, state) => sum + (by[state] || 0), 0);
    const alive = JOB_STATES.filter((state) => isAlive(state) && state !== 'RUNNING' && by[state]).map((state) => `${count(by[state])} ${word(state).toLowerCase()}, `);
    running.set(count(by.RUNNING), `${alive.join('')}${count(section.count)} ${section.count === 1 ? 'job' : 'jobs'} in total`);
    waiting.set(count(by.QUEUED), others ? `+ ${count(others)} not due, held or blocked` : '');
    dead.set(count(by.DEAD || 0), by.DEAD ? 'see why' : 'none failed permanently', by.DEAD ? 'bad' : '');
    states.update(by);
    invite({ jobs: section.count });
  }

  /** Invites to submit a first job, unless there are other worries. */
  function invite(news) {
    Object.assign(seen, news);
    show(empty, seen.jobs === 0 && !seen.critical);
  }

  /** Figures of the cell's jobs, which this node has in memory, may be old while it is out of the cell, too. */
  function ageJobs() {
    const [error, at] = unread ?? [seen.away?.cause, seen.away?.since];
    mark.jobsByState(error, at);
    for (const each of [running, waiting, dead]) each.old(error);
  }

  function showActors(section) {
    mail.old(section.error);
    if (!section.byState) return mail.set('?', section.error, 'bad');
    mail.set(count(section.queued), `at ${count(section.count)} actors of this node${section.error ? ', not read now' : ''}`);
    const line = (state, n, what) => h('li', {}, h('a', { href: `#/actors?state=${state}` }, h('span', {}, badge(state), what), h('span', { class: 'number' }, count(n))));
    const zonesOf = Object.entries(section.zones || {}).filter(([state]) => state !== 'RUNNING');
    refill(actorStates, ...Object.entries(section.byState).map(([state, n]) => line(state, n, null)),
      ...zonesOf.map(([state, n]) => line(state, n, h('span', { class: 'note' }, n === 1 ? ' failure zone' : ' failure zones'))));
    return fullest.update(section.fullest);
  }

  function entries(list, lines) {
    refill(list, ...lines.map(([name, n]) => h('div', {}, h('dt', {}, name), h('dd', {}, n))));
  }

  /** What lies there now, in the cell, apart from what this node counted since it started. */
  function showMessages(parked, boxes, counts, since) {
    const lies = parked.count === undefined ? '?' : `${count(parked.count)}${parked.more ? ' or more' : ''}`;
    entries(lying, [['Parked, in the cell', h('a', { href: '#/mailboxes', 'data-testid': 'parked-now' }, lies)],
      ['In mailboxes of this node', h('a', { href: '#/mailboxes' }, boxes.depth === undefined ? '?' : count(boxes.depth))]]);
    refill(counted, 'Counted by this node since ', h('time', { datetime: since }, moment(since)));
    entries(facts, [['Handled', counts.handled], ['Turns committed', counts.turns], ['Commits', counts.commits], ['Sent', counts.sent],
      ['Failed turns', counts.failed], ['Parked', counts.parked], ['Dead letters', counts.dead]].map(([name, n]) => [name, count(n)]));
  }

  const ends = [
    live.watch('overview', undefined, (rows, error, failedAt) => {
      const jobs = rows.get('jobs');
      const perSecond = rows.get('rate');
      unread = error ? [error.detail, failedAt] : null;
      mark.tiles(error?.detail, failedAt);
      ageJobs();
      if (!rows.get('actors')) {
        for (const each of ['actors', 'messages']) mark[each](error?.detail, failedAt);
        return;
      }
      if (jobs && perSecond) {
        showJobs(jobs);
        const recent = average(perSecond);
        started.set(rate(recent.started), `${count(perSecond.started)} since this node started`);
        ended.set(rate(recent.ended), `${count(perSecond.ended)} since this node started`);
      }
      showActors(rows.get('actors'));
      showMessages(rows.get('parked'), rows.get('mailboxes'), rows.get('messages'), rows.get('node').countsSince);
      const at = rows.get('asOf');
      const worst = ['parked', 'mailboxes'].find((name) => rows.get(name).error) || 'parked';
      for (const [of, name] of [['actors', 'actors'], ['messages', worst]]) mark[of](error?.detail || rows.get(name).error, failedAt || at[name]);
    }),
    live.watch('nodes', undefined, (rows, error, failedAt) => {
      mark.members(error?.detail, failedAt);
      if (error) members.unread();
      else members.update(rows);
    }),
    live.watch('events', undefined, (rows, error, failedAt) => {
      mark.events(error?.detail, failedAt);
      events = [...rows.values()];
      curves?.events(events);
      const last = [...events].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST_EVENTS);
      const ids = last.map((event) => event.id).join();
      if (happened.dataset.last === ids) return;
      happened.dataset.last = ids;
      happened.replaceChildren(...last.map((event) => h('li', {}, stamp(event.at), h('div', {}, h('strong', {}, event.kind.replace('_', ' ').toLowerCase()), ' ', h('code', {}, event.subject), ': ', event.detail))));
    }),
    wrong.leave,
    () => { left = true; curves?.leave(); },
  ];
  return { el, title: 'Overview', nav: 'overview', leave: () => ends.forEach((end) => end()) };
}
