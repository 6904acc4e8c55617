// Search over search-index.js, which is read as a script: that works without a server, too.
(() => {
  const MOST = 12;
  const AROUND = 60;
  const root = document.documentElement.dataset.root;
  const input = document.getElementById('search');
  const list = document.getElementById('results');
  let loading;

  const entry = (address, page, title, text) =>
    ({ address, page, title, text, lower: [title, page, text].map(each => each.toLowerCase()) });

  const load = () => loading ??= new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = root + 'search-index.js';
    script.onload = () => done(window.searchIndex.flatMap(([path, sections]) =>
      sections.map(([anchor, title, text]) => entry(path + (anchor && '#' + anchor), sections[0][1], title, text))));
    script.onerror = failed;
    document.head.append(script);
  });

  // a word that begins with the term counts more than one that contains it
  const count = (text, term) => {
    let score = 0;
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
      score += at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]) ? 3 : 1;
    }
    return score;
  };

  const score = (entry, terms) => {
    let total = 0;
    for (const term of terms) {
      const [title, page, text] = entry.lower.map(each => count(each, term));
      if (title + page + text === 0) return 0;
      total += 20 * title + 8 * page + 10 * text / (10 + Math.sqrt(entry.text.length));
    }
    return total;
  };

  const element = (name, text, type) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (type) made.className = type;
    return made;
  };

  const excerpt = (entry, terms) => {
    const places = terms.map(term => [entry.lower[2].indexOf(term), term.length]).filter(([at]) => at >= 0);
    const made = element('p', '');
    if (places.length === 0) {
      made.textContent = entry.text.slice(0, 2 * AROUND);
      return made;
    }
    const [at, length] = places.sort(([a], [b]) => a - b)[0];
    const from = Math.max(0, at - AROUND);
    made.append((from > 0 ? '…' : '') + entry.text.slice(from, at), element('mark', entry.text.slice(at, at + length)),
      entry.text.slice(at + length, at + length + 2 * AROUND) + '…');
    return made;
  };

  const item = (entry, terms) => {
    const link = element('a', '');
    link.href = root + entry.address;
    link.append(element('b', entry.title));
    if (entry.title !== entry.page) link.append(' · ' + entry.page);
    link.append(excerpt(entry, terms));
    const made = element('li', '');
    made.append(link);
    return made;
  };

  const show = async () => {
    const wanted = input.value;
    const terms = wanted.toLowerCase().split(/\s+/).filter(term => term.length > 0);
    if (terms.length === 0) {
      list.hidden = true;
      return;
    }
    const entries = await load();
    if (wanted !== input.value) return;
    const found = entries.map(entry => [score(entry, terms), entry]).filter(([points]) => points > 0)
      .sort(([a], [b]) => b - a).slice(0, MOST).map(([, entry]) => item(entry, terms));
    list.replaceChildren(...(found.length > 0 ? found : [element('li', 'Nothing has all of these words.', 'none')]));
    list.hidden = false;
  };

  const move = (step) => {
    const links = [...list.querySelectorAll('a')];
    const next = links.indexOf(document.activeElement) + step;
    (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
  };

  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  document.addEventListener('keydown', event => {
    const inSearch = event.target.closest?.('search');
    if (event.key === '/' && event.target !== input && !event.ctrlKey && !event.metaKey && !event.altKey) {
      input.focus();
      input.select();
    } else if (event.key === 'Escape' && inSearch) {
      list.hidden = true;
      input.blur();
    } else if (inSearch && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && event.target === input) {
      list.querySelector('a')?.click();
    } else {
      return;
    }
    event.preventDefault();
  });
  list.addEventListener('click', () => { list.hidden = true; });
  document.addEventListener('click', event => {
    if (!event.target.closest('search')) list.hidden = true;
  });

  for (const heading of document.querySelectorAll('main :is(h2, h3, h4)[id]')) {
    const anchor = element('a', '#', 'anchor');
    anchor.href = '#' + heading.id;
    anchor.setAttribute('aria-label', 'Link to ' + heading.textContent);
    heading.append(anchor);
  }
  if (matchMedia('(max-width: 56rem)').matches) document.getElementById('menu').open = false;
})();
