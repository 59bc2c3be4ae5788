import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isInternal, toNetwork } from '../../../src/core/text/network.ts';

const test = suite('network');

const networks: [string, string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
];
for (const [address, network] of networks) {
  test(`counts "${address}" as "${network}"`, () => assert.is(toNetwork(address), network));
}

test("knows the addresses that a proxy of one's own has", () => {
  for (const address of ['127.0.0.1', '::1', '10.1.2.3', '172.17.0.1', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.1'])
    assert.ok(isInternal(address), address);
  for (const address of ['8.8.8.8', '2600::1', '', 'unknown']) assert.not.ok(isInternal(address), address);
});

test.run();
