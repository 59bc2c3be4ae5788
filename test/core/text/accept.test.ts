import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prefersType } from '../../../src/core/text/accept.ts';

const test = suite('core/text/accept');

for (const [accept, wanted] of [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['text/html', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['text/markdown', true],
  ['TEXT/Markdown', true],
  ['text/markdown, */*', true],
  ['text/markdown, text/html', false],
  ['text/html, text/markdown', false],
  ['text/markdown, text/html;q=0.9', true],
  ['text/markdown;q=0.8, text/html;q=0.9', false],
  ['text/markdown;q=0.5, */*;q=0.8', false],
  ['text/markdown;q=0', false],
  ['text/markdown;q=0, text/html;q=0', false],
  ['text/markdown;q=0.001', true],
  ['text/markdown;charset=utf-8;q=0.9, text/html;q=0.8', true],
  ['application/text/markdown', false],
] as const) {
  test(`${accept}: ${wanted ? 'Markdown' : 'HTML'}`, () => {
    assert.is(prefersType(accept, 'text/markdown', 'text/html'), wanted);
  });
}

test.run();
