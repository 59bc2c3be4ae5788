import type { SampleRequest, SampleText } from './request.ts';

/** JSON's escapes are valid in Python. */
const quote = (text: string): string => JSON.stringify(text);
const toVariable = (name: string): string => `os.environ["${name}"]`;
const printText = (text: SampleText): string =>
  text.map((part) => (typeof part === 'string' ? quote(part) : toVariable(part.env))).join(' + ');

function toLiteral(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, inner)).join(', ')}]`;
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([name, item]) => `${inner}${quote(name)}: ${toLiteral(item, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function toBasic({ user, password }: NonNullable<SampleRequest['basic']>): string {
  return `credentials = b64encode(f"{os.environ['${user}']}:{os.environ['${password}']}".encode()).decode()\n`;
}

function toData({ json, form = [] }: SampleRequest): string[] {
  if (json !== undefined) return [`    data=json.dumps(${toLiteral(json, '    ')}).encode(),\n`];
  if (form.length === 0) return [];
  const fields = form.map(([name, value]) => `        ${quote(name)}: ${printText(value)},\n`);
  return [`    data=urlencode({\n${fields.join('')}    }).encode(),\n`];
}

function listHeaders({ headers, basic, json }: SampleRequest): string[] {
  return [
    ...(basic ? ['"Authorization": "Basic " + credentials'] : []),
    ...headers.map(([name, value]) => `${quote(name)}: ${printText(value)}`),
    ...(json === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
}

/** The request with Python's standard library, so that it needs no package. */
export function toPython(request: SampleRequest): string {
  const { method, url, basic, form = [], isEnvelope } = request;
  const headers = listHeaders(request);
  const isReadingEnvironment = headers.some((line) => line.includes('os.')) || printText(url).includes('os.') || basic;
  const isForm = form.length > 0;
  const imports = [
    ...(basic ? ['from base64 import b64encode'] : []),
    `import json${isReadingEnvironment || isForm ? '\nimport os' : ''}`,
    'from urllib.error import HTTPError',
    ...(isForm ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
  ];
  return `${imports.join('\n')}

${basic ? toBasic(basic) : ''}request = Request(
    ${printText(url)},
    method="${method}",
${headers.length > 0 ? `    headers={\n${headers.map((line) => `        ${line},\n`).join('')}    },\n` : ''}${toData(request).join('')})
try:
    with urlopen(request) as response:
        answer = json.load(response)
except HTTPError as error:
    raise SystemExit(f"{error.code} {json.load(error)['${isEnvelope ? 'message' : 'error_description'}']}")
print(answer${isEnvelope ? '["results"]' : ''})
`;
}
