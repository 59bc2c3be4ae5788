import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Node = Readonly<Record<string, unknown>>;

/** An answer as received. Header names are in lower case. */
export interface Answer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface Checker {
  /** What the document does not describe of an answer; empty if it describes everything. */
  check(answer: Answer): string[];
  /** True if the document has this operation. */
  knows(method: string, path: string): boolean;
  /** Errors of a value by the schema at a place of the document. */
  checkAt(place: readonly string[], value: unknown): string[];
  /** Checked operations, each with its statuses. */
  readonly seen: ReadonlyMap<string, ReadonlySet<number>>;
}

const toPointer = (place: readonly string[]): string =>
  place.map((part) => `/${encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'))}`).join('');

/** Compiles a document's path templates: paths without parameters come first, as on the server. */
function compilePaths(paths: Readonly<Record<string, Node>>) {
  const toPattern = (path: string): RegExp => {
    const source = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{wildcard\d+\}/g, '.+');
    return new RegExp(`^${source.replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
  };
  return Object.keys(paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: toPattern(path), item: paths[path] as Node }));
}

const BASE = 'https://checked.example/openapi';

class DocumentChecker implements Checker {
  readonly seen = new Map<string, Set<number>>();
  readonly #document: Node;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  readonly #paths: ReturnType<typeof compilePaths>;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Node) {
    this.#document = document;
    this.#paths = compilePaths((document.paths ?? {}) as Readonly<Record<string, Node>>);
    (formats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/);
    this.#ajv.addSchema({ ...document, $id: BASE }, undefined, false, false);
  }

  knows(method: string, path: string): boolean {
    return this.#find(method, path) !== undefined;
  }

  checkAt(place: readonly string[], value: unknown): string[] {
    const $ref = `${BASE}#${toPointer(place)}`;
    const validate = this.#compiled.get($ref) ?? this.#ajv.compile({ $ref });
    this.#compiled.set($ref, validate);
    if (validate(value)) return [];
    const faults = (validate.errors ?? []).slice(0, 5);
    return faults.map((fault) => `${fault.instancePath} ${fault.message} ${JSON.stringify(fault.params)}`);
  }

  check(answer: Answer): string[] {
    const found = this.#find(answer.method, answer.path);
    if (!found) return [`no operation ${answer.method} ${answer.path}`];
    const { place, operation } = found;
    const id = String(operation.operationId);
    this.seen.set(id, (this.seen.get(id) ?? new Set()).add(answer.status));
    const responses = operation.responses as Node;
    const range = `${Math.floor(answer.status / 100)}XX`;
    const key = [String(answer.status), range, 'default'].find((name) => name in responses);
    if (key === undefined) {
      return [`${id}: status ${answer.status} is not described: ${answer.body.slice(0, 200)}`];
    }
    const at = placeOf(responses[key], [...place, 'responses', key]);
    const response = this.#follow(responses[key]) as Node;
    const faults = [...this.#checkHeaders(answer, response, at), ...this.#checkBody(answer, response, at)];
    return faults.map((fault) => `${id} ${answer.status}: ${fault}`);
  }

  #find(method: string, path: string): { place: string[]; operation: Node } | undefined {
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const fits = this.#paths.find(({ pattern, item }) => pattern.test(path) && item[name] !== undefined);
    return fits && { place: ['paths', fits.path, name], operation: fits.item[name] as Node };
  }

  #follow(node: unknown): Node | undefined {
    const { $ref } = (node ?? {}) as { $ref?: string };
    if ($ref === undefined) return node as Node | undefined;
    const keys = $ref.slice(2).split('/');
    return keys.reduce<unknown>((at, key) => (at as Node)[decodeURIComponent(key)], this.#document) as Node;
  }

  #checkHeaders(answer: Answer, response: Node, place: readonly string[]): string[] {
    return Object.entries((response.headers ?? {}) as Node).flatMap(([name, given]) => {
      const header = this.#follow(given) as Node;
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) return header.required === true ? [`no header ${name}`] : [];
      const parsed = (header.schema as Node).type === 'integer' ? Number(value) : value;
      const at = [...placeOf(given, [...place, 'headers', name]), 'schema'];
      return this.checkAt(at, parsed).map((fault) => `header ${name}: ${value}: ${fault}`);
    });
  }

  #checkBody(answer: Answer, response: Node, place: readonly string[]): string[] {
    const content = response.content as Node | undefined;
    const isBare = answer.method === 'HEAD' || answer.status === 304 || answer.status === 204;
    if (isBare || content === undefined) {
      return answer.body === '' ? [] : [`a body where none belongs: ${answer.body.slice(0, 80)}`];
    }
    // A request for no row gets none.
    if (answer.body === '' && answer.headers['preference-applied'] !== undefined) return [];
    const type =
      String(answer.headers['content-type'] ?? '')
        .split(';')[0]
        ?.trim() ?? '';
    if (content[type] === undefined) return [`type "${type}" is not described`];
    try {
      const faults = this.checkAt([...place, 'content', type, 'schema'], JSON.parse(answer.body));
      return faults.map((fault) => `body: ${fault}`);
    } catch (error) {
      return [`the body is not JSON (${String(error)}): ${answer.body.slice(0, 80)}`];
    }
  }
}

function placeOf(node: unknown, place: readonly string[]): readonly string[] {
  const { $ref } = (node ?? {}) as { $ref?: string };
  return $ref === undefined ? place : $ref.slice(2).split('/');
}

/** Checks answers against an OpenAPI 3.1 document: it must describe status, type, headers and body. */
export const createChecker = (document: Node): Checker => new DocumentChecker(document);

/** Examples of a document that do not match their schemas. */
export function listExampleFaults(document: Node): string[] {
  const checker = createChecker(document);
  const visit = (node: unknown, place: readonly string[]): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const { example, schema } = node as Node;
    const hasBoth = example !== undefined && schema !== undefined;
    const own = hasBoth ? checker.checkAt([...place, 'schema'], example) : [];
    return [
      ...own.map((fault) => `${place.join('/')}: ${fault}`),
      ...Object.entries(node).flatMap(([key, value]) => (key === 'schema' ? [] : visit(value, [...place, key]))),
    ];
  };
  return visit(document, []);
}
