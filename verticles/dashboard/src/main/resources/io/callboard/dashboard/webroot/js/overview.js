import { h, setText, show } from './dom.js';
import { ago, count, rate } from './format.js';
import { badge, JOB_STATES, isWaiting, tone, word } from './states.js';
import { table } from './table.js';
import { throughputChart } from './chart.js';
import { address } from './tree.js';
import * as api from './api.js';

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
  return { el, set: (text, remark, mark) => { setText(value, text); setText(note, remark || ''); el.dataset.mark = mark || ''; } };
}

function jobStates() {
  const bar = h('div', { class: 'stack', 'aria-hidden': 'true' });
  const list = h('ul', { class: 'legend', 'data-testid': 'jobs-by-state' });
  function update(byState) {
    const present = JOB_STATES.filter((state) => byState[state]);
    bar.replaceChildren(...present.map((state) => {
      const part = h('span', { class: `tone-${tone(state)}`, title: `${word(state)} ${byState[state]}` });
      part.style.flexGrow = byState[state];
      return part;
    }));
    const lines = present.map((state) => h('li', {}, h('a', { href: `#/jobs?state=${state}` }, badge(state), h('span', { class: 'number' }, count(byState[state])))));
    if (list.dataset.shown !== JSON.stringify(byState)) list.replaceChildren(...(lines.length ? lines : [h('li', { class: 'empty' }, 'No jobs yet.')]));
    list.dataset.shown = JSON.stringify(byState);
  }
  return { el: [bar, list], update };
}

function firstJob() {
  const command = `curl -s -X POST ${new URL('api/v1/jobs', document.baseURI).href} -H 'Content-Type: application/json' -d '{"command":["sh","-c","echo hi"]}'`;
  const copied = h('span', { role: 'status', class: 'note' });
  return h('section', { class: 'card first', 'data-testid': 'first-job', hidden: true },
    h('h2', {}, 'No jobs yet'),
    h('p', {}, 'Submit a first job and watch it here:'),
    h('pre', { class: 'code', tabindex: 0 }, 'callboard submit -- sh -c "echo hi"'),
    h('pre', { class: 'code', tabindex: 0 }, command),
    h('p', {}, h('button', { type: 'button', onclick: async () => {
      await navigator.clipboard.writeText(command);
      setText(copied, 'copied');
    } }, 'Copy the request'), ' ', copied));
}

function slots(host) {
  const share = host.slots ? Math.min(1, host.used / host.slots) : 0;
  const fill = h('span', {});
  fill.style.width = `${share * 100}%`;
  return h('span', { class: 'slots' }, h('span', { class: 'meter', 'aria-hidden': 'true' }, fill), h('span', {}, `${host.used} of ${host.slots}`));
}

