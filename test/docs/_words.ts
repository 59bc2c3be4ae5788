/** Splits a command line as a shell does; redirections and comments end it, `[options]` is left out. */
export function toWords(line: string): string[] {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const end = words.findIndex((word) => /^(?:[>|#&;]|&&|\|\|)/.test(word));
  return (end < 0 ? words : words.slice(0, end))
    .filter((word) => !/^\[.*\]$/.test(word))
    .map((word) => (word.includes('(') ? word : word.replace(/\)$/, '')));
}
