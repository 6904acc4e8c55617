import { confirm } from './dialog.js';
import { h, setText, show } from './dom.js';
import { ago, copied, count, labels, shortId, stamp, took } from './format.js';
import { graph } from './graph.js';
import { badge } from './states.js';
import { stepCard } from './step.js';
import { table } from './table.js';
import { timeline } from './timeline.js';
import { definitionAddress } from './workflows.js';
import * as api from './api.js';

const ENDED = ['SUCCEEDED', 'SUCCEEDED_WITH_WARNINGS', 'FAILED', 'CANCELLED'];
const MOST_REASONS = 12;
const isEnded = (state) => ENDED.includes(state);

const stepsThat = (n, one, many) => `${count(n)} ${n === 1 ? `step ${one}` : `steps ${many}`}`;

const ACTIONS = [
  { verb: 'cancel', label: 'Cancel', allowed: (of) => of.state === 'RUNNING' && !of.compensating, title: 'Cancel this workflow?', yes: 'Cancel the workflow', bad: true,
    question: (of) => `${stepsThat(of('RUNNING'), 'runs and is', 'run and are')} cancelled; ${stepsThat(of('PENDING', 'READY', 'RETRY_WAIT'), 'waits and will', 'wait and will')} not run. Steps of finally still do.` },
  { verb: 'cancel', body: { force: true }, label: 'Cancel finally and compensation too', allowed: (of) => of.state === 'CANCELLING' || (of.state === 'RUNNING' && of.compensating),
    title: 'Cancel finally and compensation too?', yes: 'Cancel all of it', bad: true,
    question: () => 'Steps of finally and what undoes steps are cancelled, also those of sub-workflows; what has not begun will not run. What has not ended after a minute is given up, and may still run.' },
  { verb: 'retry', label: 'Retry', allowed: (of) => of.state === 'FAILED' || of.state === 'CANCELLED', title: 'Retry this workflow?', yes: 'Retry the workflow', bad: false,
    question: (of) => `What failed, was cancelled, or was skipped because of that runs again: ${stepsThat(of('FAILED'), 'failed', 'failed')}, ${stepsThat(of('CANCELLED'), 'was cancelled', 'were cancelled')}. What succeeded stays, unless it follows one of these or was undone.` },
];

