import type { SampleRequest, SampleText } from './sample-request.ts';

/** Quotes a text for a POSIX shell: nothing inside single quotes is expanded. */
export function quoteForShell(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

/** Quotes a text for a shell that expands variables: in double quotes, with everything else escaped. */
function quoteTextForShell(text: SampleText): string {
  if (text.every((part) => typeof part === 'string')) return quoteForShell(text.join(''));
  const parts = text.map((part, index) => {
    if (typeof part === 'string') return part.replace(/[\\"$`]/g, '\\$&');
    const next = text[index + 1];
    return typeof next === 'string' && /^\w/.test(next) ? `\${${part.env}}` : `$${part.env}`;
  });
  return `"${parts.join('')}"`;
}

/** A curl command over several lines, ready for a shell. */
export function toCurl({ method, url, headers, basic, json, form = [] }: SampleRequest): string {
  const hasBody = json !== undefined || form.length > 0;
  const isPlain = method === 'GET' || (method === 'POST' && hasBody);
  const parts = [
    `curl${isPlain ? '' : ` -X ${method}`} ${quoteTextForShell(url)}`,
    ...(basic ? [`-u "$${basic.user}:$${basic.password}"`] : []),
    ...headers.map(([name, value]) => `-H ${quoteTextForShell([`${name}: `, ...value])}`),
    ...(json === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoteForShell(JSON.stringify(json))}`]),
    ...form.map(([name, value]) => `--data-urlencode ${quoteTextForShell([`${name}=`, ...value])}`),
  ];
  return parts.join(' \\\n  ');
}
