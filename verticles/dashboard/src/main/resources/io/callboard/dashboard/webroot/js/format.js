import { h, setText } from './dom.js';

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });

export function count(n) {
  return n >= 100000 ? short.format(n) : whole.format(n ?? 0);
}

export function rate(n) {
  return n >= 100 ? whole.format(Math.round(n)) : String(Math.round(n * 10) / 10);
}

/** Size for people: 840 B, 12 KiB, 3.4 MiB. */
export function bytes(n) {
  if (n < 1024) return `${n} B`;
  const unit = n < 1024 * 1024 ? ['KiB', 1024] : ['MiB', 1024 * 1024];
  const size = n / unit[1];
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${unit[0]}`;
}

/** Milliseconds for people: 120 µs, 840 ms, 12 s, 3 min 5 s, 2 h 10 min, 4 d 3 h. */
export function span(ms) {
  if (ms < 0) return '0 s';
  if (ms > 0 && ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return ms < 10000 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Milliseconds of an ISO 8601 duration of hours and less. */
export function isoMs(iso) {
  const [, hours, minutes, seconds] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(iso) || [];
  return ((Number(hours || 0) * 60 + Number(minutes || 0)) * 60 + Number(seconds || 0)) * 1000;
}

/** ISO 8601 duration of hours and less, for people. */
export const isoSpan = (iso) => span(isoMs(iso));

function distance(at, now) {
  const ms = now - at;
  const size = Math.abs(ms);
  if (size < 1500) return 'now';
  const seconds = Math.round(size / 1000);
  const text = seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min`
    : seconds < 86400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} d`;
  return ms < 0 ? `in ${text}` : `${text} ago`;
}

/** Time shown by its distance from now, which is updated. */
export function ago(iso) {
  if (!iso) return h('span', { class: 'none' }, '–');
  return h('time', { datetime: iso, title: `${moment(iso)}\n${iso}`, 'data-ago': Date.parse(iso) },
    distance(Date.parse(iso), Date.now()));
}

/** Duration of something that has ended or goes on. */
export function took(from, to) {
  if (!from) return h('span', { class: 'none' }, '–');
  if (to) return h('span', {}, span(Date.parse(to) - Date.parse(from)));
  return h('span', { 'data-since': Date.parse(from) }, span(Date.now() - Date.parse(from)));
}

const two = (n) => String(n).padStart(2, '0');

function parts(iso) {
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  const name = zone.formatToParts(at).find((part) => part.type === 'timeZoneName').value;
  return { today: at.toDateString() === new Date().toDateString(), day, time, zone: name };
}

/** Date, time to the millisecond and time zone, as text. */
export function moment(iso) {
  const its = parts(iso);
  return `${its.day} ${its.time} ${its.zone}`;
}

/** Time of the day, of milliseconds. */
export function clock(ms, withSeconds) {
  const its = parts(ms);
  return its.time.slice(0, withSeconds ? 8 : 5);
}

/** Name of the time zone at a time. */
export const zoneOf = (ms) => parts(ms).zone;

/** Point in time to the millisecond, with its date unless that is today; a click copies it as ISO 8601. */
export function stamp(iso) {
  const its = parts(iso);
  return h('time', { datetime: iso, class: 'stamp', title: `${moment(iso)}\n${iso}\nClick to copy`, 'data-copy': iso },
    its.today ? null : `${its.day} `, its.time, h('span', { class: 'zone' }, ` ${its.zone}`));
}

/** Time between two points, as a remark on the later. */
export function later(from, to) {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? h('span', { class: 'note' }, ` +${span(ms)}`) : null;
}

/** Updates every shown distance. */
export function keepTime() {
  setInterval(() => {
    const now = Date.now();
    for (const node of document.querySelectorAll('[data-ago]')) setText(node, distance(Number(node.dataset.ago), now));
    for (const node of document.querySelectorAll('[data-since]')) setText(node, span(now - Number(node.dataset.since)));
  }, 1000);
}

/** Text that a click copies whole, whatever is shown of it. */
export function copied(text, shown = text) {
  return h('button', { type: 'button', class: 'copy', 'data-copy': text, title: 'Click to copy', 'aria-label': `Copy ${text}` }, h('code', {}, shown));
}

/** End of an id: the beginning of a UUIDv7 is its time and nearly the same for all. */
export function shortId(id) {
  return id.length > 12 ? `…${id.slice(-8)}` : id;
}

const LETTER = 7.5;

/** Name as much of which is shown as fits into so many pixels of a picture: names often differ at their ends. */
export function shortened(name, width) {
  const most = Math.floor(width / LETTER);
  const end = Math.floor(most / 3);
  return name.length > most ? `${name.slice(0, most - end - 1)}…${name.slice(-end)}` : name;
}

/** Returns what a job runs, in a line: its command, or its type and arguments if a handler runs it. */
export function jobLine(job) {
  return job.command.length > 0 ? commandLine(job.command) : job.args === undefined ? job.type : `${job.type} ${JSON.stringify(job.args)}`;
}

/** Command line as a shell would accept it. */
export function commandLine(command) {
  return command.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** Labels in a fixed order. */
export function labels(job) {
  return Object.entries(job.labels).sort(([a], [b]) => (a < b ? -1 : 1));
}
