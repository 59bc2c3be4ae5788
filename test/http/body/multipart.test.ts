import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../../src/core/errors.ts';
import type { SentFile } from '../../../src/core/request/sent-file.ts';
import { parseMultipart } from '../../../src/http/body/multipart.ts';
import { cpu } from '../../core/_cpu.ts';

const test = suite('runtime: multipart');

const type = (boundary: string) => ({ 'content-type': `multipart/form-data; boundary=${boundary}` });
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = '--x--\r\n';

async function refusal(body: string | Buffer, boundary = 'x'): Promise<string> {
  try {
    await parseMultipart(type(boundary), Buffer.from(body as string, 'latin1'));
  } catch (error) {
    if (error instanceof TreadleError) return `${error.status} ${error.code}`;
    throw error;
  }
  return 'taken';
}

test('1,000 fields and 20 files are taken, one more of either is refused', async () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => part(`f${index}`, 'v')).join('');
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => part(`g${index}`, 'v', '; filename="a.txt"')).join('');
  const taken = await parseMultipart(type('x'), Buffer.from(fields(1000) + files(20) + END));
  assert.is(Object.keys(taken.post).length, 1000);
  assert.is(Object.keys(taken.files).length, 20);
  assert.is(await refusal(fields(1001) + END), '413 REQUEST_PARTS_TOO_MANY');
  assert.is(await refusal(files(21) + END), '413 REQUEST_PARTS_TOO_MANY');
  assert.is(await refusal(fields(1000) + files(21) + END), '413 REQUEST_PARTS_TOO_MANY');
});

test('a body of delimiters is refused before a parser sees it', async () => {
  for (const count of [205_000, 1_980_000]) {
    const body = Buffer.from('--x\r\n'.repeat(count));
    const [begun, before] = [cpu(), process.memoryUsage().rss];
    assert.is(await refusal(body), '413 REQUEST_PARTS_TOO_MANY');
    assert.ok(cpu() - begun < 400, `${cpu() - begun} ms`);
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
  }
});

test('what follows a refusal is not parsed, and what is parsed lets others have their turn', async () => {
  const long = 'v'.repeat(4000);
  const fields = Array.from({ length: 1019 }, (_, index) => part(`f${index}`, long)).join('');
  const state = { turns: 0, isOver: false };
  const count = (): void => {
    state.turns += 1;
    if (!state.isOver) setImmediate(count);
  };
  setImmediate(count);
  const file = randomBytes(3_000_000);
  const head = Buffer.from(part('file', '', '; filename="a.bin"').slice(0, -2));
  const body = Buffer.concat([head, file, Buffer.from(`\r\n${END}`)]);
  const { files } = await parseMultipart(type('x'), body);
  state.isOver = true;
  assert.ok((files.file as SentFile).buffer.equals(file));
  assert.ok(state.turns > 30, `${state.turns} turns`);
  assert.is(await refusal(fields + END), '413 REQUEST_PARTS_TOO_MANY');
});

test('the boundary is the one of the type, quoted or not', async () => {
  const form = (boundary: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--${boundary}--\r\n`;
  for (const [given, boundary] of [
    ['b', 'b'],
    ['"a b:c"', 'a b:c'],
    [`----WebKitFormBoundary${'x'.repeat(16)}`, `----WebKitFormBoundary${'x'.repeat(16)}`],
    ["'()+_,-./:=?; charset=utf-8", "'()+_,-./:=?"],
  ] as const) {
    const { post } = await parseMultipart(type(given), Buffer.from(form(boundary)));
    assert.equal(post, { a: '1' }, given);
  }
  for (const boundary of ['', '""', 'y'.repeat(71), 'é'])
    assert.is(await refusal(form(boundary), boundary), '400 REQUEST_MULTIPART_BROKEN', boundary);
});

test('names that are too long, missing or cut off are refused', async () => {
  assert.is(await refusal(part('n'.repeat(200), 'v') + END), 'taken');
  for (const body of [
    part('n'.repeat(201), 'v') + END,
    part('n'.repeat(1_000_000), 'v') + END,
    part('n'.repeat(201), 'v', '; filename="a.txt"') + END,
    '--x\r\nContent-Disposition: form-data\r\n\r\nv\r\n--x--\r\n',
    part('a', 'v'),
    'x',
  ])
    assert.is(await refusal(body), '400 REQUEST_MULTIPART_BROKEN', body.slice(0, 80));
});

test('no form that fits the limits is slow', async () => {
  const headers = (line: string) => `--x\r\n${line.repeat(15_000 / line.length)}\r\n\r\nv\r\n`;
  /** Bodies as large as the limits allow, or a part as large. */
  const listBodies = (share: number): [string, string][] => [
    ['x', headers('Content-Disposition: form-data; name="a"; z="\\"\\""\r\n').repeat(60 * share) + END],
    ['x', `--x\r\n${'a:b\r\n'.repeat(200_000 * share)}`],
    ['x', part('a', '\r\n--'.repeat(250_000 * share)) + END],
    ['x', part('a[][][][][]', 'v').repeat(1000 * share) + END],
    ['x', part('a[]', 'v').repeat(1000 * share) + END],
    ['x', part('a', 'v') + END + '\r\n--y'.repeat(200_000 * share)],
    ['-'.repeat(70), '-'.repeat(1_000_000 * share)],
    ['-'.repeat(70), `\r\n${'-'.repeat(71)}`.repeat(14_000 * share)],
  ];
  const time = async ([boundary, body]: [string, string]): Promise<number> => {
    const begun = cpu();
    await refusal(body, boundary);
    return cpu() - begun;
  };
  const parts = listBodies(1 / 5);
  for (const [index, whole] of listBodies(1).entries()) {
    const short = await time(parts[index] ?? whole);
    const isSlow = async (): Promise<boolean> => (await time(whole)) > Math.max(40, short * 9);
    // Five times the length: what is read again and again takes twenty-five times as long.
    assert.not.ok((await isSlow()) && (await isSlow()), `over nine times ${short} ms: ${whole[1].slice(0, 60)}`);
  }
});

test.run();
