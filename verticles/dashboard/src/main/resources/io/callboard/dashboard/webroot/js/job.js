import { confirm } from './dialog.js';
import { h, longTitle, setText, show } from './dom.js';
import { ago, commandLine, copied, labels, later, shortId, stamp, took } from './format.js';
import { logPane } from './log.js';
import { repeat } from './repeat.js';
import { badge, isTerminal } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const AGAIN_MS = 5000;

const ACTIONS = [
  { verb: 'cancel', label: 'Cancel', allowed: (state) => !isTerminal(state) && state !== 'CANCELLING', title: 'Cancel this job?', yes: 'Cancel the job',
    question: (job) => (job.state === 'RUNNING' ? 'Its process is running and will be killed.' : 'It will not run.') },
  { verb: 'rerun', label: 'Run again', allowed: isTerminal, mild: true, title: 'Run this job again?', yes: 'Run again',
    question: (job) => `Its command is started once more, as run ${(job.runs[job.runs.length - 1]?.runId || 0) + 1}. What is shown of the runs before stays.` },
  { verb: 'hold', label: 'Hold', allowed: (state) => ['QUEUED', 'SCHEDULED', 'RETRY_WAIT'].includes(state), mild: true, title: 'Hold this job?', yes: 'Hold the job',
    question: (job) => (job.state === 'QUEUED' ? 'It waits to start, and will not until it is released.' : 'It is not due yet, and will not start when it is, until it is released.') },
  { verb: 'release', label: 'Release', allowed: (state) => state === 'HELD', mild: true, title: 'Release this job?', yes: 'Release the job',
    question: () => 'It may start as soon as it is due and there is room for it.' },
];

