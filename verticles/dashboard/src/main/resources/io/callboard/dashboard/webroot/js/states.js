import { h, s } from './dom.js';

// A state is an icon, a word and a colour: never the colour alone.
const ICONS = {
  play: 'M4 2.5v11l9-5.5z',
  check: 'M2.5 8.5l3.5 3.5 7.5-8',
  cross: 'M3.5 3.5l9 9m0-9l-9 9',
  clock: 'M8 4v4.5l3 1.5M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8z',
  queue: 'M3 4h10M3 8h10M3 12h6',
  pause: 'M5 3v10M11 3v10',
  again: 'M13 8a5 5 0 11-1.6-3.7M13 2v3h-3',
  stop: 'M3.5 8h9',
  lock: 'M4 7h8v6H4zM5.5 7V5a2.5 2.5 0 015 0v2',
  skip: 'M3 4l4 4-4 4M9 4l4 4-4 4',
  warning: 'M8 2.5v7M8 12.3v.4',
  unsure: 'M6 6a2 2 0 113 1.7c-.7.4-1 .8-1 1.6M8 12v.2',
};

const STATES = {
  SCHEDULED: ['Scheduled', 'clock', 'wait'],
  BLOCKED: ['Blocked', 'lock', 'wait'],
  QUEUED: ['Queued', 'queue', 'wait'],
  ADMITTED: ['Starting', 'play', 'run'],
  RUNNING: ['Running', 'play', 'run'],
  STALLED: ['Stalled', 'pause', 'warn'],
  SUSPECT: ['Suspect', 'unsure', 'warn'],
  RETRY_WAIT: ['Waits to retry', 'again', 'warn'],
  HELD: ['Held', 'pause', 'held'],
  CANCELLING: ['Cancelling', 'stop', 'warn'],
  SUCCEEDED: ['Succeeded', 'check', 'ok'],
  DEAD: ['Dead', 'cross', 'bad'],
  CANCELLED: ['Cancelled', 'stop', 'off'],
  EXPIRED: ['Expired', 'clock', 'off'],
  SUCCEEDED_WITH_WARNINGS: ['Succeeded with warnings', 'check', 'warn'],
  PENDING: ['Pending', 'clock', 'wait'],
  READY: ['Ready', 'queue', 'wait'],
  SKIPPED: ['Skipped', 'skip', 'off'],
  FAILED: ['Failed', 'cross', 'bad'],
  LOST: ['Lost', 'unsure', 'warn'],
  STARTING: ['Starting', 'play', 'wait'],
  WAITS: ['Waits to restart', 'again', 'warn'],
  RESTS: ['Rests', 'pause', 'bad'],
  ELSEWHERE: ['Elsewhere', 'stop', 'off'],
  PASSIVATED: ['Passivated', 'pause', 'off'],
  STOPPING: ['Stopping', 'stop', 'warn'],
  STOPPED: ['Stopped', 'stop', 'off'],
  LIVE: ['Live', 'check', 'ok'],
  SILENT: ['Silent', 'unsure', 'bad'],
  GONE: ['Gone', 'unsure', 'bad'],
  OFF: ['Off', 'check', 'off'],
  REDUCED: ['Reduced', 'pause', 'warn'],
  OPEN: ['Probes only', 'lock', 'bad'],
  OVERRIDDEN: ['Overridden', 'pause', 'held'],
  POLLING: ['Polling', 'play', 'run'],
  FULL: ['Full', 'queue', 'wait'],
  PAUSED: ['Paused', 'pause', 'held'],
  DRAINING: ['Draining', 'stop', 'warn'],
  DRAINED: ['Drained', 'stop', 'off'],
  OPENING: ['Opening', 'clock', 'wait'],
  BACKOFF: ['Failing', 'again', 'bad'],
  BRAKED: ['Braked', 'lock', 'warn'],
  REFUSED: ['Refused', 'lock', 'warn'],
  ACCEPTING: ['Accepting', 'check', 'ok'],
  VACANT: ['Nobody holds it', 'cross', 'bad'],
  ALONE: ['No standby', 'unsure', 'warn'],
  HELD_BY: ['With standby', 'check', 'ok'],
  WELL: ['Well', 'check', 'ok'],
  FULL_ZONE: ['Full', 'queue', 'bad'],
  BLOCKED_THREADS: ['Blocked threads', 'lock', 'bad'],
  TAKES: ['Open', 'check', 'ok'],
  GATE_FULL: ['Limit reached', 'queue', 'warn'],
  IS_ON: ['On', 'check', 'ok'],
  IS_OFF: ['Off', 'stop', 'off'],
  ABSENT: ['No node answers', 'unsure', 'bad'],
};

/** States in the order of a job's life, as in filters and bars. */
export const JOB_STATES = ['RUNNING', 'ADMITTED', 'QUEUED', 'SCHEDULED', 'BLOCKED', 'RETRY_WAIT', 'STALLED', 'SUSPECT', 'HELD',
  'CANCELLING', 'SUCCEEDED', 'DEAD', 'CANCELLED', 'EXPIRED'];

/** States of workflows, in the order of their life. */
export const WORKFLOW_STATES = ['RUNNING', 'CANCELLING', 'SUCCEEDED', 'SUCCEEDED_WITH_WARNINGS', 'FAILED', 'CANCELLED'];

/** Most urgent states first. */
export const ACTOR_STATES = ['FAILED', 'RESTS', 'WAITS', 'STOPPED', 'STARTING', 'RUNNING', 'PASSIVATED', 'ELSEWHERE'];

const TERMINAL = new Set(['SUCCEEDED', 'DEAD', 'CANCELLED', 'EXPIRED']);
const WAITING = new Set(['QUEUED', 'SCHEDULED', 'BLOCKED', 'RETRY_WAIT', 'HELD']);
/** States of jobs with a run that may be alive: those that take a place of their type. */
const ALIVE = new Set(['ADMITTED', 'RUNNING', 'STALLED', 'SUSPECT', 'CANCELLING']);

export const isTerminal = (state) => TERMINAL.has(state);
export const isWaiting = (state) => WAITING.has(state);
export const isAlive = (state) => ALIVE.has(state);
export const word = (state) => (STATES[state] || [state])[0];
export const tone = (state) => (STATES[state] || [state, 'unsure', 'off'])[2];

export function icon(name) {
  return s('svg', { viewBox: '0 0 16 16', width: 14, height: 14, class: 'icon', 'aria-hidden': 'true' },
    s('path', { d: ICONS[name], class: name === 'play' ? 'solid' : 'line' }));
}

/** Icon of a state within a picture. */
export function glyph(state) {
  const [, shape] = STATES[state] || [state, 'unsure', 'off'];
  return s('path', { d: ICONS[shape], class: `glyph ${shape === 'play' ? 'solid' : 'line'}` });
}

export function badge(state) {
  const [text, shape, colour] = STATES[state] || [state, 'unsure', 'off'];
  return h('span', { class: `state tone-${colour}`, 'data-state': state }, icon(shape), h('span', {}, text));
}
