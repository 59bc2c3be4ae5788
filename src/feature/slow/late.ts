/** What is needed once a search was slow; most sites never load it. */
export async function loadAdvice() {
  const { adviseSearch } = await import('../../store/advice/advise.ts');
  const { toView, toWords } = await import('./view.ts');
  return { adviseSearch, toView, toWords };
}