export function overview(live) {
  const running = jobTile('Running', 'tile-running', '#/jobs?state=RUNNING');
  const waiting = jobTile('Waiting', 'tile-waiting', '#/jobs?state=QUEUED');
  const started = jobTile('Started per second', 'tile-started');
  const ended = jobTile('Ended per second', 'tile-ended');
  const dead = jobTile('Dead', 'tile-dead', '#/jobs?state=DEAD');
  const mail = tile('Messages waiting', 'tile-mail');
  const chart = throughputChart();
  const states = jobStates();
  const empty = firstJob();
  const facts = h('dl', { class: 'facts', 'data-testid': 'messages' });
  const actorStates = h('ul', { class: 'legend', 'data-testid': 'actors-by-state' });
  const fullest = table({ caption: 'Fullest mailboxes', testid: 'fullest', key: (row) => row.path, empty: 'No actor has messages waiting.',
    columns: [{ head: 'Fullest mailboxes', cell: (row) => h('a', { href: address(row.path) }, h('code', {}, row.path)), main: true }, { head: 'Waiting', cell: (row) => count(row.queued), number: true }] });
  const hosts = table({ caption: 'Hosts of job runs', testid: 'hosts', key: (row) => row.name, empty: 'No host has reported yet.',
    columns: [{ head: 'Host', cell: (row) => row.name, main: true }, { head: 'Slots in use', cell: slots },
      { head: 'State', cell: (row) => badge(row.live ? 'LIVE' : 'GONE') }] });
  const members = table({ caption: 'Members of the cell', testid: 'members', key: (row) => row.name + row.bootId, empty: 'None.',
    columns: [{ head: 'Node', cell: (row) => row.name, main: true }, { head: 'Joined', cell: (row) => ago(row.since) },
      { head: 'Facts', cell: (row) => h('span', { class: 'note' }, Object.entries(row.facts || {}).map(([k, v]) => `${k} ${v}`).join(' · ') || '–') }] });
  const zones = table({ caption: 'Scheduling zones of this node', testid: 'zones', key: (row) => row.name, empty: 'None.',
    columns: [{ head: 'Zone', cell: (row) => row.name, main: true }, { head: 'Kind', cell: (row) => row.kind },
      { head: 'Busy', cell: (row) => (row.size ? `${count(row.busy)} / ${count(row.size)}` : count(row.busy)), number: true },
      { head: 'Queued', cell: (row) => (row.blocked.length ? h('strong', {}, `${count(row.queued)}, ${count(row.blocked.length)} blocked`) : count(row.queued)), number: true },
      { head: 'Actors', cell: (row) => count(row.actors), number: true }] });

  const el = h('div', { class: 'overview' },
    h('h1', { tabindex: -1 }, 'Overview'),
    h('div', { class: 'tiles' }, running.el, waiting.el, dead.el, started.el, ended.el, mail.el),
    empty,
    h('div', { class: 'cards' },
      h('section', { class: 'card wide of-jobs' }, h('h2', {}, 'Throughput'),
        h('p', { class: 'key' }, h('span', { class: 'swatch started' }), 'runs started', h('span', { class: 'swatch ended' }), 'runs ended'), chart.el),
      jobCard('Jobs by state', 'jobs-card', states.el),
      jobCard('Hosts', 'hosts-card', hosts.el),
      card('Actors', 'actors-card', actorStates, fullest.el),
      card('Messages', 'messages-card', facts),
      h('section', { class: 'card wide', 'data-testid': 'members-card' }, h('h2', {}, 'Members'), members.el),
      card('Zones', 'zones-card', zones.el)));

  function showJobs(section) {
    const by = section.byState;
    const waits = JOB_STATES.filter(isWaiting).reduce((sum, state) => sum + (by[state] || 0), 0);
    running.set(count((by.RUNNING || 0) + (by.ADMITTED || 0)), `${count(section.count)} jobs in total`);
    waiting.set(count(waits), by.RETRY_WAIT ? `${count(by.RETRY_WAIT)} to retry` : '');
    dead.set(count(by.DEAD || 0), by.DEAD ? 'see why' : 'none failed permanently', by.DEAD ? 'bad' : '');
    states.update(by);
    show(empty, section.count === 0);
  }

  function showActors(section) {
    if (section.error) return mail.set('?', section.error, 'bad');
    mail.set(count(section.queued), `${count(section.count)} actors here`);
    actorStates.replaceChildren(...Object.entries(section.byState).map(([state, n]) => h('li', {}, h('a', { href: `#/actors?state=${state}` }, badge(state), h('span', { class: 'number' }, count(n))))));
    return fullest.update(section.fullest);
  }

  function showMessages(counts) {
    const lines = [['Handled', counts.handled], ['Turns committed', counts.turns], ['Commits', counts.commits], ['Sent', counts.sent],
      ['Failed turns', counts.failed], ['Parked', counts.parked], ['Dead letters', counts.dead]];
    facts.replaceChildren(...lines.map(([name, n]) => h('div', {}, h('dt', {}, name), h('dd', {}, count(n)))));
  }

  const ends = [
    live.watch('overview', undefined, (rows) => {
      const jobs = rows.get('jobs');
      const perSecond = rows.get('rate');
      if (!rows.get('actors')) return;
      if (jobs && perSecond) {
        showJobs(jobs);
        chart.push(perSecond.at, perSecond.startedPerSecond, perSecond.endedPerSecond);
        const recent = chart.average(10);
        started.set(rate(recent.started), `${count(perSecond.started)} since start`);
        ended.set(rate(recent.ended), `${count(perSecond.ended)} since start`);
      }
      showActors(rows.get('actors'));
      members.update(rows.get('members').items || []);
      showMessages(rows.get('messages'));
    }),
    live.watch('zones', undefined, (rows) => zones.update([...rows.values()])),
    live.watch('hosts', undefined, (rows) => hosts.update([...rows.values()])),
  ];
  api.get('stats').then((stats) => chart.load(stats.history)).catch(() => {});
  return { el, title: 'Overview', nav: 'overview', leave: () => ends.forEach((end) => end()) };
}
