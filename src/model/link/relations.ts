import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Definitions, hasDefinition, toNames } from '../definitions.ts';
import type { RelationModel } from '../model.ts';
import { findColumnReserve, findRelationReserve, toTable } from '../names.ts';
import { listStored, nameFlat } from '../row-shape.ts';
import type { Relation } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

type Drafts = ReadonlyMap<string, SchemaDraft>;
type Storage = Pick<RelationModel, 'table' | 'sourceColumn' | 'targetColumn'>;

type Place = Pick<SchemaDraft, 'table' | 'primary'>;

/** Table and columns of a relation: see {@link RelationModel}. */
export function toStorage(relation: Pick<Relation, 'kind' | 'name'>, source: Place, target: Place): Storage {
  const own = relation.name === undefined ? undefined : toTable(relation.name);
  const isSelf = source.table === target.table;
  if (relation.kind === '1:1' || relation.kind === '1:0') {
    const targetColumn = own === undefined ? target.primary : `${own}_id`;
    return { table: source.table, sourceColumn: undefined, targetColumn };
  }
  if (relation.kind === '1:N') {
    const isPlain = own === undefined && !isSelf;
    const sourceColumn = isPlain ? source.primary : `${source.table}_${own ?? target.table}_id`;
    return { table: target.table, sourceColumn, targetColumn: undefined };
  }
  const table = `${source.table}_${own ?? target.table}`;
  if (isSelf) return { table, sourceColumn: `${source.primary}_1`, targetColumn: `${source.primary}_2` };
  return { table, sourceColumn: source.primary, targetColumn: target.primary };
}

interface DeclaredRelation {
  readonly relation: RelationModel;
  readonly draft: SchemaDraft;
  readonly path: readonly (string | number)[];
}

function checkName(draft: SchemaDraft, index: number, seen: Map<string, number>, report: Report): void {
  const relation = draft.definition.relations?.[index];
  if (relation === undefined) return;
  const name = relation.name ?? relation.schema;
  const path = ['relations', index, relation.name === undefined ? 'schema' : 'name'];
  const first = seen.get(toTable(name));
  if (first !== undefined) {
    const message = `Two relations of "${draft.name}" are named "${name}", this one and relations[${first}].`;
    const hint = 'Give one its own "name", or remove it.';
    report.add(draft.source, path, { code: 'MODEL_RELATION_DUPLICATE', message, hint });
  } else seen.set(toTable(name), index);
  const isColumn = draft.columns.some((column) => column.name === name) || name === draft.primary;
  const reserve = isColumn ? 'a column has that name, so a row could not show both' : findRelationReserve(name);
  if (reserve === undefined) return;
  const message = `A relation of "${draft.name}" may not be named "${name}": ${reserve}.`;
  report.add(draft.source, path, { code: 'MODEL_RELATION_RESERVED', message, hint: 'Choose another "name".' });
}

function declare(definitions: Definitions, drafts: Drafts, report: Report): DeclaredRelation[] {
  const declared: DeclaredRelation[] = [];
  for (const draft of drafts.values()) {
    const seen = new Map<string, number>();
    for (const [index, definition] of (draft.definition.relations ?? []).entries()) {
      checkName(draft, index, seen, report);
      const target = drafts.get(definition.schema);
      if (target === undefined) {
        if (hasDefinition(definitions, 'schema', definition.schema)) continue;
        const message = `The relation of "${draft.name}" names the schema "${definition.schema}", which does not exist.`;
        const hint = toDidYouMean(definition.schema, toNames(definitions, 'schema'));
        report.add(draft.source, ['relations', index, 'schema'], { code: 'MODEL_RELATION_UNKNOWN', message, hint });
        continue;
      }
      const relation: RelationModel = Object.freeze({
        name: definition.name ?? definition.schema,
        kind: definition.kind,
        source: draft.name,
        target: target.name,
        ...toStorage(definition, draft, target),
        definition,
      });
      declared.push({ relation, draft, path: ['relations', index] });
    }
  }
  return declared;
}

