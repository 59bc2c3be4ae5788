import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as treadle from '../../src/index.ts';
import * as testing from '../../src/testing/site.ts';

const surface = suite('public exports');

surface('are these and no others', () => {
  assert.equal(Object.keys(treadle).sort(), [
    'EMITTED',
    'ProblemsError',
    'Registry',
    'Request',
    'Response',
    'TreadleError',
    'compileProject',
    'createApp',
    'renderDocs',
    'translate',
  ]);
});

surface('of treadle/test are these and no others', () => {
  assert.equal(Object.keys(testing), ['startTestSite']);
});

surface.run();
