import { confirm } from './dialog.js';
import { h, hold, longTitle, setText, show } from './dom.js';
import { ago, copied, isoSpan, jobLine, labels, later, shortId, stamp, took } from './format.js';
import { logPane } from './log.js';
import { notice } from './notice.js';
import { repeat } from './repeat.js';
import { badge, isAlive, isTerminal } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const AGAIN_MS = 5000;

const runs = (job) => (job.command.length > 0 ? 'Its process' : 'Its handler');
const ended = (job) => (job.command.length > 0 ? 'killed' : 'interrupted');

/** An attempt of a step is not run again by itself: its instance is. */
const ofStep = (job) => (job.uniqueKey ?? '').startsWith('workflow/');

const ACTIONS = [
  { verb: 'cancel', label: 'Cancel', allowed: (state) => !isTerminal(state) && state !== 'CANCELLING', title: 'Cancel this job?', yes: 'Cancel the job',
    question: (job) => (job.state === 'RUNNING' ? `${runs(job)} is running and will be ${ended(job)}.` : isAlive(job.state) ? `${runs(job)} may be alive, and will be ${ended(job)}.` : 'It will not run.') },
  { verb: 'rerun', label: 'Run again', allowed: (state, job) => isTerminal(state) && !ofStep(job), mild: true, title: 'Run this job again?', yes: 'Run again',
    question: (job) => `${job.command.length > 0 ? 'Its command' : 'Its handler'} is started once more, as run ${(job.runs[job.runs.length - 1]?.runId || 0) + 1}. What is shown of the runs before stays.` },
  { verb: 'hold', label: 'Hold', allowed: (state) => ['QUEUED', 'SCHEDULED', 'RETRY_WAIT'].includes(state), mild: true, title: 'Hold this job?', yes: 'Hold the job',
    question: (job) => (job.state === 'QUEUED' ? 'It waits to start, and will not until it is released.' : 'It is not due yet, and will not start when it is, until it is released.') },
  { verb: 'release', label: 'Release', allowed: (state) => state === 'HELD', mild: true, title: 'Release this job?', yes: 'Release the job',
    question: () => 'It may start as soon as it is due and there is room for it.' },
  { verb: 'delete', label: 'Delete', allowed: isTerminal, title: 'Delete this job?', yes: 'Delete the job',
    question: () => 'Its record, and the directories and logs of its runs, will be deleted permanently.' },
];

/** Where the action is done that a remedy names, if it is no button of the job. */
const PLACES = { 'create-type': 'types', 'resume-type': 'types', 'raise-limit': 'types', 'raise-label-limit': 'types', undrain: 'hosts' };
const place = (remedy) => (PLACES[remedy?.action] ? [', see ', h('a', { href: `#/${PLACES[remedy.action]}` }, PLACES[remedy.action])] : []);

const TIMEOUTS = { queue: 'Queue timeout', run: 'Run timeout', total: 'Total timeout', progress: 'Progress timeout' };

/** What a job was submitted with, where that is not what any job has. */
function terms({ timeouts = {}, retry, onLost, nice, requires }) {
  return [...Object.entries(TIMEOUTS).map(([name, words]) => timeouts[name] && [words, isoSpan(timeouts[name])]),
    retry && ['Attempts', retry.attempts > 1 ? `${retry.attempts}, ${isoSpan(retry.initial)} to ${isoSpan(retry.max)} apart` : retry.attempts],
    onLost && onLost !== 'rerun' && ['If its host is lost', onLost], nice && ['Nice', nice],
    requires && ['Requires', Object.entries(requires).map(([k, v]) => `${k}=${v}`).sort().join(', ')]];
}

