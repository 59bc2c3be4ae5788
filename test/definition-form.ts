const fromHtml = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#x3D;/g, '=')
    .replace(/&amp;/g, '&');

/** The values that a browser would post: of inputs, areas, ticked boxes and chosen options of the form of a definition. */
export function readForm(html: string): Record<string, string> {
  const form = /<form[^>]*data-definition[\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  const values: Record<string, string> = {};
  const read = (tag: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = read(tag, 'name');
    const isBox = tag.includes('type="checkbox"');
    if (name === undefined || (isBox && !/\schecked/.test(tag))) continue;
    values[fromHtml(name)] = fromHtml(read(tag, 'value') ?? '');
  }
  for (const [tag, inner = ''] of form.matchAll(/<textarea[^>]*>([^<]*)<\/textarea>/g)) {
    values[fromHtml(read(tag, 'name') ?? '')] = fromHtml(inner);
  }
  for (const [tag, inner = ''] of form.matchAll(/<select[^>]*>([\s\S]*?)<\/select>/g)) {
    const chosen =
      /<option value="([^"]*)" selected/.exec(inner)?.[1] ?? /<option value="([^"]*)"/.exec(inner)?.[1] ?? '';
    values[fromHtml(read(tag, 'name') ?? '')] = fromHtml(chosen);
  }
  return values;
}
