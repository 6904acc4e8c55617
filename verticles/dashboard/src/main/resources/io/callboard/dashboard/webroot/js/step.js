import { confirm } from './dialog.js';
import { h, setText, show } from './dom.js';
import { ago, count, shortId, took } from './format.js';
import { drawn } from './log.js';
import { repeat } from './repeat.js';
import { badge } from './states.js';
import * as api from './api.js';

const LOG_LINES = 60;
const LOG_MS = 2000;
const OPEN = ['READY', 'RUNNING', 'RETRY_WAIT'];
const isJob = (run) => run === 'process' || run === 'job';

/**
 * Card of one step of an instance: facts, output, and the log of its job.
 *
 * @param rerun called to run the instance again from a step
 */
export function stepCard(rerun) {
  let shown = '';
  let stop = () => {};
  const title = h('h2', {}, '');
  const facts = h('dl', { class: 'facts spread' });
  const output = h('pre', { class: 'code', 'data-testid': 'step-output' });
  const log = h('pre', { class: 'log', 'data-testid': 'step-log', tabindex: 0, 'aria-label': 'End of the log' });
  const again = h('button', { type: 'button', 'data-testid': 'rerun-from' }, 'Run again from here');
  const el = h('section', { class: 'card', hidden: true, 'data-testid': 'step' },
    h('div', { class: 'headline' }, title, h('p', { class: 'actions' }, again)), facts, output, log);

  again.addEventListener('click', async () => {
    const sure = await confirm(`Run ${again.dataset.step} again?`, 'It and all steps that follow it run again; their outputs are replaced.', 'Run again', false);
    if (sure) rerun(again.dataset.step);
  });

  /** Shows a step, of an instance that has ended or not; its log is read again while it grows. */
  function update(instance, id, step, { run = '', compensate = '' }, ended) {
    const text = JSON.stringify([instance, id, step, run, compensate, ended]);
    if (text === shown) return;
    shown = text;
    const last = step.compensation ? compensate : run; // what ran last
    show(el, true);
    setText(title, `Step ${id}`);
    again.dataset.step = id;
    show(again, ended);
    const lines = [['State', badge(step.state)], ['Runs', run], ['Attempts', step.attempts],
      step.runs > step.attempts && ['Runs of it', step.runs], step.startedAt && ['Started', ago(step.startedAt)],
      step.startedAt && ['Took', took(step.startedAt, step.endedAt)], step.dueAt && ['Next attempt', ago(step.dueAt)],
      step.worker && ['Worker', step.worker], step.child && ['Child', child(last, step.child)],
      step.outputBytes && ['Output', whole(instance, id, step.outputBytes)],
      step.compensation && ['Compensation', [badge(step.compensation), ` ${compensate}`]], step.reason && ['Reason', step.reason, 'whole']];
    facts.replaceChildren(...lines.filter(Boolean).map(([name, value, kind]) => h('div', { class: kind }, h('dt', {}, name), h('dd', {}, value))));
    show(output, step.output !== undefined);
    setText(output, step.output === undefined ? '' : JSON.stringify(step.output, null, 2));
    stop();
    const job = isJob(last) && step.child;
    show(log, Boolean(job));
    if (!job) return;
    if (OPEN.includes(step.compensation ?? step.state)) stop = repeat(LOG_MS, (signal) => read(job, signal), unread);
    else read(job).catch(unread);
  }

  function whole(instance, id, size) {
    return h('a', { href: `api/v1/workflows/${encodeURIComponent(instance)}/outputs/${encodeURIComponent(id)}`, 'data-testid': 'step-output-link' }, `${count(size)} bytes`);
  }

  function child(run, id) {
    return h('a', { href: isJob(run) ? `#/jobs/${id}` : `#/workflows/${id}` }, isJob(run) ? `job ${shortId(id)}` : `instance ${shortId(id)}`);
  }

  async function read(job, signal) {
    const answer = await fetch(`api/v1/jobs/${encodeURIComponent(job)}/log${api.query({ tail: LOG_LINES })}`, { signal });
    if (answer.ok) log.replaceChildren(...drawn(await answer.text()));
    else setText(log, 'the log cannot be read');
  }

  function unread() {
    setText(log, 'the node cannot be reached');
  }

  return { el, update, stop: () => stop() };
}
