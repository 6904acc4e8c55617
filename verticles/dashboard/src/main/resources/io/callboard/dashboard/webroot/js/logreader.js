import * as api from './api.js';

/** Bytes of one answer. */
export const PART = 128 * 1024;
const EACH_MS = 1000;
const AGAIN_MS = 2000;
const LINE_FEED = 10;

/**
 * Reader of the log of one run: its end first, then what is added, and ranges before it on demand.
 *
 * on: { reset(text), append(text), say(words), size({ first, next, kept, written }) }, the positions being in what is kept
 */
export class LogReader {
  #path;
  #on;
  #timer = 0;
  #stopped = false;
  #decoder = new TextDecoder();
  #first = 0;
  #next = 0;
  #kept = 0;
  #leftOut = 0;
  #begun = false;
  #ended = false;

  constructor(job, run, on) {
    this.#path = `api/v1/jobs/${encodeURIComponent(job)}/log?run=${run}`;
    this.#on = on;
    this.#go();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Reads again from the end: for who shows too much to go on. */
  restart() {
    this.#begun = false;
    if (this.#ended) this.#go();
  }

  /** Whole lines before what was read; empty at the beginning. */
  async earlier() {
    if (this.#first === 0) return '';
    const from = Math.max(0, this.#first - PART);
    const part = await this.#part('', `bytes=${from}-${this.#first - 1}`);
    if (part.written - part.kept !== this.#leftOut) throw new Error('the log was shortened meanwhile: it is read again');
    const cut = this.#toLine(part);
    this.#first = from + cut;
    this.#tell();
    return new TextDecoder().decode(part.bytes.subarray(cut));
  }

  /** All that is kept, as bytes. */
  async whole() {
    const parts = [];
    for (let at = 0; ;) {
      const part = await this.#part(`&offset=${at}`);
      if (!part.bytes.length) return parts;
      parts.push(part.bytes);
      at += part.bytes.length;
      if (at >= part.kept) return parts;
    }
  }

  async #part(query, range) {
    let response;
    try {
      response = await fetch(this.#path + query, { headers: range ? { Range: range } : {} });
    } catch {
      throw new api.Problem(0, { detail: 'the node cannot be reached' });
    }
    const [, from, all] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(response.headers.get('Content-Range')) || [];
    if (response.status !== 200 && response.status !== 206) {
      throw new api.Problem(response.status, await response.json().catch(() => ({})));
    }
    const number = (name) => Number(response.headers.get(name) || 0);
    return {
      bytes: new Uint8Array(await response.arrayBuffer()), offset: Number(from ?? all ?? 0),
      kept: number('Callboard-Log-Kept'), written: number('Callboard-Log-Written'), complete: (response.headers.get('Callboard-Log') || '').startsWith('complete'),
    };
  }

  async #go() {
    try {
      const part = await this.#read();
      if (this.#stopped) return;
      const more = this.#next < this.#kept;
      this.#ended = part.complete && !more;
      if (this.#ended) this.#on.say(this.#kept ? 'the run has ended' : 'the run has ended and printed nothing');
      else this.#again(more ? 0 : EACH_MS, 'following');
    } catch (cause) {
      if (this.#stopped) return;
      if (cause.status === 0) this.#again(AGAIN_MS, 'connection lost, reconnecting');
      else if (cause.status === 503 || cause.status === 429 || cause.status === 416) this.#again(AGAIN_MS, `waiting: ${cause.message}`);
      else this.#on.say(cause.message);
    }
  }

  #again(delay, words) {
    this.#on.say(words);
    this.#timer = setTimeout(() => (document.hidden ? this.#again(EACH_MS, words) : this.#go()), delay);
  }

  async #read() {
    const part = await this.#part(`&offset=${this.#begun ? this.#next : 0}`);
    const shortened = this.#begun && (part.written - part.kept !== this.#leftOut || part.kept < this.#next);
    if (this.#begun && !shortened) {
      this.#take(part);
      if (part.bytes.length && !this.#stopped) this.#on.append(this.#decoder.decode(part.bytes, { stream: true }));
      return part;
    }
    const whole = !shortened && part.offset + part.bytes.length >= part.kept;
    return this.#begin(whole ? part : await this.#part(`&offset=${Math.max(0, part.kept - PART)}`));
  }

  #begin(part) {
    const cut = part.offset ? this.#toLine(part) : 0;
    this.#decoder = new TextDecoder();
    this.#begun = true;
    this.#first = part.offset + cut;
    this.#take(part);
    if (!this.#stopped) this.#on.reset(this.#decoder.decode(part.bytes.subarray(cut), { stream: true }));
    return part;
  }

  #take(part) {
    this.#next = part.offset + part.bytes.length;
    this.#kept = part.kept;
    this.#leftOut = part.written - part.kept;
    this.#tell();
  }

  #tell() {
    if (!this.#stopped) this.#on.size({ first: this.#first, next: this.#next, kept: this.#kept, written: this.#kept + this.#leftOut });
  }

  /** Bytes before the first whole line, none if there is no other. */
  #toLine(part) {
    return part.offset === 0 ? 0 : part.bytes.indexOf(LINE_FEED) + 1;
  }
}
