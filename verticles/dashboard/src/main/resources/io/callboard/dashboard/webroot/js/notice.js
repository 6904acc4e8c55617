import { h, setText, show } from './dom.js';

/**
 * Lines that say what was done, and what went wrong, in a view with actions.
 *
 * name: beginning of their test ids
 */
export function notice(name) {
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': `${name}-problem` });
  const done = h('p', { class: 'note', role: 'status', 'data-testid': `${name}-done` });

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  function say(text) {
    show(problem, false);
    setText(done, text);
  }

  /** Runs an action with its buttons switched off; what it returns is said. */
  async function run(pressed, what, action) {
    const all = pressed ? [...pressed.parentNode.querySelectorAll('button')] : [];
    all.forEach((one) => { one.disabled = true; });
    let ended = false;
    try {
      say(await action());
      ended = true;
    } catch (cause) {
      fail(`${what}: ${cause.message}`);
    }
    all.forEach((one) => { one.disabled = false; });
    if (pressed?.isConnected) pressed.focus();
    return ended;
  }

  /** Passes on what a topic tells; of a failure says so, and `unread` is called. */
  function reader(update, unread) {
    let failed = false;
    return (rows, error) => {
      if (error) {
        failed = true;
        fail(error.detail);
        unread?.();
        return;
      }
      if (failed) show(problem, false);
      failed = false;
      update(rows);
    };
  }

  return { problem, done, fail, say, run, reader };
}
