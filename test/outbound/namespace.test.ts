import { spawn, spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const namespace = suite('outbound/namespace');

const root = fileURLToPath(new URL('../..', import.meta.url));
const PUBLIC = '93.184.216.34';

/** How a process can get its own network and mount namespace here: as root, or by mapping the user. */
function findUnshare(): readonly string[] | undefined {
  const ways = [
    ['-n', '-m'],
    ['-r', '-n', '-m'],
  ];
  const trial = ['sh', '-c', 'ip link set lo up && mount --bind /dev/null /etc/resolv.conf'];
  return ways.find((flags) => spawnSync('unshare', [...flags, ...trial], { stdio: 'ignore' }).status === 0);
}

interface Found {
  readonly accepted: Readonly<Record<string, number>>;
  readonly reachable: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly refused: number;
}

const flags = findUnshare();
if (!flags) {
  process.stdout.write('skipped: outbound/namespace (needs unshare, ip and the right to use them)\n');
} else {
  namespace(
    'S1, S2, S4: where every address has a listener, none but the public one is ever connected to',
    async () => {
      const words = [...flags, process.execPath, '--import', 'tsx', 'test/outbound/_namespace.ts'];
      const child = spawn('unshare', words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
      const said = { out: '', err: '' };
      child.stdout.on('data', (chunk) => {
        said.out += chunk;
      });
      child.stderr.on('data', (chunk) => {
        said.err += chunk;
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      assert.is(code, 0, said.err);
      const found = JSON.parse(said.out) as Found;
      assert.equal(Object.keys(found.accepted), [PUBLIC], 'connections, by the address that they came to');
      assert.ok(found.refused >= 90, String(found.refused));
      assert.equal(found.outcomes, {
        OUTBOUND_ADDRESS_REFUSED: found.refused,
        // It answers with a redirect to 169.254.169.254, which is not followed.
        'public.example 302': 2,
        // A name whose address changes with each lookup.
        'turning.example 302': 3,
        'turning.example OUTBOUND_ADDRESS_REFUSED': 3,
      });
      for (const address of ['169.254.169.254', '127.0.0.1', '10.0.0.1'])
        assert.is(found.reachable[address], 1, address);
    },
  );
}

namespace.run();
