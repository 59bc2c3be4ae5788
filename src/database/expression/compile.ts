import { isExact } from '../../model/expression/make.ts';
import { listRead, listReads } from '../../model/expression/reads.ts';
import { type Expression, getPart } from '../../model/expression/tree.ts';
import type { Dialect } from '../database.ts';
import { quote } from '../index/literal.ts';
import { simplify } from './simplify.ts';
import { expressionSql } from './spelling.ts';
import type { Sql } from './sql.ts';

/** What an expression is compiled for. */
export interface CompileOptions {
  readonly dialect: Dialect;
  /** Table or alias of the row; undefined in the definition of its own table. */
  readonly alias: string | undefined;
  /** Gives further conditions on related rows, each as SQL after `and`. Default: none. */
  readonly narrow?: ((rows: NarrowRows) => string) | undefined;
}

/** The related rows that a count or a sum reads. */
export interface NarrowRows {
  readonly schema: string;
  /** Their primary key in the statement. */
  readonly key: string;
  /** Columns that a sum reads, with the computed fields on the way. */
  readonly columns: readonly string[];
}

/** Alias of related rows, and of the pairs that link them. */
const RELATED = 'treadle_n';
const PAIRS = 'treadle_l';

/** Compiles parts of a checked expression: names come from the model, and literals are printed by their type. */
class Compiler {
  readonly #options: CompileOptions;
  readonly #sql: Sql;

  constructor(options: CompileOptions) {
    this.#options = options;
    this.#sql = expressionSql[options.dialect];
  }

  /** A value; a flag is 1 or 0. */
  value(node: Expression): string {
    const { op, type } = node;
    if (op === 'compare' || op === 'and' || op === 'or' || op === 'not') return this.#sql.fromTest(this.test(node));
    const text = this.#plain(node);
    if (node.isLimited === true) return this.#sql.limitNumber(text);
    const isLimited = LIMITED.has(op) || (op === 'column' && type.name === 'whole') || isRoundNumber(node);
    return isLimited && isExact(type) ? this.#sql.limit(text, type.scale) : text;
  }

  /** A flag as a condition. */
  test(node: Expression): string {
    const { op, sign } = node;
    const part = (index: number): Expression => getPart(node, index);
    switch (op) {
      case 'compare': {
        const { type } = part(0);
        const isText = !isExact(type) && type.name !== 'number' && type.name !== 'flag';
        const left = isText ? this.#sql.text(this.value(part(0))) : this.value(part(0));
        return `(${left} ${sign === '!=' ? '<>' : sign} ${this.value(part(1))})`;
      }
      case 'and':
      case 'or':
        return `(${this.test(part(0))} ${op} ${this.test(part(1))})`;
      case 'not':
        return `(not ${this.test(part(0))})`;
      default:
        return `(${this.value(node)} <> 0)`;
    }
  }

  #plain(node: Expression): string {
    const { op, type, parts } = node;
    const sql = this.#sql;
    const all = (): string[] => parts.map((part) => this.value(part));
    const part = (index: number): Expression => getPart(node, index);
    const value = (index: number): string => this.value(part(index));
    switch (op) {
      case 'literal':
        return sql.literal(node.value ?? null, type);
      case 'column':
        return sql.column(this.#refer(node.column ?? ''), type);
      case 'count':
      case 'sum':
        return this.#related(node);
      case 'scale':
      case 'rescale':
        return sql.scale(value(0), type.scale - part(0).type.scale);
      case 'number':
        return sql.number(value(0), part(0).type.scale);
      case 'negate':
        return `(- ${value(0)})`;
      case 'units':
        return sql.units(value(0));
      case 'if':
        return `case when ${this.test(part(0))} then ${value(1)} else ${value(2)} end`;
      case 'coalesce':
        return `coalesce(${all().join(', ')})`;
      case 'least':
      case 'greatest':
        return sql.extreme(op, all(), type);
      case 'abs':
        return `abs(${value(0)})`;
      case 'concat':
        return `nullif(${sql.text(parts.map((each) => sql.part(this.value(each), each.type)).join(' || '))}, '')`;
      default:
        return this.#calculate(node, all());
    }
  }

  #calculate({ op, type, parts }: Expression, [a = '', b = '']: readonly string[]): string {
    const sql = this.#sql;
    const from = parts[0]?.type ?? type;
    switch (op) {
      case 'add':
        return `(${a} + ${b})`;
      case 'subtract':
        return `(${a} - ${b})`;
      case 'multiply':
        return `(${a} * ${b})`;
      case 'divide':
        return `(${a} / nullif(${b}, 0))`;
      case 'remainder':
        return `(${a} % nullif(${b}, 0))`;
      case 'round':
        return isExact(from) ? sql.round(a, from.scale, type.scale) : sql.roundNumber(a, type.scale);
      case 'floor':
      case 'ceil':
        return isExact(from) ? sql.cut(op, a, from.scale) : sql.cutNumber(op, a);
      case 'length':
        return sql.length(a);
      case 'days':
        return sql.days(a, b);
      case 'year':
      case 'month':
      case 'day':
        return sql.datePart(op, a);
      default:
        throw new TypeError(`"${op}" is no operation of values`);
    }
  }

  #refer(column: string): string {
    const { alias } = this.#options;
    return alias === undefined ? quote(column) : `${quote(alias)}.${quote(column)}`;
  }

  /** The rows of a relation as a subquery. */
  #related({ op, type, parts, related }: Expression): string {
    if (related === undefined) throw new TypeError(`A ${op} reads the rows of a relation`);
    const { keys } = related;
    const { dialect, narrow } = this.#options;
    const { through } = keys;
    const main = through === undefined ? RELATED : PAIRS;
    const join =
      through === undefined
        ? ''
        : ` join ${quote(through.table)} as ${quote(RELATED)} on ${quote(RELATED)}.${quote(through.primary)} = ${quote(PAIRS)}.${quote(through.column)}`;
    const [item] = parts;
    const extra = narrow?.({
      schema: keys.target,
      key: `${quote(RELATED)}.${quote(keys.targetKey)}`,
      columns: item === undefined ? [] : listRead(listReads(item)),
    });
    const tests = [
      `${quote(main)}.${quote(keys.key)} = ${this.#refer(keys.side)}`,
      ...(keys.active === undefined ? [] : [`${quote(RELATED)}.${quote(keys.active)} = 1`]),
    ];
    const from = `from ${quote(keys.table)} as ${quote(main)}${join} where ${tests.join(' and ')}${extra ?? ''}`;
    if (item === undefined) return this.#sql.count(`(select count(*) ${from})`);
    const inner = new Compiler({ dialect, alias: RELATED }).value(item);
    return `(select ${this.#sql.sum(inner, type)} ${from})`;
  }
}

/** Operations whose exact results may have too many digits. */
const LIMITED: ReadonlySet<string> = new Set([
  ...['add', 'subtract', 'multiply', 'rescale', 'least', 'greatest', 'sum'],
]);

const isRoundNumber = ({ op, parts }: Expression): boolean =>
  (op === 'round' || op === 'floor' || op === 'ceil') && parts[0]?.type.name === 'number';

/** Compiles an expression to SQL of the type that a column of its values has. */
export function compileExpression(expression: Expression, options: CompileOptions): string {
  return expressionSql[options.dialect].result(new Compiler(options).value(simplify(expression)), expression.type);
}
