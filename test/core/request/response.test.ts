import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';

const body = suite('response body, headers and status');

body('keeps text and bytes, and prints what is neither as JSON', () => {
  assert.is(new Response().setContent('x').getContent(), 'x');
  assert.is(new Response().setContent({ a: 1 }).getContent(), '{\n  "a": 1\n}');
  assert.is(new Response().setContent(5).getContent(), '5');
  assert.is(new Response().setContent('').hasContent(), false);
});

body('knows headers in any case', () => {
  const response = new Response().addHeader('X-A', '1').addHeader('Set-Cookie', ['a', 'b']);
  assert.is(response.getHeaders('x-a'), '1');
  assert.equal(response.getHeaders(), { 'x-a': '1', 'set-cookie': ['a', 'b'] });
  assert.is(response.removeHeader('X-A').getHeaders('x-a'), undefined);
  assert.equal(response.removeHeaders().getHeaders(), {});
});

body('starts with 200', () => {
  assert.is(new Response().getStatus(), 200);
  assert.is(new Response().setStatus(404, 'Not Found').getStatus(), 404);
});

body('has answered with content, a stream, a redirect or by saying so', () => {
  assert.is(new Response().isAnswered(), false);
  assert.is(new Response().setStatus(404).setResults({}).isAnswered(), false);
  assert.is(new Response().setContent('x').isAnswered(), true);
  assert.is(new Response().setRedirect('/x').isAnswered(), true);
  assert.is(new Response().setAnswered().isAnswered(), true);
  const stream = { stream: Readable.from(['x']) };
  assert.is(new Response().setStream(stream).isAnswered(), true);
  assert.is(new Response().setStream(stream).getStream(), stream);
});

body('redirects by 303, so that a post is followed by a get', () => {
  const response = new Response().setRedirect('/x');
  assert.is(response.getStatus(), 303);
  assert.is(response.isRedirect(), true);
  assert.is(new Response().setStatus(303).isRedirect(), false);
});

body('prints headers, code, json, page and body', () => {
  assert.equal(Object.keys(JSON.parse(String(new Response().setContent('x')))), [
    'headers',
    'code',
    'json',
    'page',
    'body',
  ]);
});

body.run();

const json = suite('response results and errors');

json('chains and keeps results by path', () => {
  const response = new Response();
  assert.is(response.setResults({ rows: [{ a: 1 }] }).setResults('total', 1), response);
  assert.is(response.getResults('rows', 0, 'a'), 1);
  assert.is(response.hasResults('total'), true);
  assert.is(response.hasResults('missing'), false);
  assert.is(response.removeResults('total').hasResults('total'), false);
  assert.is(response.removeResults().hasResults(), false);
});

json('is an error or a success once it was said', () => {
  const response = new Response();
  assert.is(response.isError(), false);
  assert.is(response.isSuccess(), false);
  assert.is(response.getMessageType(), 'info');
  assert.is(response.setError(true, 'No').isError(), true);
  assert.is(response.getMessage(), 'No');
  assert.is(response.getMessageType(), 'error');
  assert.is(response.errorCount, 1);
  assert.is(response.setError(false).hasMessage(), false);
  assert.is(response.getMessageType(), 'success');
  assert.is(response.errorCount, 1);
});

json('refuses with status, message and validation, and without results', () => {
  const response = new Response().setResults({ id: 1 });
  response.refuse({ status: 422, message: 'No.', validation: { title: 'Empty', lines: { 0: { price: 'Empty' } } } });
  assert.equal([response.isError(), response.getStatus(), response.getMessage()], [true, 422, 'No.']);
  assert.is(response.hasResults(), false);
  assert.equal(response.getValidation(), { title: 'Empty', lines: { 0: { price: 'Empty' } } });
});

json('succeeds with results, but not over an error', () => {
  const good = new Response();
  good.succeed({ id: 1 });
  assert.equal([good.isSuccess(), good.getResults()], [true, { id: 1 }]);
  const bad = new Response().setError(true, 'No.');
  bad.succeed({ id: 1 });
  assert.equal([bad.isError(), bad.getMessage(), bad.getResults('id')], [true, 'No.', 1]);
});

json('keeps validation by field and by path', () => {
  const response = new Response().addValidation('a', 'Wrong').addValidation('list', 0, 'b', 'Bad');
  assert.is(response.getValidation('a'), 'Wrong');
  assert.equal(response.getValidation(), { a: 'Wrong', list: { 0: { b: 'Bad' } } });
  assert.is(response.hasValidation('b'), false);
  assert.is(response.hasValidation(), true);
  assert.is(response.removeValidation('a').hasValidation('a'), false);
  assert.equal(response.setValidation({ x: 'y' }).getValidation(), { x: 'y' });
  assert.equal(response.removeValidation().getValidation(), {});
  assert.is(new Response().hasJson(), false);
  assert.is(response.setError(false).hasJson(), true);
});

json.run();

const page = suite('response page');

page('keeps a title, meta and other page keys', () => {
  const response = new Response().setTitle('T').setPage('class', 'c').addMeta('description', 'd');
  assert.is(response.getPage('title'), 'T');
  assert.equal(response.getMeta(), { description: 'd' });
  assert.is(response.hasPage('class'), true);
  assert.is(response.removePage('class').hasPage('class'), false);
  assert.equal(response.removePage().getPage(), {});
  assert.equal(response.getMeta(), {});
});

page('shows its own flash', () => {
  assert.equal(new Response().setFlash('Hi', 'success', ['a']).getFlash(), {
    message: 'Hi',
    type: 'success',
    list: ['a'],
  });
  assert.equal(new Response().setFlash('Hi').getFlash(), { message: 'Hi', type: 'info' });
  assert.is(new Response().getFlash(), undefined);
});

page('takes the flash that a request before left, once', () => {
  const request = new Request().setSession('flash', { message: 'Done', type: 'success' });
  const response = new Response(request);
  assert.is(response.getFlash()?.message, 'Done');
  assert.is(request.hasSession('flash'), false);
  assert.is(response.getFlash()?.message, 'Done', 'the same page may ask twice');
  assert.is(new Response(request).getFlash(), undefined);
});

page('gives back what was posted', () => {
  assert.is(new Response(new Request().setPost('a', 1)).getPost('a'), 1);
  assert.is(new Response().getPost('a'), undefined);
  const request = new Request();
  assert.is(new Response(request).request, request);
});

page.run();