/** Reports columns and tables that two parts of the definitions would use. */
function checkStorage(declared: readonly DeclaredRelation[], drafts: Drafts, report: Report): void {
  const owners = new Map<string, string>();
  const toKey = (table: string, column: string): string => `${table}.${column}`.toLowerCase();
  for (const draft of drafts.values()) {
    owners.set(draft.table.toLowerCase(), `the table of the schema "${draft.name}"`);
    for (const { name, field } of draft.columns) owners.set(toKey(draft.table, name), `the field "${field.name}"`);
    owners.set(toKey(draft.table, draft.primary), `the primary key of "${draft.name}"`);
  }
  for (const { relation, draft, path } of declared) {
    const column = relation.targetColumn ?? relation.sourceColumn ?? '';
    const isJoin = relation.kind === 'N:N';
    const place = isJoin ? relation.table.toLowerCase() : toKey(relation.table, column);
    const shown = isJoin ? `table "${relation.table}"` : `column "${column}" of "${relation.table}"`;
    const words = `The relation "${relation.name}" of "${relation.source}" (${relation.kind}) is stored in the ${shown}, but`;
    const owner = owners.get(place);
    const reserve = findColumnReserve(isJoin ? relation.table : column);
    const reason = owner === undefined ? reserve : `that is ${owner} already`;
    if (reason !== undefined) {
      const isBothEnds = owner?.startsWith('the relation') === true;
      const hint = isBothEnds
        ? 'If both mean the same relation, keep only one of them; otherwise give this one its own "name".'
        : 'Give the relation its own "name".';
      report.add(draft.source, path, { code: 'MODEL_RELATION_STORAGE', message: `${words} ${reason}.`, hint });
    }
    owners.set(place, owner ?? `the relation "${relation.name}" of "${relation.source}"`);
  }
}

/** Reports schemas that require each other's row (a cycle of 1:1): no row could ever be created. */
function checkCycles(declared: readonly DeclaredRelation[], report: Report): void {
  const needs = new Map<string, string[]>();
  for (const { relation } of declared) {
    if (relation.kind !== '1:1') continue;
    needs.set(relation.source, [...(needs.get(relation.source) ?? []), relation.target]);
  }
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (needs.get(from) ?? []).some((next) => reaches(next, to, seen));
  };
  for (const { relation, draft, path } of declared) {
    if (relation.kind !== '1:1' || !reaches(relation.target, relation.source, new Set())) continue;
    const message = `A row of "${relation.source}" needs one of "${relation.target}" first, and that needs one of "${relation.source}".`;
    const hint = 'Make one of them 1:0.';
    report.add(draft.source, [...path, 'kind'], { code: 'MODEL_RELATION_CYCLE', message, hint });
  }
}

/** Rows contain the fields of their 1:1 relations: each needs a unique name. */
function checkFlat(declared: readonly DeclaredRelation[], drafts: Drafts, report: Report): void {
  const paths = new Map(declared.map(({ relation, path }) => [relation, path] as const));
  for (const draft of drafts.values()) {
    const taken = new Set(listStored(draft));
    for (const { name, relation, model } of nameFlat(draft, (target) => drafts.get(target), taken)) {
      // The row already has the target's primary key, as its foreign key.
      if (name !== undefined || model === undefined) continue;
      const message = `Rows of "${draft.name}" show the fields of "${relation.name}" too, and no name is free for its "${model.name}".`;
      const hint = 'Rename one of the two fields, or give the relation another "name".';
      report.add(draft.source, paths.get(relation) ?? [], { code: 'MODEL_RELATION_FLAT', message, hint });
    }
  }
}

function checkOnRemove(declared: readonly DeclaredRelation[], report: Report): void {
  for (const { relation, draft, path } of declared) {
    if (relation.kind !== '1:1' || relation.definition.onRemove !== 'clear') continue;
    const message = `A 1:1 of "${draft.name}" cannot be cleared, since each row must have one.`;
    const hint = 'Choose "restrict" or "cascade", or make the relation 1:0.';
    report.add(draft.source, [...path, 'onRemove'], { code: 'MODEL_RELATION_CLEAR', message, hint });
  }
}

/** Computes all relations, adds them to both ends, and reports those that cannot be stored. */
export function linkRelations(definitions: Definitions, drafts: Drafts, report: Report): void {
  const declared = declare(definitions, drafts, report);
  for (const { relation, draft } of declared) {
    draft.relations.push(relation);
    drafts.get(relation.target)?.reverse.push(relation);
  }
  checkStorage(declared, drafts, report);
  checkCycles(declared, report);
  checkFlat(declared, drafts, report);
  checkOnRemove(declared, report);
}
