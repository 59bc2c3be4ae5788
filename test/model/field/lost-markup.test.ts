import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitizeHtml } from '../../../src/model/field/field-kind-sanitize.ts';
import { losesMarkup } from '../../../src/model/field/lost-markup.ts';

const test = suite('model: lost markup');

test('only a text that lost tags or attributes counts as changed', () => {
  for (const [html, isLost] of [
    ['<p>a</p>', false],
    ['<p>a<br>b & c "d"', false],
    ['<P>a</P><hr>', false],
    ['<a href="/x" target="_blank">a</a>', false],
    ['<a href="/x" rel="nofollow">a</a>', false],
    ['<p class="x">a</p>', true],
    ['<p onclick="x()">a</p>', true],
    ['<a href="/x" onclick="x()">a</a>', true],
    ['<script>x</script>', true],
    ['<form><input name="a"></form>', true],
    ['<svg><path d="M0 0"/></svg>', true],
    ['1 < 2', false],
  ] as const)
    assert.is(losesMarkup(html, sanitizeHtml(html)), isLost, html);
  assert.is(losesMarkup(['<b>a</b>', '<p class="x">b</p>'], '["<b>a</b>","<p>b</p>"]'), true);
  assert.is(losesMarkup(['<b>a</b>'], '["<b>a</b>"]'), false);
  assert.is(losesMarkup(null, null), false);
});

test.run();
