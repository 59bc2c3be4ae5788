import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listSpellings, type PathGate } from '../../src/access/guard.ts';
import { createHarness } from '../http/_harness.ts';

const gates = suite('gates');

/** Guards `/staff` and everything below it; admits requests with the header. */
const staff: PathGate = {
  guards: (path) => /^\/staff(?:\/|$)/i.test(path),
  judge(_path, request, response) {
    if (request.getServer('HTTP_X_STAFF') === 'yes') return true;
    response.setStatus(403).setContent('closed');
    return false;
  },
};

gates('a gate stops the project’s own page, in every method and every spelling', async () => {
  let heard = 0;
  const page = (_request: unknown, response: { setContent(text: string): unknown }): void => {
    heard += 1;
    response.setContent('open');
  };
  const routes = { 'GET /staff/list': page, 'POST /staff/list': page, 'GET /other': page };
  const harness = await createHarness({ routes: routes as never, gates: [staff] });
  try {
    for (const path of ['/staff/list', '/STAFF/list', '/staff/list/', '/staff/list?x=1']) {
      const closed = await fetch(harness.url + path);
      assert.equal([closed.status, await closed.text(), heard], [403, 'closed', 0], path);
    }
    const posted = await fetch(`${harness.url}/staff/list`, { method: 'POST', body: 'a=1' });
    assert.equal([posted.status, heard], [403, 0]);
    const open = await fetch(`${harness.url}/staff/list`, { headers: { 'x-staff': 'yes' } });
    assert.equal([open.status, heard], [200, 1]);
    assert.is((await fetch(`${harness.url}/other`)).status, 200);
    assert.is((await fetch(`${harness.url}/staff/nothing`)).status, 403, 'a path that nobody serves is guarded, too');
  } finally {
    await harness.close();
    await harness.remove();
  }
});

gates('a gate runs before static files, for every spelling of their path', async () => {
  const harness = await createHarness({ gates: [staff] });
  try {
    mkdirSync(join(harness.folder, 'staff'), { recursive: true });
    writeFileSync(join(harness.folder, 'staff/plan.txt'), 'secret');
    writeFileSync(join(harness.folder, 'staff/index.html'), 'secret');
    for (const path of ['/staff/plan.txt', '/%73taff/plan.txt', '/staff/', '/staff/index.html', '/staff%2Fplan.txt']) {
      const answer = await fetch(harness.url + path);
      assert.equal([answer.status, await answer.text()], [403, 'closed'], path);
    }
  } finally {
    await harness.close();
    await harness.remove();
  }
});

gates('spellings of one path', () => {
  for (const [path, spellings] of [
    ['/a', ['/a']],
    ['/%61', ['/%61', '/a']],
    ['/a//b/../c', ['/a//b/../c', '/a/c']],
    ['/a.html', ['/a.html', '/a']],
    ['/a/index.html', ['/a/index.html', '/a']],
    ['/index.html', ['/index.html', '/']],
    ['/%ff', ['/%ff']],
  ] as const) {
    assert.equal(listSpellings(path), [...spellings], path);
  }
});

gates.run();
