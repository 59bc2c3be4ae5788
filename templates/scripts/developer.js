// Copy buttons of the developer section. Without this script they stay hidden, and users select the texts.
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const label = button.querySelector('[data-label]') ?? button;
  const usual = label.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const target = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(target?.textContent?.trim() ?? '');
      label.textContent = button.dataset.copied;
    } catch {
      getSelection()?.selectAllChildren(target ?? button);
      label.textContent = button.dataset.selected;
    }
    setTimeout(() => {
      label.textContent = usual;
    }, 2000);
  });
}

// Focuses the error summary of a form, so that it is read first.
document.querySelector('[data-faults]')?.focus();

// On a narrow screen the sections and tabs scroll: scrolls to the current one.
for (const current of document.querySelectorAll('.t-header-tabs [aria-current], .t-tabs [aria-current]')) {
  current.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}

// Stores the token of a trial for the console of the docs: in this tab, and only on request.
for (const button of document.querySelectorAll('button[data-docs-token]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    try {
      const answer = JSON.parse(document.getElementById(button.dataset.docsToken).textContent);
      sessionStorage.setItem('treadle-docs-token', (answer.results ?? answer).access_token);
      button.textContent = button.dataset.kept;
      button.disabled = true;
    } catch {
      button.textContent = button.dataset.refused;
    }
  });
}
