import { ACTIONS, type Action } from '../core/access.ts';
import type { Model } from '../model/model.ts';
import { ADMIN, APP, GUEST, USER } from '../model/role/role.ts';
import { isCode, type TextFile } from '../project/rename/text-files.ts';
import { compilePathGuard, type PathGuard } from './guard.ts';

/** A way by which people reach rows of a schema. */
export interface Door {
  /** Slug of the role that everybody who comes this way holds: `guest` is everybody. */
  readonly role: string;
  readonly schema: string;
  readonly actions: readonly Action[];
  readonly kind: 'call' | 'page' | 'relation' | 'admin' | 'own';
  /** Where it is, such as a call's name or `app/www/src/controller/article.ts:81`. */
  readonly by: string;
}

/** A piece of a code file: what one route, call or listener does, or what stands outside of them. */
interface Piece {
  readonly text: string;
  readonly start: number;
  readonly verb: string;
  /** The text that its function is registered for, such as `/article/:article_id`. */
  readonly target: string;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const START =
  /\.\s*(get|post|put|patch|delete|all|route|rest|on|after|committed|job|schedule)\s*\(\s*(?:\{|(['"`])([^'"`]*)\2)/g;
const EVENT =
  /(['"`])system-(?:model-(search|detail|create|update|remove|restore|import|batch|\$\{[^}]*\})|relation-(link|unlink|unlink-all))\1/g;
const WORK_OF_THE_SYSTEM: ReadonlySet<string> = new Set(['job', 'schedule', 'committed']);
const ROUTES: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'all', 'route']);
/** Writes of a batch. */
const BATCH: readonly Action[] = ['create', 'update', 'remove', 'restore'];

/** The code with comments blanked, so that every index stays. */
const blankComments = (text: string): string =>
  text.replace(COMMENT, (part) => (/^\/[/*]/.test(part) ? part.replace(/[^\n]/g, ' ') : part));

function splitPieces(text: string): Piece[] {
  const starts = [...text.matchAll(START)].filter(
    ([, verb = '', , target]) => !ROUTES.has(verb) || target?.startsWith('/') === true,
  );
  const pieces = starts.map(
    ({ index, 1: verb = '', 3: target = '' }, at): Piece => ({
      start: index,
      text: text.slice(index, starts[at + 1]?.index),
      verb,
      target,
    }),
  );
  return [{ start: 0, text: text.slice(0, starts[0]?.index), verb: '', target: '' }, ...pieces];
}

/** Whether a piece sends away who is not logged in. In doubt it does not: then visitors keep what it does. */
function requiresLogin({ text }: Piece): boolean {
  if (!/['"`]me['"`]|\bcaller\s*\(/.test(text)) return false;
  if (/\b40[13]\b|\/auth\/login/.test(text)) return true;
  const names = [...text.matchAll(/\b(?:const|let)\s+(?:\{\s*)?(\w+)[^=;]*=[^;]*?(?:['"`]me['"`]|\bcaller\s*\()/g)];
  return names.some(([, name]) => new RegExp(`!\\s*${name}\\b|\\b${name}\\s*===?\\s*(?:undefined|null)`).test(text));
}

/** Roles that let in at a path; undefined where nothing guards it. */
function listKeys(model: Model, guard: PathGuard, { verb, target }: Piece): readonly string[] | undefined {
  const path = target.replace(/:\w+|\*+/g, 'x');
  if (!ROUTES.has(verb) || !guard.guards(path)) return undefined;
  const method = verb === 'all' || verb === 'route' ? 'GET' : verb.toUpperCase();
  return [GUEST, USER, ...model.roles.keys()].filter(
    (slug, index, all) => all.indexOf(slug) === index && slug !== ADMIN && guard.judge(path, method, [slug])?.by,
  );
}

const ACCESS_ROLES: Readonly<Record<string, string>> = { public: GUEST, app: APP, user: USER };

function listWho(model: Model, guard: PathGuard, piece: Piece, isRead: boolean): readonly string[] {
  if (WORK_OF_THE_SYSTEM.has(piece.verb)) return [];
  if (piece.verb === 'rest') {
    const access = /\baccess\s*:\s*['"`](public|app|user)['"`]/.exec(piece.text)?.[1] ?? 'public';
    return [ACCESS_ROLES[access] ?? GUEST];
  }
  const keys = listKeys(model, guard, piece);
  if (keys !== undefined) return keys;
  return [!isRead && requiresLogin(piece) ? USER : GUEST];
}

/** The last value of a stage key in some code: a text, or null where it is not written as a text. */
function findValue(text: string, key: string): string | null | undefined {
  const found = [
    ...text.matchAll(
      new RegExp(
        `(?:['"\`]${key}['"\`]\\s*,|\\b${key}\\s*:)\\s*(?:(['"\`])([\\w-]+)\\1|[\\w$.]+)|[{,]\\s*${key}\\s*[,}]`,
        'g',
      ),
    ),
  ].at(-1);
  return found === undefined ? undefined : (found[2] ?? null);
}

/** The value of a stage key of an emit: of its own stage, or the last one that was set before it in its piece. */
function findStage(piece: Piece, at: number, key: string): string | null | undefined {
  const after = /^[^)]*?,\s*(\{[\s\S]{0,600}?\})/.exec(piece.text.slice(at))?.[1];
  const own = after === undefined ? undefined : findValue(after, key);
  return own === undefined ? findValue(piece.text.slice(0, at), key) : own;
}

/** Schemas that an emit may be about: the named one; of a file that names none in the stage, each that it names; else all. */
function listSchemas(model: Model, file: string, named: string | null | undefined): readonly string[] {
  if (typeof named === 'string') return model.schemas.has(named) ? [named] : [];
  const all = [...model.schemas.keys()];
  const mentioned = all.filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(file));
  return named === null || mentioned.length === 0 ? all : mentioned;
}

/** The schema that declares a relation, whose rules a link must pass. */
function listLinked(model: Model, piece: Piece, at: number, file: string): readonly string[] {
  const names = ['schema1', 'schema2'].map((key) => findStage(piece, at, key));
  const [first, second] = names.map((name) => (typeof name === 'string' ? model.schemas.get(name) : undefined));
  if (first === undefined || second === undefined) return listSchemas(model, file, undefined);
  return [first.relations.some(({ target }) => target === second.name) ? first.name : second.name];
}

const listActions = (word: string): readonly Action[] => {
  if (word === 'batch') return BATCH;
  return ACTIONS.filter((each) => (word.startsWith('$') ? each !== 'link' : each === word));
};

const isRead = (actions: readonly Action[]): boolean => actions.every((each) => each === 'search' || each === 'detail');

function listPieceDoors(model: Model, guard: PathGuard, { file, text }: TextFile, piece: Piece): Door[] {
  return [...piece.text.matchAll(EVENT)].flatMap(({ index, 2: word, 3: link }): Door[] => {
    const before = piece.text.slice(0, index);
    // A listener reacts to the event, and `asSystem` passes every rule.
    if (/\b(?:on|after|committed|webhook)\s*\(\s*(?:\{[^}]*)?$/.test(before) || /asSystem\s*\([^;]{0,60}$/.test(before))
      return [];
    const actions = link === undefined ? listActions(word ?? '') : (['link'] as const);
    const schemas =
      link === undefined
        ? listSchemas(model, text, findStage(piece, index, 'schema'))
        : listLinked(model, piece, index, text);
    const line = text.slice(0, piece.start + index).split('\n').length;
    return schemas.flatMap((schema) =>
      listWho(model, guard, piece, isRead(actions)).map(
        (role): Door => ({ role, schema, actions, kind: 'page', by: `${file}:${line}` }),
      ),
    );
  });
}

/**
 * Lists the emits of the project's pages, listeners and hand-written calls, with the people who reach each. It reads the
 * text of the files. If the text does not name the schema or the people, the result assumes every one.
 */
export function listPageDoors(model: Model, files: readonly TextFile[]): Door[] {
  const guard = compilePathGuard(model);
  return files
    .filter(({ file }) => isCode(file) && !/(?:^|\/)(?:test|tests|__tests__)\/|\.(?:test|spec)\.|\.d\.ts$/.test(file))
    .map(({ file, text }) => ({ file, text: blankComments(text) }))
    .flatMap((source) => splitPieces(source.text).flatMap((piece) => listPieceDoors(model, guard, source, piece)));
}
