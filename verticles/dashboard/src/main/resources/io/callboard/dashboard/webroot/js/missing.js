// Lists of jobs and of instances that may lack some: a row of its own says why.

const isNone = (row) => row.id === undefined;

/** What is said of a list in which nothing is, and something may be missing. */
export const NONE_READ = 'None of those that could be read.';

/** Why others may be missing, in words; null if none are. */
export const missingOf = (rows) => [...rows.values()].find(isNone)?.missing ?? null;

/** Rows of a list, the newest first. */
export const listed = (rows) => [...rows.values()].filter((row) => !isNone(row)).sort((a, b) => (a.id < b.id ? 1 : -1));

export const othersMissing = (what, why) => `There may be other ${what}: ${why}.`;

/** Why numbers of instances may be too low, by the nodes that an answer names; empty if they are whole. */
export const tooLow = (nodes) => (nodes ? `The numbers of instances may be too low: ${nodes.length ? `no answer from ${nodes.join(', ')}` : 'a node still reads what it has'}.` : '');

/** Says which versions of definitions the node cannot read, and why; empty for none. */
export const unreadable = (versions) => (versions || []).map((each) => `This node cannot read ${each.version ? `version ${each.version.slice(0, 8)} of ` : ''}${each.name}: ${each.fault}.`).join(' ');
