/**
 * Does something at once and again after each `ms`, one at a time, and not while the page is hidden.
 *
 * task: called with a signal that ends its requests
 * failed: called with what it threw, and since when it fails
 *
 * Returns a function that ends it; after it nothing is done, nor said.
 */
export function repeat(ms, task, failed) {
  const ending = new AbortController();
  const { signal } = ending;
  let timer = 0;
  let busy = false;
  let failedAt = null;

  async function once() {
    clearTimeout(timer);
    if (busy || document.hidden || signal.aborted) return;
    busy = true;
    try {
      await task(signal);
      failedAt = null;
    } catch (cause) {
      failedAt ??= Date.now();
      if (!signal.aborted) failed(cause, failedAt);
    }
    busy = false;
    if (!signal.aborted) timer = setTimeout(once, ms);
  }

  document.addEventListener('visibilitychange', once, { signal });
  once();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
