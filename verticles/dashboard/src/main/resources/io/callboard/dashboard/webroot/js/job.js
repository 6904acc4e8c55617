import { confirm } from './dialog.js';
import { h, setText, show } from './dom.js';
import { ago, commandLine, labels, moment, shortId, took } from './format.js';
import { badge, isTerminal } from './states.js';
import { table } from './table.js';
import * as api from './api.js';

const MOST_LOG = 256 * 1024;
const RETRY_MS = 2000;

const ACTIONS = [
  { verb: 'cancel', label: 'Cancel', allowed: (state) => !isTerminal(state) && state !== 'CANCELLING',
    question: (job) => (job.state === 'RUNNING' ? 'Its process is running and will be killed.' : 'It will not run.') },
  { verb: 'rerun', label: 'Run again', allowed: isTerminal },
  { verb: 'hold', label: 'Hold', allowed: (state) => ['QUEUED', 'SCHEDULED', 'RETRY_WAIT'].includes(state) },
  { verb: 'release', label: 'Release', allowed: (state) => state === 'HELD' },
];

/** Log of one run, while it grows. */
function logPane(id) {
  let source = null;
  let retry = 0;
  let watched = 0;
  const text = h('pre', { class: 'log', tabindex: 0, role: 'log', 'aria-live': 'off', 'aria-label': 'Log', 'data-testid': 'log' });
  const state = h('span', { class: 'note', 'data-testid': 'log-state' }, 'no output yet');
  const raw = h('a', { 'data-testid': 'log-raw' }, 'raw');
  const choice = h('select', { 'aria-label': 'Run', onchange: () => follow(Number(choice.value)) });

  function append(piece) {
    const atEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 24;
    text.append(piece);
    while (text.textContent.length > MOST_LOG && text.childNodes.length > 1) text.firstChild.remove();
    if (atEnd) text.scrollTop = text.scrollHeight;
  }

  function follow(run) {
    stop();
    watched = run;
    show(text, true);
    show(raw, true);
    raw.href = `api/v1/jobs/${encodeURIComponent(id)}/log?run=${run}`;
    choice.value = String(run);
    const path = `api/v1/jobs/${encodeURIComponent(id)}/log${api.query({ run, follow: true })}`;
    source = new EventSource(path);
    const on = (name, what) => source.addEventListener(name, (event) => what(JSON.parse(event.data)));
    on('reset', (data) => {
      text.replaceChildren();
      append(data.text);
      setText(state, data.truncated ? 'following, the beginning is cut off' : 'following');
    });
    on('append', (data) => {
      append(data.text);
      setText(state, 'following');
    });
    on('waiting', (data) => setText(state, `waiting: ${data.detail}`));
    on('end', () => {
      setText(state, text.textContent ? 'the run has ended' : 'the run has ended and printed nothing');
      stop();
    });
    on('problem', (data) => {
      setText(state, data.detail);
      stop();
    });
    source.onerror = () => {
      setText(state, 'connection lost, reconnecting');
      // an event source gives up after an answer other than 200; this page does not
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(() => follow(run), RETRY_MS);
    };
  }

  function stop() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  function update(runs) {
    if (!runs.length) return;
    const last = runs[runs.length - 1].runId;
    show(choice, runs.length > 1);
    if (choice.options.length !== runs.length) {
      const wasLast = !watched || watched === Number(choice.options[choice.options.length - 1]?.value || watched);
      choice.replaceChildren(...runs.map((run) => h('option', { value: run.runId }, `run ${run.runId}`)));
      if (wasLast) follow(last);
      else choice.value = String(watched);
    }
  }

  const el = h('section', { class: 'card' }, h('div', { class: 'headline' }, h('h2', {}, 'Log'), h('p', { class: 'actions' }, state, choice, raw)), text);
  [choice, text, raw].forEach((part) => show(part, false));
  return { el, update, stop };
}

export function job(live, id) {
  let version = -1;
  const title = h('h1', { tabindex: -1, class: 'command', 'data-testid': 'job-command' }, shortId(id));
  const state = h('span', { 'data-testid': 'job-state' });
  const actions = h('p', { class: 'actions' });
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'job-problem' });
  const facts = h('dl', { class: 'facts', 'data-testid': 'job-facts' });
  const why = h('ul', { class: 'why', 'data-testid': 'why' });
  const whyCard = h('section', { class: 'card', hidden: true }, h('h2', {}, 'Why it is not running'), why);
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
    h('div', { class: 'headline' }, h('div', { class: 'title' }, state, title), actions),
    problem, whyCard,
    h('div', { class: 'cards' },
      h('section', { class: 'card wide flush' }, h('h2', {}, 'Runs'), runs.el),
      h('section', { class: 'card' }, h('h2', {}, 'Facts'), facts)),
    log.el,
    h('section', { class: 'card' }, h('h2', {}, 'Events'), events));

  async function act(action, current) {
    if (action.question && !(await confirm('Cancel this job?', action.question(current), 'Cancel the job'))) return;
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
    const lines = [['Id', h('code', {}, current.id)], ['Type', current.type], ['Priority', current.priority], ['Created', moment(current.createdAt)],
      current.nextAttemptAt && ['Due', ago(current.nextAttemptAt)], current.endedAt && ['Ended', moment(current.endedAt)],
      current.uniqueKey && ['Unique key', h('code', {}, current.uniqueKey)], current.error && ['Error', current.error],
      ...labels(current)];
    facts.replaceChildren(...lines.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  function shown(current) {
    if (current.version < version) return;
    const changed = current.version !== version;
    version = current.version;
    if (!changed) return;
    setText(title, commandLine(current.command));
    document.title = `${commandLine(current.command).slice(0, 40)} – Callboard`;
    state.replaceChildren(badge(current.state));
    buttons(current);
    factList(current);
    runs.update([...current.runs].reverse());
    log.update(current.runs);
    refresh(current);
  }

  async function refresh(current) {
    try {
      const path = `jobs/${encodeURIComponent(id)}`;
      const happened = await api.get(`${path}/events`);
      events.replaceChildren(...happened.items.reverse().map((event) => h('li', {}, h('time', { datetime: event.at }, moment(event.at)), h('span', {}, event.what))));
      const runs = current.state === 'RUNNING' || isTerminal(current.state);
      const reasons = runs ? [] : (await api.get(`${path}/why`)).blockedBy;
      show(whyCard, reasons.length > 0);
      why.replaceChildren(...reasons.map((reason) => h('li', {}, h('span', { class: 'kind' }, reason.kind), h('span', {}, reason.detail),
        reason.position && h('span', { class: 'note' }, `place ${reason.position} in the queue`),
        reason.since && h('span', { class: 'note' }, 'since ', ago(reason.since)),
        reason.changesWhen && h('span', { class: 'note' }, `changes when ${reason.changesWhen}`),
        reason.asked && h('span', { class: 'note' }, `asked last: ${reason.asked}`),
        reason.askedAt && h('span', { class: 'note' }, 'asked ', ago(reason.askedAt), reason.answer ? `: ${reason.answer}` : ', no answer yet'))));
    } catch (cause) {
      fail(cause.message);
    }
  }

  const end = live.watch(`job/${id}`, undefined, (rows, error) => {
    if (error) return fail(error.detail);
    show(problem, false);
    return rows.get(id) && shown(rows.get(id));
  });
  return { el, title: shortId(id), nav: 'jobs', leave: () => { end(); log.stop(); } };
}
