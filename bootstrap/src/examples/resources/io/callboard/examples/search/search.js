"use strict";

// Shows hits as they stream in: one JSON object a line. Text enters the page only as text nodes.

const form = document.getElementById("form");
const field = document.getElementById("q");
const state = document.getElementById("state");
const list = document.getElementById("hits");
const SHOWN = 20;
const DEADLINE = "PT2S";

let running = null;

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function say(text, className = "") {
  state.textContent = text;
  state.className = className;
}

function item(hit) {
  const li = element("li");
  li.tabIndex = -1;
  li.append(element("span", "of", `share ${hit.share} of tree ${hit.tree}, score ${hit.score.toFixed(2)}`));
  li.append(element("h2", "", hit.document));
  const snippet = element("p");
  for (const piece of hit.snippet) snippet.append(piece.match ? element("mark", "", piece.text) : piece.text);
  li.append(snippet);
  return li;
}

function compare(a, b) {
  return b.score - a.score || (a.document < b.document ? -1 : a.document > b.document ? 1 : 0);
}

function summary(end) {
  const trees = end.trees.map((tree) => `tree ${tree}`).join(" and ") || "no tree";
  const text = `${end.total} hits in ${end.tookMs} ms, answered by ${trees}`;
  if (end.partial) return `Partial: ${end.answered} of ${end.shares} shares answered. ${text} (${end.why})`;
  if (end.early) return `Early: ${end.answered} of ${end.shares} shares answered. ${text} (${end.why})`;
  return end.rerouted ? `${text}, rerouted ${end.rerouted} times` : text;
}

async function* lines(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const whole = rest.split("\n");
    rest = whole.pop();
    for (const line of whole) yield JSON.parse(line);
  }
}

async function search(query) {
  running?.abort();
  const mine = (running = new AbortController());
  list.replaceChildren();
  say("Searching…");
  try {
    const parameters = new URLSearchParams({ q: query, limit: String(SHOWN), deadline: DEADLINE });
    const response = await fetch(`/search?${parameters}`, { signal: mine.signal });
    if (!response.ok) {
      say((await response.json()).detail, "failed");
      return;
    }
    let hits = [];
    let ended = false;
    for await (const line of lines(response.body)) {
      if (line.type === "hits") {
        for (const hit of line.hits) hits.push({ ...hit, tree: line.tree, share: line.share });
        hits = hits.sort(compare).slice(0, SHOWN);
        list.replaceChildren(...hits.map(item));
      } else if (line.type === "rerouted") {
        say(`Asking tree ${line.tree} for shares ${line.shares.join(", ")} (${line.why})…`);
      } else if (line.type === "end") {
        ended = true;
        say(summary(line), line.partial ? "partial" : "");
      }
    }
    if (!ended) say("The connection broke: the hits are partial.", "partial");
  } catch (error) {
    if (error.name !== "AbortError") say(`No answer: ${error.message}`, "failed");
    else if (running === mine) say("Stopped: the hits are partial.", "partial");
  } finally {
    showTrees();
  }
}

async function showTrees() {
  const trees = document.getElementById("trees");
  try {
    const status = await (await fetch("/status")).json();
    trees.textContent = status.trees
      .map((tree) => `tree ${tree.tree}: ${tree.state.toLowerCase()}${tree.tree === status.serving ? ", serves" : ""}`)
      .join("; ");
  } catch {
    trees.textContent = "The server does not answer.";
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  history.replaceState(null, "", `?${new URLSearchParams({ q: field.value })}`);
  search(field.value);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") running?.abort();
  if (event.target === field || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    field.select();
  } else if (event.key === "j" || event.key === "k") {
    const items = [...list.children];
    const at = items.indexOf(document.activeElement) + (event.key === "j" ? 1 : -1);
    items[Math.max(0, Math.min(at, items.length - 1))]?.focus();
  }
});

field.value = new URLSearchParams(location.search).get("q") ?? "";
if (field.value) search(field.value);
else showTrees();
