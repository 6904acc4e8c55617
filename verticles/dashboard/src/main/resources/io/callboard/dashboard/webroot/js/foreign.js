// Text of others: characters that would draw it as something else are shown as marks.

// Controls other than tab and line feed, and those that turn, hide or break what is around them.
const HOSTILE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

function mark(character) {
  const code = character.charCodeAt(0);
  return `⟪${code.toString(16).toUpperCase().padStart(code < 0x100 ? 2 : 4, '0')}⟫`;
}

/** Text with marks for what is not seen, or turns what is: `exe.png` that is `gnp.exe`. */
export function visible(text) {
  const plain = String(text);
  return plain.search(HOSTILE) < 0 ? plain : plain.replace(HOSTILE, mark);
}
