import { type Collection, type CollectionRequest, listVersions } from './request.ts';

const CREDENTIALS = {
  public: [],
  app: ['Authorization: Basic {{clientId}} {{clientSecret}}'],
  user: ['Authorization: Bearer {{accessToken}}'],
} as const;

/** A text on one line: a line of its own could be read as a header. */
const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function toUrl({ path, query }: CollectionRequest): string {
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  return `{{baseUrl}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`;
}

/** A form with a file beside this one. */
const toForm = (field: string): string[] => [
  'Content-Type: multipart/form-data; boundary=part',
  '',
  '--part',
  `Content-Disposition: form-data; name="${field}"; filename="sample.png"`,
  'Content-Type: image/png',
  '',
  '< ./sample.png',
  '--part--',
];

function printRequest(request: CollectionRequest): string {
  const { title, call, method, access, body, refusals, stored, needsVersion, version, file } = request;
  return [
    `### ${toLine(title)} (${call})`,
    ...(stored?.from === 'row' ? [`# Its answer has the id for @${stored.variable}.`] : []),
    ...refusals.map(({ status, reason }) => `# It may answer ${status}: ${reason}.`),
    `# @name ${call.replace(/\W+/g, '_')}`,
    `${method.toUpperCase()} ${toUrl(request)}`,
    'Accept: application/json',
    ...CREDENTIALS[access],
    ...(needsVersion ? [`If-Match: {{${version}}}`] : []),
    ...(file === undefined ? [] : toForm(file)),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
    '',
  ].join('\n');
}

/**
 * The requests as one file for the REST client of Visual Studio Code and the HTTP client of JetBrains' editors. It has
 * only what both understand, so ids stand in variables at its top.
 */
export function toHttpFile({ title, requests, loose }: Collection, baseUrl: string): string {
  const stored = requests.flatMap((request) => request.stored?.variable ?? []);
  const versions = [...listVersions(requests)];
  return [
    `# ${toLine(title)}. Set the variables; put credentials into a file that is not committed.`,
    `@baseUrl = ${baseUrl}`,
    '@clientId = ',
    '@clientSecret = ',
    '@accessToken = ',
    ...[...new Set([...loose, ...stored])].sort().map((name) => `@${name} = 1`),
    ...(versions.length > 0 ? ['# ETags of details; * stands for any version.'] : []),
    ...versions.map((name) => `@${name} = *`),
    '',
    // `$guid` is a word of one of the editors only.
    ...requests.map((request) => printRequest(request).replaceAll('{{$guid}}', 'sample')),
  ].join('\n');
}
