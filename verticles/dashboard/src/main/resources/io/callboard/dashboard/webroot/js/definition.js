import { brakeCard } from './brake.js';
import { countedCard } from './counted.js';
import { h, setText, show } from './dom.js';
import { ago, count } from './format.js';
import { graph } from './graph.js';
import { table } from './table.js';
import { tooLow, unreadable } from './missing.js';
import { numbers } from './workflows.js';
import * as api from './api.js';

/** One definition: its graph, its brake, what was counted, its versions with their instances, its text. */
export function definition(name) {
  const path = `workflow-definitions/${encodeURIComponent(name)}`;
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true });
  const warnings = h('ul', { class: 'why' });
  const warned = h('section', { class: 'card', hidden: true }, h('h2', {}, 'Warnings'), warnings);
  const picture = h('section', { class: 'card' }, h('h2', {}, 'Graph'));
  const text = h('pre', { class: 'code tall', tabindex: 0, 'data-testid': 'definition-text' });
  const versions = table({
    caption: 'Versions', testid: 'versions', key: (row) => row.version, empty: 'No versions.',
    columns: [
      { head: 'Version', main: true, cell: (row) => h('a', { href: `#/workflows${api.query({ definition: name, version: row.version })}`, title: 'Its instances' }, h('code', {}, row.version.slice(0, 12))) },
      { head: 'Current', cell: (row) => (row.current ? 'current' : '') },
      { head: 'Steps', number: true, cell: (row) => count(row.steps) },
      { head: 'Stored', cell: (row) => ago(row.createdAt) },
      { head: 'Instances', class: 'wide-cell', cell: (row) => numbers(row.instances) },
    ],
  });
  const low = h('p', { class: 'note', role: 'status', hidden: true, 'data-testid': 'versions-missing' });
  const faulty = h('p', { class: 'note', role: 'status', hidden: true, 'data-testid': 'versions-unreadable' });
  const brake = brakeCard(name);
  const counted = countedCard(name);
  const el = h('div', { class: 'one-definition' },
    h('p', { class: 'crumb' }, h('a', { href: '#/workflows' }, 'Workflows')),
    h('div', { class: 'headline' }, h('h1', { tabindex: -1, class: 'command' }, name),
      h('p', { class: 'actions' }, h('a', { class: 'button', href: `#/workflows${api.query({ definition: name })}` }, 'Its instances'))),
    problem, warned, picture, brake.el, counted.el,
    h('section', { class: 'card flush' }, h('h2', {}, 'Versions'), low, faulty, versions.el),
    h('section', { class: 'card' }, h('h2', {}, 'Definition'), text));

  async function readCurrent() {
    const its = await api.get(path);
    picture.append(graph(its, () => {}).el);
    setText(text, JSON.stringify(its.definition, null, 2));
    show(warned, Boolean(its.warnings));
    warnings.replaceChildren(...(its.warnings || []).map((each) => h('li', {}, h('span', { class: 'kind' }, each.code), h('code', {}, each.pointer), h('span', {}, each.detail))));
  }

  async function readVersions() {
    const its = await api.get(`${path}/versions`);
    versions.update(its.items);
    show(low, Boolean(its.missing));
    setText(low, tooLow(its.missing));
    show(faulty, Boolean(its.unreadable));
    setText(faulty, unreadable(its.unreadable));
  }

  async function read(part) {
    try {
      await part();
    } catch (cause) {
      setText(problem, cause.message);
      show(problem, true);
    }
  }
  read(readCurrent);
  read(readVersions);
  return { el, title: name, nav: 'workflows', leave: () => { brake.stop(); counted.stop(); } };
}
