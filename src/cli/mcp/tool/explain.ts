import { explainCode } from '../../explain/code.ts';
import { refuseBehind } from '../behind.ts';
import { runForJson } from '../command-run.ts';
import { createInputError, readText, type Tool } from '../tool.ts';

export const explain: Tool = {
  name: 'explain',
  description:
    'An error code (code), or what decides a request (method and path; as: e-mail of a user; app: name of an app).',
  inputSchema: {
    type: 'object',
    properties: {
      code: { type: 'string' },
      method: { type: 'string' },
      path: { type: 'string' },
      as: { type: 'string' },
      app: { type: 'string' },
    },
  },
  async run(input, invocation) {
    const [code, method, path] = [readText(input, 'code'), readText(input, 'method'), readText(input, 'path')];
    if (code !== undefined && path === undefined) return explainCode(code.trim()).data;
    if (method === undefined || path === undefined || code !== undefined)
      throw createInputError('Give either "code", or "method" and "path".');
    const flags = (['as', 'app'] as const).flatMap((name) => {
      const value = readText(input, name);
      return value === undefined ? [] : [`--${name}=${value}`];
    });
    if (flags.length > 0) await refuseBehind(invocation);
    return runForJson(invocation, ['explain', ...flags, '--', method, path], true);
  },
};
