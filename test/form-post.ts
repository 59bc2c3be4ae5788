import type { Form } from './client.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#x3D': '=',
  '#x60': '`',
  '#39': "'",
};

const decode = (text: string): string => text.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

function readAttributes(tag: string): Record<string, string> {
  const found = [...tag.matchAll(/\s([a-zA-Z_:][-\w:.]*)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, decode(value)]));
}

/** What a browser posts of an untouched form: every input, ticked box, chosen option and textarea, with CR LF. */
export function readForm(html: string, start = 'data-form'): Record<string, string | string[]> {
  const from = html.lastIndexOf('<form', html.indexOf(start));
  const form = html.slice(from, html.indexOf('</form>', from));
  const sent: Record<string, string | string[]> = {};
  const put = (name: string | undefined, value: string): void => {
    if (name === undefined || name === '') return;
    const known = sent[name];
    sent[name] = known === undefined ? value : [known, value].flat();
  };
  for (const [tag, kind] of form.matchAll(/<(input|textarea|select)\b[^>]*>/g)) {
    const attributes = readAttributes(tag);
    const rest = form.slice(form.indexOf(tag) + tag.length);
    if (kind === 'textarea') {
      const text = decode(rest.slice(0, rest.indexOf('</textarea>'))).replace(/^\n/, '');
      put(attributes.name, text.replace(/\r\n?|\n/g, '\r\n'));
    } else if (kind === 'select') {
      const options = rest.slice(0, rest.indexOf('</select>')).match(/<option\b[^>]*>/g) ?? [];
      const chosen =
        options.map(readAttributes).find((option) => 'selected' in option) ?? readAttributes(options[0] ?? '');
      put(attributes.name, chosen.value ?? '');
    } else if (attributes.type === 'checkbox' || attributes.type === 'radio') {
      if ('checked' in attributes) put(attributes.name, attributes.value ?? 'on');
    } else if (attributes.type !== 'file' && attributes.type !== 'submit') put(attributes.name, attributes.value ?? '');
  }
  return sent;
}

/** An untouched form with other values. */
export const fillForm = (html: string, values: Form): Form => ({ ...readForm(html), ...values }) as Form;
