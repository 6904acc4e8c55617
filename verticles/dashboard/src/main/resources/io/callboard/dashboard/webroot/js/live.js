// The WebSocket: states, not events. Subscriptions outlive connections.

import { checkSession } from './session.js';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15000;
const STALE_TICKS = 3;
const HIDDEN_MS = 60000;
const LOGGED_OUT = 4401; // code with which the node closes when the session ends

export class Live {
  /** Name of the node that answers; undefined until it has. */
  node;
  #socket = null;
  #subscriptions = new Map();
  #nextId = 1;
  #failures = 0;
  #tick = 1000;
  #heardAt = 0;
  #greeted = false;
  #retry = 0;
  #hiddenSince = 0;
  #onStatus;
  #onWelcome;

  constructor(onStatus, onWelcome) {
    this.#onStatus = onStatus;
    this.#onWelcome = onWelcome;
    setInterval(() => this.#watch(), 500);
    document.addEventListener('visibilitychange', () => {
      this.#hiddenSince = document.hidden ? Date.now() : 0;
      if (!document.hidden && !this.#socket) this.#connectNow();
    });
    window.addEventListener('online', () => this.#socket || this.#connectNow());
    this.#connectNow();
  }

  /** Watches a topic; `changed(rows, error, failedAt)` gets all rows by key: the last ones while they cannot be read. Returns a function that ends it. */
  watch(topic, q, changed) {
    if (!this.#subscriptions.size) this.#heardAt = Date.now();
    const id = this.#nextId++;
    const subscription = { id, topic, q, changed, rows: new Map(), failedAt: null };
    this.#subscriptions.set(id, subscription);
    if (this.#greeted) this.#subscribe(subscription);
    return () => {
      this.#subscriptions.delete(id);
      if (this.#greeted) this.#send({ t: 'unsub', id });
    };
  }

  #connectNow() {
    clearTimeout(this.#retry);
    this.#onStatus('connecting', this.#failures);
    const url = new URL('ws', document.baseURI);
    url.protocol = url.protocol.replace('http', 'ws');
    url.hash = '';
    const socket = new WebSocket(url, 'callboard.v1+json');
    this.#socket = socket;
    socket.onopen = () => this.#send({ t: 'hello' });
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = ({ code }) => this.#lost(socket, code);
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #subscribe({ id, topic, q }) {
    this.#send({ t: 'sub', id, topic, q });
  }

  #receive(message) {
    this.#heardAt = Date.now();
    if (message.t === 'welcome') {
      this.#failures = 0;
      this.#tick = message.tick;
      this.#greeted = true;
      this.node = message.node;
      this.#onWelcome(message);
      this.#subscriptions.forEach((subscription) => this.#subscribe(subscription));
    }
    const subscription = this.#subscriptions.get(message.id);
    if (subscription) this.#apply(subscription, message);
    this.#onStatus('live', 0);
  }

  #apply(subscription, message) {
    if (message.t === 'snap') {
      subscription.rows = new Map(message.rows.map((row) => [row.key, row]));
    } else if (message.t === 'delta') {
      const up = Object.entries(message.up);
      if (!up.length && !message.del.length) return;
      up.forEach(([key, row]) => subscription.rows.set(key, row));
      message.del.forEach((key) => subscription.rows.delete(key));
    }
    if (message.t === 'error') {
      subscription.failedAt ??= Date.now();
      this.#tell(subscription, message);
    } else if (message.t !== 'gap') {
      subscription.failedAt = null;
      this.#tell(subscription, null);
    }
  }

  /** One that throws is reported, and keeps no other from what it watches. */
  #tell({ changed, rows, failedAt }, error) {
    try {
      changed(rows, error, failedAt);
    } catch (cause) {
      reportError(cause);
    }
  }

  async #lost(socket, code) {
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#greeted = false;
    if (code !== LOGGED_OUT && this.#hiddenSince && Date.now() - this.#hiddenSince > HIDDEN_MS) {
      this.#onStatus('paused', 0);
      return;
    }
    this.#failures++;
    this.#onStatus('offline', this.#failures);
    const checked = checkSession();
    if (code === LOGGED_OUT && (await checked)) return; // another attempt would be refused
    if (this.#socket) return; // it was made meanwhile
    const most = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures, 10));
    const delay = FIRST_RETRY_MS + Math.random() * (most - FIRST_RETRY_MS);
    this.#retry = setTimeout(() => this.#connectNow(), delay);
  }

  #watch() {
    const waits = this.#greeted && this.#subscriptions.size > 0; // else the node has nothing to say
    if (waits && Date.now() - this.#heardAt > Math.max(3000, STALE_TICKS * this.#tick)) this.#onStatus('stale', 0);
    if (this.#socket && this.#hiddenSince && Date.now() - this.#hiddenSince > HIDDEN_MS) this.#socket.close(1000);
  }
}
