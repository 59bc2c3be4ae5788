import { runForJson } from '../command-run.ts';
import type { Tool } from '../tool.ts';

export const check: Tool = {
  name: 'check',
  description:
    'Every problem in definitions, code and templates: code, message, hint, file, line, and, where one remedy is certain, `fix`, which `change` takes as file and patch.',
  inputSchema: { type: 'object', properties: {} },
  run: (_input, invocation) => runForJson(invocation, ['check'], true),
};