/** One instance: its graph, live, its steps, timeline and events. */
export function workflow(live, id) {
  const path = `workflows/${encodeURIComponent(id)}`;
  let instance = null;
  let definition = null;
  let picture = null;
  let chosen = null;
  let last = '';
  let told = 0;
  const title = h('h1', { tabindex: -1, class: 'command', 'data-testid': 'workflow-title' }, shortId(id));
  const state = h('span', { 'data-testid': 'workflow-state' });
  const actions = h('p', { class: 'actions' });
  const problem = h('p', { class: 'alert', role: 'alert', hidden: true, 'data-testid': 'workflow-problem' });
  const why = h('ul', { class: 'why', 'data-testid': 'why' });
  const whyCard = h('section', { class: 'card', hidden: true }, h('h2', {}, 'What it waits for'), why);
  const graphCard = h('section', { class: 'card' }, h('h2', {}, 'Graph'));
  const facts = h('dl', { class: 'facts', 'data-testid': 'workflow-facts' });
  const input = h('pre', { class: 'code', 'data-testid': 'workflow-input' });
  const events = h('ol', { class: 'events', 'data-testid': 'events' });
  const bars = timeline();
  const card = stepCard(rerun);
  const steps = table({
    caption: 'Steps of this instance', testid: 'steps', key: (row) => row.id, empty: 'No steps.',
    columns: [
      { head: 'State', cell: (row) => badge(row.state) },
      { head: 'Step', main: true, cell: (row) => h('button', { type: 'button', class: 'link', onclick: () => choose(row.id, true) }, row.id) },
      { head: 'Attempts', number: true, cell: (row) => row.attempts },
      { head: 'Started', cell: (row) => ago(row.startedAt) },
      { head: 'Duration', number: true, cell: (row) => took(row.startedAt, row.endedAt) },
      { head: 'Where', class: 'where-cell', cell: (row) => row.worker ?? (row.child ? shortId(row.child) : h('span', { class: 'none' }, '–')) },
      { head: 'Reason', class: 'wide-cell', cell: (row) => row.reason ?? h('span', { class: 'none' }, '–') },
    ],
  });
  const el = h('div', { class: 'one-workflow' },
    h('p', { class: 'crumb' }, h('a', { href: '#/workflows' }, 'Workflows')),
    h('div', { class: 'headline' }, h('div', { class: 'title' }, state, title), actions),
    problem, graphCard, card.el, whyCard,
    h('section', { class: 'card flush' }, h('h2', {}, 'Steps'), steps.el),
    h('section', { class: 'card' }, h('h2', {}, 'Timeline'), bars.el),
    h('div', { class: 'cards' },
      h('section', { class: 'card' }, h('h2', {}, 'Facts'), facts),
      h('section', { class: 'card wide' }, h('h2', {}, 'Input'), input)),
    h('section', { class: 'card' }, h('h2', {}, 'Events'), events));

  function fail(detail) {
    setText(problem, detail);
    show(problem, true);
  }

  /** Number of steps in these states, without those of finally, which run in any case. */
  function numberOf(...states) {
    const ending = definition?.definition.finally || {};
    return Object.entries(instance.steps).filter(([step, its]) => !ending[step] && states.includes(its.state)).length;
  }

  async function act(action) {
    if (await confirm(action.title, action.question(numberOf), action.yes, action.bad)) attempt(() => api.post(`${path}/${action.verb}`, action.body));
  }

  function rerun(step) {
    attempt(() => api.post(`${path}/rerun-from`, { step }));
  }

  /** Shows what an action answers, unless the instance has changed since it was asked for: the answer may be older than that. */
  async function attempt(request) {
    const before = told;
    try {
      show(problem, false);
      const answer = await request();
      if (told === before) shown(answer);
    } catch (cause) {
      fail(cause.message);
    }
  }

  function choose(step, scroll) {
    chosen = step;
    picture?.choose(step);
    detail();
    if (scroll) card.el.scrollIntoView({ block: 'nearest' });
  }

  function detail() {
    if (!chosen || !instance.steps[chosen]) return;
    const declared = definition?.definition.steps[chosen] || definition?.definition.finally?.[chosen];
    card.update(instance.id, chosen, instance.steps[chosen], declared ?? {}, isEnded(instance.state));
  }

  function buttons() {
    const verbs = ACTIONS.filter((action) => action.allowed(instance));
    const now = verbs.map((action) => action.label).join();
    if (actions.dataset.shown === now) return;
    actions.dataset.shown = now;
    actions.replaceChildren(...verbs.map((action) => h('button', {
      type: 'button', 'data-testid': `action-${action.verb}`, class: action.verb === 'cancel' && 'bad', onclick: () => act(action),
    }, action.label)));
  }

  function factList() {
    const lines = [['Id', copied(instance.id)], ['Definition', h('a', { href: definitionAddress(instance.definition) }, instance.definition)],
      ['Version', h('code', {}, instance.version.slice(0, 12))], ['Priority', instance.priority], ['Created', stamp(instance.createdAt)],
      instance.endedAt && ['Ended', stamp(instance.endedAt)], instance.uniqueKey && ['Unique key', h('code', {}, instance.uniqueKey)],
      instance.parent && ['Parent', h('a', { href: `#/workflows/${instance.parent}` }, shortId(instance.parent))],
      instance.compensating && ['Compensating', 'yes'], instance.reason && ['Reason', instance.reason], ...labels(instance)];
    facts.replaceChildren(...lines.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  /** Steps in the order of the definition: an object of JavaScript has numbers first. */
  function rows() {
    const order = definition ? definition.graph.map((step) => step.step) : Object.keys(instance.steps);
    return order.filter((step) => instance.steps[step]).map((step) => ({ id: step, ...instance.steps[step] }));
  }

  function shown(current) {
    const text = JSON.stringify(current);
    if (text === last) return;
    last = text;
    told++;
    instance = current;
    setText(title, `${current.definition} ${shortId(current.id)}`);
    view.retitle(current.definition);
    state.replaceChildren(badge(current.state));
    buttons();
    factList();
    setText(input, JSON.stringify(current.input ?? null, null, 2));
    steps.update(rows());
    bars.update(current);
    picture?.update(current.steps);
    detail();
    if (!definition) draw(current);
    refresh();
  }

  async function draw(current) {
    try {
      definition = await api.get(`workflow-definitions/${encodeURIComponent(current.definition)}${api.query({ version: current.version })}`);
      picture = graph(definition, (step) => choose(step, false));
      graphCard.append(picture.el);
      picture.update(instance.steps);
      steps.update(rows());
    } catch (cause) {
      fail(cause.message);
    }
  }

  function reasonList(reasons) {
    const all = Object.entries(reasons.steps);
    const more = Math.max(0, all.length - MOST_REASONS) + (reasons.more ?? 0);
    return [h('li', {}, reasons.summary),
      ...all.slice(0, MOST_REASONS).map(([step, reason]) => h('li', {}, h('span', { class: 'kind' }, reason.kind), h('code', {}, step),
        h('span', {}, reason.text), reason.until && h('span', { class: 'note' }, ago(reason.until)))),
      more > 0 && h('li', { class: 'note', 'data-testid': 'why-more' }, `and ${count(more)} more: callboard workflow why ${shortId(id)} has up to 1,000`)].filter(Boolean);
  }

  async function refresh() {
    try {
      const happened = await api.get(`${path}/events`);
      events.replaceChildren(...happened.items.reverse().map((event) => h('li', {}, stamp(event.at),
        h('span', {}, [event.step, event.what, event.detail].filter(Boolean).join(': ')))));
      const reasons = isEnded(instance.state) ? null : await api.get(`${path}/why`);
      show(whyCard, Boolean(reasons));
      why.replaceChildren(...(reasons ? reasonList(reasons) : []));
    } catch (cause) {
      fail(cause.message);
    }
  }

  const end = live.watch(`workflow/${id}`, undefined, (found, error) => {
    if (error) return fail(error.detail);
    show(problem, false);
    return found.get(id) && shown(found.get(id));
  });
  const leave = () => { end(); card.stop(); };
  const view = { el, title: shortId(id), nav: 'workflows', leave };
  return view;
}
