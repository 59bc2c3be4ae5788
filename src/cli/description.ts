/** A description for a line of a terminal: the shapes have sentences in Markdown. */
export function toPlain(description: string): string {
  const text = description.replaceAll('`', '').replace(/\.$/, '');
  // A name keeps its capital: "JSON", "TypeScript".
  return /^[A-Z](?!\w*[A-Z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Its first sentence, for places with one line: a question, or an error. */
export const toHint = (description: string): string => toPlain(description.split(/\.\s+(?=[A-Z`])/, 1)[0] ?? '');
