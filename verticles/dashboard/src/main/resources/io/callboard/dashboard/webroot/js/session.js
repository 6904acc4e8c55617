import { h, setText, show } from './dom.js';
import * as api from './api.js';

/** Who looks at the page, and what that role may do; without a login the local user. */
export const who = await api.get('session').catch(() => ({}));
export const mustLogIn = who.login && !who.user;

/** Loads the page anew if the session has ended meanwhile: it then shows the login. Tells whether it does. */
export async function checkSession() {
  const now = who.user ? await api.get('session').catch(() => who) : who; // who: the node is away
  const ended = Boolean(who.user && now.login && !now.user);
  if (ended) location.reload();
  return ended;
}

/** Marks the page with the role, for what is not offered, and shows the user in the header. */
export function showSession() {
  const root = document.body.classList;
  root.add(who.readOnly || mustLogIn ? 'viewer' : who.role || 'admin');
  root.toggle('out', Boolean(mustLogIn));
  root.toggle('watcher', who.role === 'viewer');
  const mark = document.getElementById('who');
  show(mark, Boolean((who.login && who.user) || who.readOnly));
  const name = h('span', { 'data-testid': 'user' }, [who.login && who.user && `${who.user} (${who.role})`, who.readOnly && 'read-only'].filter(Boolean).join(', '));
  const out = who.login && who.password && who.user && h('button', { type: 'button', class: 'quiet', 'data-testid': 'logout', onclick: async () => {
    await api.remove('session').catch(() => {});
    location.reload();
  } }, 'Log out');
  mark.replaceChildren(...[name, out].filter(Boolean));
}

export function login() {
  const field = (name, label, type, auto) => [h('label', { for: name }, label), h('input', { id: name, name, type, required: true, autocomplete: auto, maxlength: 200, 'data-testid': `login-${name}` })];
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'login-problem' });
  const go = h('button', { type: 'submit', 'data-testid': 'login-go' }, 'Log in');
  const form = h('form', { class: 'field', onsubmit: async (event) => {
    event.preventDefault();
    const { user, password } = event.target.elements;
    go.disabled = true;
    try {
      await api.post('session', { user: user.value, password: password.value });
      location.reload();
    } catch (wrong) {
      setText(problem, `${wrong.message}.`);
      show(problem, true);
      go.disabled = false;
      password.value = '';
      password.focus();
    }
  } }, field('user', 'User', 'text', 'username'), field('password', 'Password', 'password', 'current-password'), problem, h('p', {}, go));
  return { el: h('section', { class: 'card login' }, h('h1', { tabindex: -1 }, 'Log in'),
    who.password ? form : h('p', {}, 'This node takes tokens only: open it through the proxy that adds yours.')), title: 'Log in', leave: () => {} };
}
