import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, sourceRoot, toName } from './source.ts';

const network = suite('structure/network');

/** Modules that can open a connection. */
const MODULES =
  /^(node:)?(http|https|http2|net|tls|dns|dns\/promises|dgram|undici|ws|axios|got|node-fetch|nodemailer|pg)$/;
/** Exports of them that open none: a server, and functions that only parse text. */
const HARMLESS: ReadonlySet<string> = new Set(['createServer', 'Server', 'isIP', 'isIPv4', 'isIPv6', 'STATUS_CODES']);
/**
 * Allowed: the guard itself, the database with its configured URL, and the command line, which calls URLs
 * that its user names. A test's visitor calls the server that the test started.
 */
const ALLOWED = ['src/outbound/', 'src/database/postgres/', 'src/cli/', 'src/testing/visitor.ts'];

/** The imports of a file from such a module at run time. */
function listTaken(text: string): string[] {
  const imports = text.matchAll(/^(?:import|export)\s+(?!type\b)([^'"]*?)\s+from\s+'([^']+)'/gm);
  const taken = [...imports].flatMap(([, names = '', module = '']) => {
    if (!MODULES.test(module)) return [];
    const parts = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim());
    return parts.filter((name) => name !== '' && !name.startsWith('type ')).map((name) => name.split(' as ')[0] ?? '');
  });
  const late = [...text.matchAll(/\b(?:import|require)\('([^']+)'\)/g)].filter(([, module = '']) =>
    MODULES.test(module),
  );
  return [...taken, ...late.map(([whole]) => whole)];
}

const withoutTexts = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/`(?:\\.|[^`\\])*`/g, '``')
    .replace(/'(?:\\.|[^'\\\n])*'/g, "''");

const files = listFiles(sourceRoot).filter((file) => !ALLOWED.some((folder) => toName(file).startsWith(folder)));

network('S1: only the address guard opens connections to addresses that others wrote', () => {
  const wrong = files.flatMap((file) =>
    listTaken(readFileSync(file, 'utf8'))
      .filter((name) => !HARMLESS.has(name))
      .map((name) => `${toName(file)}: ${name}`),
  );
  assert.equal(wrong, []);
});

network('nobody uses the network functions of the runtime', () => {
  const globals = /(?<![.\w])(?:globalThis\.)?(?:fetch\(|new (?:WebSocket|EventSource|XMLHttpRequest)\b)/;
  const wrong = files.filter((file) => globals.test(withoutTexts(readFileSync(file, 'utf8'))));
  assert.equal(wrong.map(toName), []);
});

network('the test itself can fail', () => {
  const found = (text: string) => listTaken(text).filter((name) => !HARMLESS.has(name));
  assert.equal(found("import { request } from 'node:http';"), ['request']);
  assert.equal(found("import { createServer, type Server } from 'node:http';"), []);
  assert.equal(found("import type { Socket } from 'node:net';"), []);
  assert.equal(found("import net from 'net';"), ['net']);
  assert.equal(found("const { connect } = await import('node:net');"), ["import('node:net')"]);
});

network.run();
