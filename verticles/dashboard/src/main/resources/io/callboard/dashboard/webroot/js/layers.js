// Layout of a graph in layers, without drawing: places of steps and ways of edges.

const SWEEPS = 6;
const MOST_BENDS = 4000;

/**
 * Lays out steps by their levels. Along the main axis a step is at its level, across it where its
 * edges are short: the order within a level follows the mean of its neighbours, for some sweeps.
 * An edge over several levels gets a bend on each level between.
 *
 * @param steps [{ id, level }]
 * @param edges [{ from, to }] with ids
 * @returns { levels: number of levels, width: most places of a level, places: Map id → { level, row },
 *   ways: for each edge its [{ level, row }] }
 */
export function layers(steps, edges) {
  const nodes = new Map(steps.map((step) => [step.id, { level: step.level, up: [], down: [], row: 0 }]));
  const rows = [];
  const add = (node) => (rows[node.level] ||= []).push(node);
  nodes.forEach(add);
  const join = (from, to) => {
    from.down.push(to);
    to.up.push(from);
  };
  let bends = 0;
  const ways = edges.map(({ from, to }) => {
    const way = [nodes.get(from)];
    for (let level = way[0].level + 1; level < nodes.get(to).level && bends < MOST_BENDS; level++, bends++) {
      const bend = { level, up: [], down: [], row: 0, bend: true };
      add(bend);
      join(way[way.length - 1], bend);
      way.push(bend);
    }
    join(way[way.length - 1], nodes.get(to));
    way.push(nodes.get(to));
    return way;
  });
  const all = rows.map((row) => row || []);
  all.forEach(place);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? all : [...all].reverse()) sort(row, down ? 'up' : 'down');
  }
  const width = Math.max(1, ...all.map((row) => row.length));
  for (const row of all) for (const node of row) node.row += (width - row.length) / 2;
  const at = ({ level, row }) => ({ level, row });
  return { levels: all.length, width, places: new Map([...nodes].map(([id, node]) => [id, at(node)])), ways: ways.map((way) => way.map(at)) };
}

function place(row) {
  row.forEach((node, index) => { node.row = index; });
}

/** Sorts a level by the mean place of the neighbours on one side; who has none stays where it is. */
function sort(row, side) {
  const mean = (node) => (node[side].length ? node[side].reduce((sum, other) => sum + other.row, 0) / node[side].length : node.row);
  const wish = new Map(row.map((node) => [node, mean(node)]));
  row.sort((a, b) => wish.get(a) - wish.get(b));
  place(row);
}
