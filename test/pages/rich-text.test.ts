import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderRich } from '../../src/pages/rich-text.ts';

const test = suite('pages/rich-text');

const CASES: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['A <code>b</code>', {}, 'A <code class="t-code">b</code>'],
  ['Read <docs>it</docs>', { docs: '/docs' }, 'Read <a href="/docs">it</a>'],
  ['<link><code>/x</code></link>', { link: '/x' }, '<a href="/x"><code class="t-code">/x</code></a>'],
  ['<strong>a <em>b</em></strong>', {}, '<strong>a <em>b</em></strong>'],
  // Values make no elements, also within one.
  ['<code>{name}</code>', { name: '<strong>x</strong>' }, '<code class="t-code">&lt;strong&gt;x&lt;/strong&gt;</code>'],
  ['<link>{name}</link>', { link: 'javascript:alert(1)', name: '"' }, '<a href="#">&quot;</a>'],
  ['<b>no</b> <script>x</script>', {}, '&lt;b&gt;no&lt;/b&gt; &lt;script&gt;x&lt;/script&gt;'],
];
for (const [source, values, html] of CASES) {
  test(source, () => assert.is(renderRich(source, values).toHTML(), html));
}

test.run();
