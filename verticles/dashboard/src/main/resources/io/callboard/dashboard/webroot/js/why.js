import { none } from './cell.js';
import { h } from './dom.js';
import { ago } from './format.js';

const lastRun = (job) => job.runs[job.runs.length - 1];

/** Why a job is in its state, as far as a list tells: `types` has the gates by name. */
export function why(job, types) {
  const type = types.get(job.type);
  if (job.error) return job.error;
  switch (job.state) {
    case 'QUEUED':
      if (type?.paused) return `type ${job.type} is paused${type.pause?.by ? ` by ${type.pause.by}` : ''}${type.pause?.reason ? `: ${type.pause.reason}` : ''}`;
      if (type && type.running >= type.limit) return `type ${job.type} has ${type.running} of ${type.limit} runs`;
      return none();
    case 'SCHEDULED': return ['due ', ago(job.nextAttemptAt)];
    case 'RETRY_WAIT': return [lastRun(job)?.error ?? 'its run failed', '; again ', ago(job.nextAttemptAt)];
    case 'BLOCKED': return 'waits for other jobs';
    case 'HELD': return 'held until it is released';
    default: return job.state === 'SUCCEEDED' || job.state === 'RUNNING' ? none() : lastRun(job)?.error ?? none();
  }
}

/** Cell with the reason: cut to its line, whole on hover. */
export function whyCell(job, types) {
  const reason = why(job, types);
  return h('span', { class: 'clamp', title: typeof reason === 'string' ? reason : null }, reason);
}
