// REST calls, relative to the path at which the page is mounted.

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `the node answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // of an answer without content, or from something between
  }
}

/** Why the next writes are asked for, for the node's audit; until another button is pressed. */
let reason = '';

export function because(text) {
  reason = text.trim();
}

/** The reason that was given last: an action of many steps keeps it for those that follow. */
export const reasonGiven = () => reason;

async function ask(method, path, { signal, body: content, read = parsed, why = reason } = {}) {
  let response;
  let text;
  const headers = { Accept: 'application/json' };
  if (method !== 'GET') {
    headers['Content-Type'] = 'application/json';
    if (why) headers['X-Callboard-Reason'] = encodeURIComponent(why);
  }
  try {
    response = await fetch(`api/v1/${path}`, { method, signal, headers, body: content });
    text = await response.text();
  } catch (cause) {
    if (cause.name === 'AbortError') throw cause;
    throw new Problem(0, { detail: 'the node cannot be reached' });
  }
  if (!response.ok) throw new Problem(response.status, parsed(text));
  return read(text);
}

export const get = (path, signal) => ask('GET', path, { signal });
/** Answer as it was sent: the numbers in it may have more digits than those of JavaScript. */
export const text = (path) => ask('GET', path, { read: (sent) => sent });
export const post = (path, content, why) => ask('POST', path, { body: JSON.stringify(content), why });
/** Sends JSON as it was written. */
export const postText = (path, body) => ask('POST', path, { body });
export const put = (path, content) => ask('PUT', path, { body: JSON.stringify(content) });
export const remove = (path) => ask('DELETE', path);

export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
}
