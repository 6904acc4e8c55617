import { h, setText, show } from './dom.js';
import { unreadSince } from './fresh.js';

/**
 * Lines that say what was done, and what went wrong, in a view with actions.
 *
 * name: beginning of their test ids
 */
export function notice(name) {
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': `${name}-problem` });
  const done = h('p', { class: 'note', role: 'status', 'data-testid': `${name}-done` });
  const leaving = new AbortController();

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  function say(text) {
    show(problem, false);
    setText(done, text);
  }

  /**
   * Runs an action; what it returns is said.
   *
   * busy: called with true, and with false when it has ended: switches its buttons off meanwhile
   */
  async function run(busy, what, action) {
    busy(true);
    let ended = false;
    try {
      say(await action());
      ended = true;
    } catch (cause) {
      fail(`${what}: ${cause.message}`);
    }
    busy(false);
    return ended;
  }

  /** Passes on what a topic tells; of a failure says since when and why, and `unread` is called. */
  function reader(update, unread) {
    let failed = false;
    return (rows, error, failedAt) => {
      if (error) {
        failed = true;
        fail(unreadSince(error.detail, failedAt));
        unread?.();
        return;
      }
      if (failed) show(problem, false);
      failed = false;
      update(rows);
    };
  }

  // left: aborted when the view is left, for actions of many steps
  return { problem, done, fail, say, run, reader, left: leaving.signal, leave: () => leaving.abort() };
}
