// JSON as text: what is read and written again has each number as it was, however many digits it has.

const REST = /"|[[\]{}:,]|[^\s[\]{}:,"]+/g;
const OPENS = new Set(['{', '[']);
const CLOSES = new Set(['}', ']']);

/** Index after a text that begins before `at`: found by hand, as the regular expression for it needs stack for each escape. */
function end(text, at) {
  let i = at;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

function tokens(text) {
  const all = [];
  const rest = new RegExp(REST);
  for (let found = rest.exec(text); found; found = rest.exec(text)) {
    if (found[0] === '"') rest.lastIndex = end(text, rest.lastIndex);
    all.push(text.slice(found.index, rest.lastIndex));
  }
  return all;
}

/** Text of a member of an object, both being valid JSON; undefined if there is none of this name. */
export function member(text, name) {
  const all = tokens(text);
  let depth = 0;
  let from = -1;
  for (let i = 0; i < all.length; i++) {
    if (depth === 1 && from >= 0 && (all[i] === ',' || all[i] === '}')) return all.slice(from, i).join('');
    if (depth === 1 && from < 0 && all[i + 1] === ':' && JSON.parse(all[i]) === name) from = i + 2;
    if (OPENS.has(all[i])) depth++;
    if (CLOSES.has(all[i])) depth--;
  }
  return undefined;
}

/** Valid JSON with a line for each member and element, for people. */
export function pretty(text) {
  const all = tokens(text);
  const line = (depth) => `\n${'  '.repeat(depth)}`;
  let depth = 0;
  return all.map((token, i) => {
    if (OPENS.has(token)) return CLOSES.has(all[i + 1]) ? (depth++, token) : token + line(++depth);
    if (CLOSES.has(token)) return OPENS.has(all[i - 1]) ? (depth--, token) : line(--depth) + token;
    return token === ',' ? token + line(depth) : token === ':' ? ': ' : token;
  }).join('');
}
