// Runs before the page is drawn, so that a chosen theme does not flash; it is no module, and cannot import storage.js.
document.documentElement.dataset.theme = (() => {
  try {
    return localStorage.getItem('callboard.theme') || 'auto';
  } catch {
    return 'auto';
  }
})();