export function job(live, id) {
  const path = `jobs/${encodeURIComponent(id)}`;
  let version = -1;
  const say = notice('job');
  const title = longTitle(shortId(id), 'job-command');
  const state = h('span', { 'data-testid': 'job-state' });
  const actions = h('p', { class: 'actions' });
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
  const result = h('pre', { class: 'code tall', tabindex: 0, 'data-testid': 'job-result' });
  const resultCard = h('section', { class: 'card', hidden: true }, h('h2', {}, 'Result'), result);
  const args = h('pre', { class: 'code', tabindex: 0, 'data-testid': 'job-args' });
  const argsCard = h('section', { class: 'card', hidden: true }, h('h2', {}, 'Arguments'), args);
  const stack = h('pre', { class: 'code tall', tabindex: 0, 'data-testid': 'job-stack' });
  const stackCard = h('section', { class: 'card', hidden: true }, h('h2', {}, 'Where its handler is, which does not end'), stack);
  const events = h('ol', { class: 'events', 'data-testid': 'events' });
  const log = logPane(id);
  const el = h('div', { class: 'one-job' },
    h('p', { class: 'crumb' }, h('a', { href: '#/jobs' }, 'Jobs')),
    h('div', { class: 'headline' }, h('div', { class: 'title' }, state, title.el), h('div', {}, actions, say.done)),
    say.problem, whyCard,
    h('div', { class: 'cards' },
      h('section', { class: 'card wide flush' }, h('h2', {}, 'Runs'), runs.el),
      h('section', { class: 'card' }, h('h2', {}, 'Facts'), facts)),
    argsCard, stackCard, resultCard, log.el,
    h('section', { class: 'card' }, h('h2', {}, 'Events'), events));

  async function act(action, current) {
    if (!(await confirm(action.title, action.question(current), action.yes, !action.mild))) return;
    if (action.verb === 'delete') {
      await remove();
      return;
    }
    try {
      show(say.problem, false);
      shown(await api.post(`${path}/${action.verb}`));
    } catch (cause) {
      say.fail(cause.message);
    }
  }

  /** What was read of a job that is deleted stays, and nothing more is asked of it. */
  async function remove() {
    const deleted = await say.run((on) => hold(actions, on), 'Not deleted', async () => {
      await api.remove(path);
      return 'The job is deleted.';
    });
    if (!deleted) return;
    stop();
    show(actions, false);
    title.title.focus();
  }

  function buttons(current) {
    const verbs = ACTIONS.filter((action) => action.allowed(current.state, current));
    if (actions.dataset.shown === verbs.map((action) => action.verb).join() + current.state) return;
    actions.dataset.shown = verbs.map((action) => action.verb).join() + current.state;
    actions.replaceChildren(...verbs.map((action) => h('button', {
      type: 'button', 'data-testid': `action-${action.verb}`, class: !action.mild && 'bad', onclick: () => act(action, current),
    }, action.label)));
  }

  function factList(current) {
    const lines = [['Id', copied(current.id)], ['Type', current.type], ['Priority', current.priority], ['Created', stamp(current.createdAt)],
      current.nextAttemptAt && ['Due', ago(current.nextAttemptAt)], current.endedAt && ['Ended', stamp(current.endedAt)],
      current.uniqueKey && ['Unique key', copied(current.uniqueKey)], current.error && ['Error', current.error],
      current.checkpointAt && ['Checkpoint', stamp(current.checkpointAt)], ...terms(current), ...labels(current)];
    facts.replaceChildren(...lines.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  function shown(current) {
    if (current.version < version) return;
    const changed = current.version !== version;
    version = current.version;
    if (!changed) return;
    title.update(jobLine(current));
    view.retitle(jobLine(current).slice(0, 40));
    state.replaceChildren(badge(current.state));
    buttons(current);
    factList(current);
    show(argsCard, current.args !== undefined);
    setText(args, JSON.stringify(current.args, null, 2));
    show(stackCard, current.failedKill?.stack !== undefined);
    setText(stack, current.failedKill?.stack);
    show(resultCard, current.result !== undefined);
    setText(result, typeof current.result === 'string' ? current.result : JSON.stringify(current.result, null, 2));
    runs.update([...current.runs].reverse());
    log.update(current.runs);
    refresh();
    endWhy();
    endWhy = isTerminal(current.state) ? () => {} : repeat(AGAIN_MS, reasons, (cause) => because([`It cannot be asked why: ${cause.message}`]));
    if (isTerminal(current.state)) because([]);
  }

  async function refresh() {
    try {
      const happened = await api.get(`${path}/events`);
      events.replaceChildren(...happened.items.map((event, i, all) => h('li', {}, stamp(event.at), h('span', {}, event.what, i > 0 && later(all[i - 1].at, event.at)))).reverse());
    } catch (cause) {
      if (version !== Infinity) say.fail(cause.message);
    }
  }

  /** Asks for the reasons, also while the job does not change: its place does, and what its host answers. */
  async function reasons(signal) {
    const { state: now, blockedBy } = await api.get(`${path}/why`, signal);
    const all = isTerminal(now) ? [] : blockedBy;
    if (why.dataset.shown === JSON.stringify(all)) return;
    setText(whyTitle, isAlive(now) && now !== 'ADMITTED' ? 'Why it has not ended' : 'Why it is not running');
    because(all.map((reason) => [h('span', { class: 'kind' }, reason.kind), h('span', {}, reason.detail),
      reason.position && h('span', { class: 'note' }, `place ${reason.position} in the queue`),
      reason.since && h('span', { class: 'note' }, 'since ', ago(reason.since)),
      reason.changesWhen && h('span', { class: 'note' }, `changes when ${reason.changesWhen}`, ...place(reason.remedy)),
      reason.asked && h('span', { class: 'note' }, `asked last: ${reason.asked}`),
      reason.askedAt && h('span', { class: 'note' }, 'asked ', ago(reason.askedAt), reason.answer ? `: ${reason.answer}` : ', no answer yet')]), JSON.stringify(all));
  }

  function because(lines, shown = '') {
    why.dataset.shown = shown;
    why.replaceChildren(...lines.map((line) => h('li', {}, line)));
    show(whyCard, lines.length > 0);
  }

  const end = live.watch(`job/${id}`, undefined, (rows, error) => {
    if (error) return say.fail(error.detail);
    show(say.problem, false);
    return rows.get(id) && shown(rows.get(id));
  });

  function stop() {
    version = Infinity;
    end();
    endWhy();
    log.stop();
  }

  const view = { el, title: shortId(id), nav: 'jobs', leave: stop };
  return view;
}
