// Copy buttons of the developer section. Without this script they stay hidden, and the texts can be selected.
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const label = button.querySelector('[data-label]') ?? button;
  const usual = label.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const target = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(target?.textContent?.trim() ?? '');
      label.textContent = 'Copied';
    } catch {
      getSelection()?.selectAllChildren(target ?? button);
      label.textContent = 'Selected';
    }
    setTimeout(() => {
      label.textContent = usual;
    }, 2000);
  });
}

// What went wrong is read first: the summary of a form's faults takes the focus.
document.querySelector('[data-faults]')?.focus();

// On a narrow screen the sections and the tabs scroll: the one that is shown is among those that are seen.
for (const current of document.querySelectorAll('.t-header-tabs [aria-current], .t-tabs [aria-current]')) {
  current.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}

// The token of a trial, for the console of the docs: kept in this tab, and only when asked for.
for (const button of document.querySelectorAll('button[data-docs-token]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    try {
      const answer = JSON.parse(document.getElementById(button.dataset.docsToken).textContent);
      sessionStorage.setItem('treadle-docs-token', (answer.results ?? answer).access_token);
      button.textContent = 'Kept in this tab for the console';
      button.disabled = true;
    } catch {
      button.textContent = 'This browser keeps nothing';
    }
  });
}
