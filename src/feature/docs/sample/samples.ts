import { quoteForShell } from '../../../page/trial-curl.ts';
import { toFetch } from './fetch.ts';
import { toPython } from './python.ts';
import { listVariables, mergeTexts, type SampleRequest, type SampleText } from './request.ts';

/** PHP expands nothing in single quotes; only these two characters are escaped. */
const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
const printText = (text: SampleText): string =>
  text.map((part) => (typeof part === 'string' ? quote(part) : `getenv('${part.env}')`)).join(' . ');

function toLiteral(value: unknown, indent: string): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const inner = `${indent}    `;
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, inner)).join(', ')}]`;
  const entries = Object.entries(value);
  // An empty PHP array would become a JSON list.
  if (entries.length === 0) return 'new stdClass()';
  const lines = entries.map(([name, item]) => `${inner}${quote(name)} => ${toLiteral(item, inner)},\n`);
  return `[\n${lines.join('')}${indent}]`;
}

function listOptions({ method, headers, basic, json, form = [] }: SampleRequest): string[] {
  const lines = [
    ...headers.map(([name, value]) => printText(mergeTexts([`${name}: `, ...value]))),
    ...(json === undefined ? [] : [`'Content-Type: application/json'`]),
  ];
  const fields = form.map(([name, value]) => `        ${quote(name)} => ${printText(value)},\n`);
  return [
    'CURLOPT_RETURNTRANSFER => true',
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    ...(basic ? [`CURLOPT_USERPWD => getenv('${basic.user}') . ':' . getenv('${basic.password}')`] : []),
    ...(lines.length > 0
      ? [`CURLOPT_HTTPHEADER => [\n${lines.map((line) => `        ${line},\n`).join('')}    ]`]
      : []),
    ...(json === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${toLiteral(json, '    ')})`]),
    ...(fields.length > 0 ? [`CURLOPT_POSTFIELDS => http_build_query([\n${fields.join('')}    ])`] : []),
  ];
}

/** The request with PHP's curl extension. */
export function toPhp(request: SampleRequest): string {
  const { url, isEnvelope } = request;
  const options = listOptions(request);
  const message = isEnvelope ? 'message' : 'error_description';
  return `<?php
$curl = curl_init(${printText(url)});
curl_setopt_array($curl, [
${options.map((line) => `    ${line},\n`).join('')}]);
$answer = json_decode(curl_exec($curl), true);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
if ($status >= 400) {
    throw new RuntimeException("$status {$answer['${message}']}");
}
print_r($answer${isEnvelope ? "['results']" : ''});
`;
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

/** A text in one language, for the tabs of a page. */
export interface Sample {
  /** Stored in the reader's browser, so that every page shows the same language. */
  readonly language: string;
  readonly label: string;
  readonly text: string;
}

export interface SampleSet {
  readonly samples: readonly Sample[];
  /** Environment variables that the samples read. */
  readonly variables: readonly string[];
}

/** The same request in each language. */
export function toSamples(request: SampleRequest): SampleSet {
  return {
    samples: [
      { language: 'curl', label: 'curl', text: toCurl(request) },
      { language: 'js', label: 'JavaScript', text: toFetch(request) },
      { language: 'python', label: 'Python', text: toPython(request) },
      { language: 'php', label: 'PHP', text: toPhp(request) },
    ],
    variables: listVariables(request),
  };
}
