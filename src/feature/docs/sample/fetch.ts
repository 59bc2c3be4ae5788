import type { SampleRequest, SampleText } from './request.ts';

/** A JavaScript string: in single quotes, or a template literal if it has variables. */
function printText(text: SampleText): string {
  if (text.every((part) => typeof part === 'string')) return quote(text.join(''));
  const [only] = text;
  if (text.length === 1 && typeof only === 'object') return `process.env.${only.env}`;
  const parts = text.map((part) =>
    typeof part === 'string' ? part.replace(/[\\`]|\$(?=\{)/g, '\\$&') : `\${process.env.${part.env}}`,
  );
  return `\`${parts.join('')}\``;
}

const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;

/** A key of an object literal. */
const toKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

/** A JSON value as an object literal, indented by two spaces below `indent`. */
function toLiteral(value: unknown, indent: string): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, inner)).join(', ')}]`;
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  // A computed key, because `__proto__: …` would set the prototype.
  const lines = entries.map(([name, item]) => {
    const key = name === '__proto__' ? "['__proto__']" : toKey(name);
    return `${inner}${key}: ${toLiteral(item, inner)},\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function listHeaders({ headers, basic, json }: SampleRequest): string[] {
  return [
    ...(basic
      ? [`Authorization: \`Basic \${btoa(\`\${process.env.${basic.user}}:\${process.env.${basic.password}}\`)}\``]
      : []),
    ...headers.map(([name, value]) => `${toKey(name)}: ${printText(value)}`),
    ...(json === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ];
}

/** The request with `fetch`: a module that Node 20 runs unchanged. */
export function toFetch(request: SampleRequest): string {
  const { method, url, json, form = [], isEnvelope } = request;
  const headers = listHeaders(request);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',\n`]),
    ...(headers.length > 0 ? [`  headers: {\n${headers.map((line) => `    ${line},\n`).join('')}  },\n`] : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${toLiteral(json, '  ')}),\n`]),
    ...(form.length > 0
      ? [
          `  body: new URLSearchParams({\n${form.map(([name, value]) => `    ${toKey(name)}: ${printText(value)},\n`).join('')}  }),\n`,
        ]
      : []),
  ];
  const call = `fetch(${printText(url)}${options.length > 0 ? `, {\n${options.join('')}}` : ''})`;
  return [
    `const response = await ${call};`,
    'const answer = await response.json();',
    `if (!response.ok) throw new Error(\`\${response.status} \${answer.${isEnvelope ? 'message' : 'error_description'}}\`);`,
    `console.log(answer${isEnvelope ? '.results' : ''});`,
    '',
  ].join('\n');
}
