// REST calls, relative to the path at which the page is mounted.

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `the node answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

async function ask(method, path, signal, content) {
  let response;
  const headers = content === undefined ? { Accept: 'application/json' } : { Accept: 'application/json', 'Content-Type': 'application/json' };
  try {
    response = await fetch(`api/v1/${path}`, { method, signal, headers, body: content === undefined ? undefined : JSON.stringify(content) });
  } catch (cause) {
    if (cause.name === 'AbortError') throw cause;
    throw new Problem(0, { detail: 'the node cannot be reached' });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}

export const get = (path, signal) => ask('GET', path, signal);
export const post = (path, content) => ask('POST', path, undefined, content);
export const put = (path, content) => ask('PUT', path, undefined, content);
export const remove = (path) => ask('DELETE', path);

export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
}
