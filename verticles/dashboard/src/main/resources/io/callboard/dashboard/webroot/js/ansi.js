// Output of programs as a terminal draws it: colours, and lines that are written over.

const ESCAPE = '\u001b';
// CSI with its parameters and final byte; OSC and other strings up to their end; other sequences of two or three characters
const SEQUENCE = /^\u001b(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-Z\\`-~])/;
const UNFINISHED = /^\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/;
const LONGEST_SEQUENCE = 4096;
const LONGEST_LINE = 16384;
// most lines: nothing in them to be drawn
const PLAIN = /([^\u0000-\u001f]{0,16384})\r?\n/y;
const STYLES = { 1: 'bold', 2: 'faint', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'struck' };
const ENDS = { 22: ['bold', 'faint'], 23: ['italic'], 24: ['underline'], 27: ['inverse'], 29: ['struck'] };
const WORDS = ['foreground', 'background'];

/** Colours and styles that the parameters of an SGR sequence leave. */
function styled(style, parameters) {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    if (code === 0) next = {};
    else if (STYLES[code]) next[STYLES[code]] = true;
    else if (ENDS[code]) ENDS[code].forEach((name) => delete next[name]);
    else if (code === 38 || code === 48) {
      const palette = codes[i + 1] === 5;
      if (palette && codes[i + 2] < 16) next[WORDS[(code - 38) / 10]] = codes[i + 2]; // of others, only 16 have a class
      i += palette ? 2 : 4;
    } else if (code === 39 || code === 49) delete next[WORDS[(code - 39) / 10]];
    else if (code >= 30 && code <= 49) next[WORDS[Math.floor((code - 30) / 10)]] = code % 10;
    else if (code >= 90 && code <= 107) next[WORDS[Math.floor((code - 90) / 10)]] = 8 + (code % 10);
  }
  return next;
}

/** CSS classes of a style. */
function classes(style) {
  return Object.entries(style).map(([name, value]) => (value === true ? `t-${name}` : `t-${name}-${value}`)).join(' ');
}

/**
 * Writer of a log: takes pieces of text as they come, keeps the line being written.
 *
 * Each line is a list of runs `{ text, style }`, where style names CSS classes.
 */
export class Terminal {
  #style = {};
  #look = '';
  #cells = [];
  #column = 0;
  #rest = '';

  /** Takes a piece; returns the lines that it ended. */
  write(piece) {
    const text = this.#rest + piece;
    const lines = [];
    this.#rest = '';
    for (let i = 0; i < text.length;) {
      const taken = this.#plain(text, i, lines) || (text[i] === ESCAPE ? this.#escape(text.slice(i, i + LONGEST_SEQUENCE)) : this.#character(text, i, lines));
      if (!taken) {
        this.#rest = text.slice(i);
        break;
      }
      i += taken;
    }
    return lines;
  }

  /** The line that is not ended yet. */
  open() {
    const runs = [];
    for (const { text, style } of this.#cells) {
      const last = runs[runs.length - 1];
      if (last?.style === style) last.text += text;
      else runs.push({ text, style });
    }
    return runs;
  }

  /** Takes a whole line at once; 0 if this is none. */
  #plain(text, at, lines) {
    PLAIN.lastIndex = at;
    const found = this.#cells.length || this.#column ? null : PLAIN.exec(text);
    if (!found) return 0;
    lines.push(found[1] ? [{ text: found[1], style: this.#look }] : []);
    return found[0].length;
  }

  /** Number of characters that the sequence at the beginning has; 0 if its end has not come yet. */
  #escape(text) {
    const found = SEQUENCE.exec(text);
    if (!found) return text.length < LONGEST_SEQUENCE && UNFINISHED.test(text) ? 0 : 1;
    if (found[2] === 'm') {
      this.#style = styled(this.#style, found[1]);
      this.#look = classes(this.#style);
    } else if (found[2] === 'K') this.#erase(found[1]);
    return found[0].length;
  }

  #erase(which) {
    if (which === '2') this.#cells = [];
    else if (which !== '1') this.#cells.length = Math.min(this.#cells.length, this.#column);
  }

  #character(text, at, lines) {
    const character = String.fromCodePoint(text.codePointAt(at));
    if (character === '\n') this.#end(lines);
    else if (character === '\r') this.#column = 0;
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (character !== '\u0007') this.#put(character, lines);
    return character.length;
  }

  #put(text, lines) {
    while (this.#cells.length < this.#column) this.#cells.push({ text: ' ', style: '' });
    this.#cells[this.#column++] = { text, style: this.#look };
    if (this.#column >= LONGEST_LINE) this.#end(lines);
  }

  #end(lines) {
    lines.push(this.open());
    this.#cells = [];
    this.#column = 0;
  }
}
