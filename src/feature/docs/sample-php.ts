import { mergeTexts, type SampleRequest, type SampleText } from './sample-request.ts';

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
