import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const code = `
import type { App } from 'treadle';
const fail = () => { throw new Error('no'); };
const ring = new Error('circular');
ring.cause = ring;
const values = {
  circular: ring,
  zero: new Error('a\\u0000b\\ud800c'),
  bare: Object.create(null),
  big: 7n,
  symbol: Symbol('s'),
  proxy: new Proxy({}, { getPrototypeOf: fail, get: fail, ownKeys: fail }),
  message: Object.defineProperty(new Error('x'), 'message', { get: fail }),
  stack: Object.assign(new Error('odd'), { stack: 7 }),
  json: { toJSON: fail, toString: fail },
};
export default function shop(app: App) {
  app.get('/throw/:name', (request) => { throw values[request.getStage('name')]; });
  app.rest({ access: 'public', method: 'get', path: '/throw/:name' }, (request) => { throw values[request.getStage('name')]; });
}
`;
const NAMES = ['circular', 'zero', 'bare', 'big', 'symbol', 'proxy', 'message', 'stack', 'json'];

const thrown = suite('whatever code throws');

for (const mode of ['test', 'development'] as const) {
  thrown(`${mode}: a page or JSON with status 500, and a line that names the request`, async () => {
    const site = await boot({
      template: 'bare',
      settings: { api: true },
      mode,
      change: (project) => project.addController('shop', code),
    });
    for (const name of NAMES) {
      const page = await site.get(`/throw/${name}`, { accept: 'text/html' });
      assert.is(page.status, 500, name);
      assert.match(page.text, /<!doctype html>/i, name);
      const call = await site.get(`/rest/throw/${name}`);
      assert.is(call.status, 500, name);
      assert.is(call.json().status, 500, name);
    }
    const lines = site.log.filter((line) => JSON.parse(line).event === 'request failed');
    assert.is(lines.length, 2 * NAMES.length);
    assert.ok(lines.every((line) => JSON.parse(line).request));
    assert.match(String(lines[0]), /"message":"circular".*\[circular\]/);
    await site.close();
  });
}

thrown.run();
