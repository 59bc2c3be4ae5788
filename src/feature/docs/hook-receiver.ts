import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/file/package-root.ts';
import type { HookFormat } from '../../model/shape.ts';
import type { Sample } from './sample/samples.ts';

/** Complete receivers that verify deliveries, in `templates/docs/receiver`: tests run these files. */
const RECEIVERS = [
  ['js', 'Node', 'node.mjs'],
  ['js-package', 'Node, standardwebhooks', 'node-package.mjs'],
  ['python', 'Python', 'receiver.py'],
  ['php', 'PHP', 'receiver.php'],
] as const;

const cache = new Map<string, string>();

function read(file: string): string {
  const text = cache.get(file) ?? readFileSync(join(packageRoot, 'templates', 'docs', 'receiver', file), 'utf8');
  cache.set(file, text);
  return text;
}

/** Changes for a receiver that reads the type from headers, because the body is only the data. */
const BY_HEADERS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  js: [
    ['const event = JSON.parse(body);', 'const data = JSON.parse(body);'],
    ['event.type, event.data', "request.headers['ce-type'], data"],
  ],
  'js-package': [
    ['const event = verify(', 'const data = verify('],
    ['event.type, event.data', "request.headers['ce-type'], data"],
  ],
  python: [
    ['event = json.loads(body)', 'data = json.loads(body)'],
    ['event["type"], event["data"]', 'self.headers["ce-type"], data'],
  ],
  php: [
    ['$event = json_decode($body, true);', '$data = json_decode($body, true);'],
    [
      "\"$id {$event['type']} \" . json_encode($event['data'])",
      '"$id {$_SERVER[\'HTTP_CE_TYPE\']} " . json_encode($data)',
    ],
  ],
};

/** @throws if the receiver's text does not contain a replaced part. */
function toHeaderReceiver(language: string, text: string): string {
  return (BY_HEADERS[language] ?? []).reduce((known, [from, to]) => {
    if (!known.includes(from)) throw new Error(`The ${language} receiver has no "${from}".`);
    return known.replace(from, () => to);
  }, text);
}

/** The receivers for a format, as samples for the tabs of a page. */
export const listReceivers = (format?: HookFormat): Sample[] =>
  RECEIVERS.map(([language, label, file]) => ({
    language,
    label,
    text: format === 'cloudevents-binary' ? toHeaderReceiver(language, read(file)) : read(file),
  }));