export function job(live, id) {
  let version = -1;
  const title = longTitle(shortId(id), 'job-command');
  const state = h('span', { 'data-testid': 'job-state' });
  const actions = h('p', { class: 'actions' });
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'job-problem' });
  const facts = h('dl', { class: 'facts', 'data-testid': 'job-facts' });
  const why = h('ul', { class: 'why', 'data-testid': 'why' });
  const whyTitle = h('h2', {});
  const whyCard = h('section', { class: 'card', hidden: true }, whyTitle, why);
  let endWhy = () => {};
  const runs = table({
    caption: 'Runs of this job', testid: 'runs', key: (run) => String(run.runId), empty: 'It has not run yet.',
    columns: [
      { head: 'Run', main: true, cell: (run) => run.runId },
      { head: 'State', cell: (run) => badge(run.state) },
      { head: 'Host', cell: (run) => run.host },
      { head: 'Started', cell: (run) => ago(run.startedAt) },
      { head: 'Duration', number: true, cell: (run) => took(run.startedAt, run.endedAt) },
      { head: 'Exit', number: true, cell: (run) => run.exitCode ?? h('span', { class: 'none' }, '–') },
      { head: 'Progress', cell: (run) => run.progress ?? h('span', { class: 'none' }, '–') },
      { head: 'Error', cell: (run) => run.error ?? h('span', { class: 'none' }, '–') },
    ],
  });
  const events = h('ol', { class: 'events', 'data-testid': 'events' });
  const log = logPane(id);
  const el = h('div', { class: 'one-job' },
    h('p', { class: 'crumb' }, h('a', { href: '#/jobs' }, 'Jobs')),
    h('div', { class: 'headline' }, h('div', { class: 'title' }, state, title.el), actions),
    problem, whyCard,
    h('div', { class: 'cards' },
      h('section', { class: 'card wide flush' }, h('h2', {}, 'Runs'), runs.el),
      h('section', { class: 'card' }, h('h2', {}, 'Facts'), facts)),
    log.el,
    h('section', { class: 'card' }, h('h2', {}, 'Events'), events));

  async function act(action, current) {
    if (!(await confirm(action.title, action.question(current), action.yes, !action.mild))) return;
    try {
      show(problem, false);
      shown(await api.post(`jobs/${encodeURIComponent(id)}/${action.verb}`));
    } catch (cause) {
      fail(cause.message);
    }
  }

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  function buttons(current) {
    const verbs = ACTIONS.filter((action) => action.allowed(current.state));
    if (actions.dataset.shown === verbs.map((action) => action.verb).join() + current.state) return;
    actions.dataset.shown = verbs.map((action) => action.verb).join() + current.state;
    actions.replaceChildren(...verbs.map((action) => h('button', {
      type: 'button', 'data-testid': `action-${action.verb}`, class: action.verb === 'cancel' && 'bad', onclick: () => act(action, current),
    }, action.label)));
  }

  function factList(current) {
    const lines = [['Id', copied(current.id)], ['Type', current.type], ['Priority', current.priority], ['Created', stamp(current.createdAt)],
      current.nextAttemptAt && ['Due', ago(current.nextAttemptAt)], current.endedAt && ['Ended', stamp(current.endedAt)],
      current.uniqueKey && ['Unique key', copied(current.uniqueKey)], current.error && ['Error', current.error],
      ...labels(current)];
    facts.replaceChildren(...lines.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  function shown(current) {
    if (current.version < version) return;
    const changed = current.version !== version;
    version = current.version;
    if (!changed) return;
    title.update(commandLine(current.command));
    view.retitle(commandLine(current.command).slice(0, 40));
    state.replaceChildren(badge(current.state));
    buttons(current);
    factList(current);
    runs.update([...current.runs].reverse());
    log.update(current.runs);
    refresh();
    endWhy();
    endWhy = isTerminal(current.state) ? () => {} : repeat(AGAIN_MS, reasons, (cause) => because([`It cannot be asked why: ${cause.message}`]));
    if (isTerminal(current.state)) because([]);
  }

  async function refresh() {
    try {
      const path = `jobs/${encodeURIComponent(id)}`;
      const happened = await api.get(`${path}/events`);
      events.replaceChildren(...happened.items.map((event, i, all) => h('li', {}, stamp(event.at), h('span', {}, event.what, i > 0 && later(all[i - 1].at, event.at)))).reverse());
    } catch (cause) {
      fail(cause.message);
    }
  }

  /** Asks for the reasons, also while the job does not change: its place does, and what its host answers. */
  async function reasons(signal) {
    const { state: now, blockedBy } = await api.get(`jobs/${encodeURIComponent(id)}/why`, signal);
    const all = isTerminal(now) ? [] : blockedBy;
    if (why.dataset.shown === JSON.stringify(all)) return;
    setText(whyTitle, now === 'RUNNING' ? 'Why it has not ended' : 'Why it is not running');
    because(all.map((reason) => [h('span', { class: 'kind' }, reason.kind), h('span', {}, reason.detail),
      reason.position && h('span', { class: 'note' }, `place ${reason.position} in the queue`),
      reason.since && h('span', { class: 'note' }, 'since ', ago(reason.since)),
      reason.changesWhen && h('span', { class: 'note' }, `changes when ${reason.changesWhen}`),
      reason.asked && h('span', { class: 'note' }, `asked last: ${reason.asked}`),
      reason.askedAt && h('span', { class: 'note' }, 'asked ', ago(reason.askedAt), reason.answer ? `: ${reason.answer}` : ', no answer yet')]), JSON.stringify(all));
  }

  function because(lines, shown = '') {
    why.dataset.shown = shown;
    why.replaceChildren(...lines.map((line) => h('li', {}, line)));
    show(whyCard, lines.length > 0);
  }

  const end = live.watch(`job/${id}`, undefined, (rows, error) => {
    if (error) return fail(error.detail);
    show(problem, false);
    return rows.get(id) && shown(rows.get(id));
  });
  const view = { el, title: shortId(id), nav: 'jobs', leave: () => { version = Infinity; end(); endWhy(); log.stop(); } };
  return view;
}
