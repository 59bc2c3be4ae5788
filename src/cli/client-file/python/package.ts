import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../core/file/package-root.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { listOperations, type Operation } from '../call.ts';
import { toGroups } from '../group.ts';
import { type PackageFacts, toPackageFacts } from '../package.ts';
import { printPythonMethod, toPythonNames } from './call.ts';
import { declareRows } from './row.ts';
import { PythonTypes, toDocstring, toIdentifier, toText } from './type.ts';

const WRITTEN = 'Written by "treadle client" from the API\'s own document: change that, and write it again.';

interface PythonGroup {
  readonly attribute: string;
  readonly className: string;
  readonly text: string;
}

const toModule = ({ name }: PackageFacts): string => toIdentifier(name);

function printClass(
  { attribute, className }: Omit<PythonGroup, 'text'>,
  operations: readonly Operation[],
  book: Parameters<typeof printPythonMethod>[2],
): string {
  const names = toPythonNames(operations);
  return [
    `class ${className}:`,
    ...toDocstring(`Calls of ${attribute}.`, '    '),
    '',
    '    def __init__(self, transport: runtime.Transport) -> None:',
    '        self._transport = transport',
    '',
    ...operations.flatMap((operation) => printPythonMethod(operation, names.get(operation) ?? '', book)),
  ].join('\n');
}

function printClient(groups: readonly PythonGroup[], baseUrl: string | undefined): string {
  const base = baseUrl === undefined ? 'base_url: str' : `base_url: str = ${toText(baseUrl)}`;
  return [
    'class Client:',
    '    """Every call of the API, grouped by schema. `options` are those of runtime.Transport: retries, max_wait, http and what tests replace."""',
    '',
    '    def __init__(',
    '        self,',
    `        ${base},`,
    '        *,',
    '        token: str | typing.Callable[[], str] | None = None,',
    '        client_id: str | None = None,',
    '        client_secret: str | None = None,',
    '        **options: typing.Any,',
    '    ) -> None:',
    '        transport = runtime.Transport(',
    '            base_url.rstrip("/"), token=token, client_id=client_id, client_secret=client_secret, **options',
    '        )',
    '        self._transport = transport',
    ...groups.map(({ attribute, className }) => `        self.${attribute} = ${className}(transport)`),
    '',
    '    def close(self) -> None:',
    '        """Closes the connections."""',
    '        self._transport.http.close()',
    '',
    '    def __enter__(self) -> Client:',
    '        return self',
    '',
    '    def __exit__(self, *_: object) -> None:',
    '        self.close()',
    '',
  ].join('\n');
}

const RUNTIME = ['AnswerFacts', 'ApiError', 'Fault', 'Page', 'facts_of'];

function printInit(types: readonly string[], title: string): string {
  const own = ['Client', ...types].sort();
  return [
    ...toDocstring(`A client of the ${title}. ${WRITTEN}`, ''),
    '',
    `from .client import ${own.join(', ')}`,
    `from .runtime import ${RUNTIME.join(', ')}`,
    '',
    '__all__ = [',
    ...[...own, ...RUNTIME].map((name) => `    ${toText(name)},`),
    ']',
    '',
  ].join('\n');
}

const toProject = ({ name, version, title }: PackageFacts, module: string): string => `# ${WRITTEN}
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = ${toText(name)}
version = ${toText(version)}
description = ${toText(`A client of the ${title}.`)}
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["httpx>=0.27"]

[tool.setuptools]
packages = [${toText(module)}]

[tool.setuptools.package-data]
${module} = ["py.typed"]
`;

const toReadme = ({ name, title }: PackageFacts, module: string): string => `# ${name}

A client of the ${title} for Python 3.11 or later, on httpx. It is written by \`treadle client --target python\`: do not
change it by hand, write it again.

\`\`\`python
from ${module} import ApiError, Client, facts_of

with Client("https://example.org", token="…") as client:
    ...
\`\`\`

A method for each call, grouped by schema; \`…_all\` yields every row of a search. Filters are dictionaries with the
operators of their column's kind. \`ApiError\` has \`status\`, \`code\`, \`errors\` and \`message_of(column)\`. The types pass
\`mypy --strict\`.
`;

/** The client as a Python package: path to text. The same document gives the same bytes. */
export function printPythonPackage(document: Json, baseUrl: string | undefined): Map<string, string> {
  const facts = toPackageFacts(document);
  const module = toModule(facts);
  const types = new PythonTypes(document);
  const book = { types, rows: declareRows(document, types) };
  const groups = toGroups(listOperations(document)).map(({ tag, className, operations }): PythonGroup => {
    const attribute = ['close', '_transport'].includes(toIdentifier(tag)) ? `${tag}_calls` : toIdentifier(tag);
    const own = { attribute, className: `_${className}` };
    return { ...own, text: printClass(own, operations, book) };
  });
  const client = [
    ...toDocstring(`The calls and types of the ${facts.title}. ${WRITTEN}`, ''),
    '',
    'from __future__ import annotations',
    '',
    'import typing',
    '',
    'from . import runtime',
    '',
    '',
    types.text,
    '',
    '',
    ...groups.map(({ text }) => `${text}\n`),
    printClient(groups, baseUrl),
  ].join('\n');
  const runtime = readFileSync(join(packageRoot, 'templates', 'client', 'runtime.py'), 'utf8');
  return new Map([
    ['README.md', toReadme(facts, module)],
    [`${module}/__init__.py`, printInit(types.names, facts.title)],
    [`${module}/client.py`, client],
    [`${module}/py.typed`, ''],
    [`${module}/runtime.py`, runtime],
    ['pyproject.toml', toProject(facts, module)],
  ]);
}
